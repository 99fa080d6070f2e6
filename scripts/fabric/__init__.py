# SPDX-License-Identifier: Apache-2.0
"""Designs in FPGAs: what they take of one, and the clock of what is placed and routed."""
