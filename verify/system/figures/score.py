# SPDX-License-Identifier: Apache-2.0
"""MLPerf Training v0.6 (arXiv:1910.01500): scores of several runs, and their spread."""

import statistics

from system import compare
from system.figures.row import Row

# Mean coefficient of variation over all systems, in %; half of them are carried.
SPREAD = {"transformer": 8.6, "gnmt": 6.7, "resnet": 2.9, "ssd": 2.8, "mask": 0.9}
ROUNDED = 0.0005  # half of the last digit of a recorded coefficient of variation, in %


def rows(job):
    """All of this system."""
    yield from job.entry_rows("MLPerf Training", "v0.6", "mlperf_training", "v06_scores.csv",
                              source="published runs")
    lines = job.answers("mlperf_training", "v06_runs.csv")
    recorded = compare.load(job.reference / "mlperf_training" / "v06_scores.csv")
    for benchmark, spread in SPREAD.items():
        theirs, ours = (100 * statistics.mean(row["cv"] for row in rows
                                              if row["benchmark"] == benchmark)
                        for rows in (recorded, lines))
        yield Row("MLPerf Training", f"spread of {benchmark} over the carried systems, %", theirs,
                  f"published runs; {spread} over all systems", ours, ROUNDED / theirs)
