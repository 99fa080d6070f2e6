# SPDX-License-Identifier: Apache-2.0
"""Judges of tdplace; scripts/route."""
