# SPDX-License-Identifier: Apache-2.0
"""What tools say about our C++: see scripts/analyse."""
