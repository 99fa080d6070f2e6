# SPDX-License-Identifier: Apache-2.0
"""MLPerf Inference (arXiv:1911.02549): queries, samples, early stopping."""

from system.figures.row import Row

# Queries that a percentile needs when one of them is over the bound, at 99 % confidence.
FEWEST = {0.9: 64, 0.99: 662, 0.999: 6636}


def rows(job):
    """All of this system."""
    for percentile, queries in FEWEST.items():
        (line,) = job.ask("loadgen", "early_stopping.csv", [
            {"percentile": percentile, "confidence": 0.99, "overlatency_t": 1}])
        yield Row("MLPerf Inference", f"queries for {100 * percentile:g} %, one over the bound",
                  queries, "rules", line["total"], 0.0)
    yield from job.entry_rows("MLPerf Inference", "load", "loadgen", "schedules.jsonl",
                              source="generator's output")
    yield from job.entry_rows("MLPerf Inference", "early stopping", "loadgen", "early_stopping.csv",
                              source="generator's output")
