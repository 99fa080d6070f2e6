# SPDX-License-Identifier: Apache-2.0
"""Gavel (arXiv:2008.09213): allocations of a cluster with several types of accelerators, and the
completion times of the jobs that share it."""

import json

from documents.figures import OUTPUTS, Output

from system import compare
from system.figures.row import Row

# The whole table takes minutes: its lines are stored, and compared with tdjob's every night.
STORED = OUTPUTS / "nightly" / "gavel_completion_times.txt"
RECORDED = "recorded_jct_continuous_jobs.csv"
NEAR = 0.1  # what the data's notes claim of a recorded time
APART = 0.05  # policies whose recorded times differ by less have no order
SAME = 0.005  # on one trace: the share of busy ones is printed in tenths
HOUR = 3600
KNEE = 1.5  # times the completion time at the lowest load


def _table(rows):
    """{(policy, jobs an hour): hours} of the rows that have any."""
    return {(row["policy"], row["input_jobs_per_hour"]): row["average_jct_hours"] for row in rows
            if row["figure_in_notebook"] <= 2 and row["average_jct_hours"] is not None}


def _knee(hours, policy):
    """The first recorded load at which jobs take so much longer."""
    loads = sorted(load for name, load in hours if name == policy)
    return next(load for load in loads
                if hours[policy, load] > KNEE * hours[policy, loads[0]])


def _ordered_pairs(theirs, ours):
    """How many pairs of policies have an order at a load, and of how many ours is the same."""
    pairs = [(one, other) for one in theirs for other in theirs
             if one[1] == other[1] and theirs[one] > theirs[other] * (1 + APART)]
    return len(pairs), sum(ours[one] > ours[other] for one, other in pairs)


def _completion_times(job):
    ours = _table(map(json.loads, Output(STORED).lines))
    theirs = {point: hours for point, hours in
              _table(compare.load(job.reference / "gavel" / RECORDED)).items() if point in ours}
    near = sum(abs(ours[point] / theirs[point] - 1) <= NEAR for point in theirs)
    yield Row("Gavel", f"completion times over the load that differ by less than {NEAR:.0%}",
              float(len(theirs)), "recorded, mean of three traces", float(near), NEAR)
    pairs, same = _ordered_pairs(theirs, ours)
    yield Row("Gavel", "pairs of policies at a load of which the same one is slower", float(pairs),
              "recorded", float(same), 0.0)
    for policy in sorted({name for name, _ in theirs}):
        yield Row("Gavel", f"knee of {policy}, jobs an hour", _knee(theirs, policy), "recorded",
                  _knee(ours, policy), 0.0)
    slow, fast = ("max_min_fairness", 5.2), ("max_min_fairness_perf", 5.2)
    yield Row("Gavel", "gain in completion time over fairness that sees no types, 5.2 jobs an hour",
              theirs[slow] / theirs[fast], "recorded", ours[slow] / ours[fast], NEAR)
    yield Row("Gavel", "gain in completion time, up to", 3.5, "paper", ours[slow] / ours[fast])
    yield Row("Gavel", "load sustained over fairness that sees no types, up to", 1.4, "paper",
              _knee(ours, fast[0]) / _knee(ours, slow[0]))
    plan = job.plan("cluster_rounds.toml")
    slow, fast = (plan[f"{name} average_completion_hours"]["3.6/h"]
                  for name in ("max_min_fairness", "max_min_fairness_perf"))
    yield Row("Gavel", "gain in completion time, 3.6 jobs an hour, a shorter trace",
              theirs["max_min_fairness", 3.6] / theirs["max_min_fairness_perf", 3.6], "recorded",
              slow / fast, NEAR)


def _same_traces(job):
    """Runs that the authors' instructions print, one trace each, at a load at which every policy gives a
    job the fastest type: their jobs and arrivals are ours."""
    for run in compare.load(job.reference / "gavel" / "recorded_artifact_log.csv"):
        load, seed = run["input_jobs_per_hour"], run["seed"]
        plan = job.plan("cluster_rounds.toml", plan_jobs_per_hour=load, plan_seeds=f"[{seed}]",
                        plan_jobs="[4000,5000]", plan_policies='["max_min_fairness_perf"]')
        hours, busy = (plan[f"max_min_fairness_perf {name}"][f"{load}/h"]
                       for name in ("average_completion_hours", "busy_percent"))
        yield Row("Gavel", f"completion time at {load} jobs an hour, seed {seed}, h",
                  run["average_jct_s"] / HOUR, "recorded, one trace", hours, SAME)
        yield Row("Gavel", f"accelerators busy, seed {seed}, %", 100 * run["utilization"],
                  "recorded, one trace", busy, SAME)


def rows(job):
    """All of this system."""
    yield from job.entry_rows("Gavel", "six clusters", "gavel", "lp_cases.json",
                              source="authors' policies")
    yield from _completion_times(job)
    yield from _same_traces(job)
    yield Row("Gavel", "makespan of 100 jobs at once, h", 161.16, "recorded",
              missing="the traces: the longest of the generator's first 100 jobs takes 156 h for the seed")
    yield Row("Gavel", "completion time with two jobs on an accelerator, 5.2 jobs an hour", None, "recorded",
              missing="programs over all pairs of jobs, of which there are tens of thousands")
