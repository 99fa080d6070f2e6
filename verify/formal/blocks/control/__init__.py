# SPDX-License-Identifier: Apache-2.0
"""Proofs about the accelerator's control, one file for each module."""

from . import axi_lite, counters, dispatch, fetch, jobs, span

SUBJECTS = (axi_lite, jobs, fetch, dispatch, span, counters)
