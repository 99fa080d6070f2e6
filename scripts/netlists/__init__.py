# SPDX-License-Identifier: Apache-2.0
"""Netlists of a design in a cell library: synthesis, and timing."""
