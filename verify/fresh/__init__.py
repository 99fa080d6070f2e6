# SPDX-License-Identifier: Apache-2.0
"""What a new user types, each from an empty build folder."""
