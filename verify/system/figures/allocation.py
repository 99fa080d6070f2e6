# SPDX-License-Identifier: Apache-2.0
"""Gavel (arXiv:2008.09213): allocations of a cluster with several types of accelerators."""

from system.figures.row import Row


def rows(job):
    """All of this system."""
    yield from job.entry_rows("Gavel", "six clusters", "gavel", "lp_cases.json",
                              source="authors' policies")
    yield Row("Gavel", "gain in completion time over policies that see no types", 3.5, "paper",
              missing="the round-based simulation of a trace of jobs")
