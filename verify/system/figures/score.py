# SPDX-License-Identifier: Apache-2.0
"""MLPerf Training v0.6 (arXiv:1910.01500): scores of several runs, and their spread."""

import statistics

from system.figures.row import Row

# Mean coefficient of variation over all systems, in %; half of the systems are carried.
SPREAD = {"transformer": 8.6, "gnmt": 6.7, "resnet": 2.9, "ssd": 2.8, "mask": 0.9}


def rows(job):
    """All of this system."""
    yield from job.entry_rows("MLPerf Training", "v0.6", "mlperf_training", "v06_scores.csv",
                              source="published runs")
    lines = job.answers("mlperf_training", "v06_runs.csv")
    for benchmark, spread in SPREAD.items():
        ours = statistics.mean(line["cv"] for line in lines if line["benchmark"] == benchmark)
        yield Row("MLPerf Training", f"spread of {benchmark}, % (carried half)", spread,
                  "published runs, all", 100 * ours)
