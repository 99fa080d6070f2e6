# SPDX-License-Identifier: Apache-2.0
"""Training on a Dime: jobs on instances at spot prices."""

from system.figures.row import Row

# Two digits of the authors' notebook: A3C, four days, us-east-1. The paper's headline is the last.
RECORDED = {"gpu_type": 1.32, "packed": 1.71, "multi_cloud": 3.10, "preemption": 3.53}


def rows(job):
    """All of this system."""
    (line,) = job.answers("spot", "expected_us-east-1.json")
    ours = line["job_days=4"]["cost_reduction"]["A3C"]
    for policy, recorded in RECORDED.items():
        yield Row("spot prices", f"cost reduction of {policy}, A3C for 4 days", recorded,
                  "authors' notebook", ours[policy], 0.005 / recorded)
    yield from job.entry_rows("spot prices", "us-east-1", "spot", "expected_us-east-1.json",
                              source="authors' program")
