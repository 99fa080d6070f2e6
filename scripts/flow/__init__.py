# SPDX-License-Identifier: Apache-2.0
"""Area, clock and power of a configuration: see scripts/ppa."""
