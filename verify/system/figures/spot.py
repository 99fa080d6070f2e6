# SPDX-License-Identifier: Apache-2.0
"""Training on a Dime: jobs on instances at spot prices."""

import json

from system.figures.row import Row

HALF_A_DIGIT = 0.005  # of the notebook's two


def rows(job):
    """All of this system."""
    with open(job.reference / "spot" / "recorded_cost_reduction.json", encoding="utf-8") as file:
        recorded = json.load(file)
    (line,) = job.answers("spot", "expected_us-east-1.json")
    for case, policies in recorded["recorded_cost_reduction"].items():
        days = case.split("/")[1]
        ours = line[f"job_days={days}"]["cost_reduction"]
        for policy, values in policies.items():
            for model, theirs in zip(recorded["models"], values):
                # The paper's headline is the first model's for four days with preemption.
                if model == recorded["models"][0]:
                    yield Row("spot prices", f"cost reduction of {policy}, {model}, {days} days",
                              theirs, "authors' notebook", ours[model][policy],
                              HALF_A_DIGIT / theirs)
            right = sum(abs(ours[model][policy] - theirs) <= HALF_A_DIGIT
                        for model, theirs in zip(recorded["models"], values))
            yield Row("spot prices", f"models with the recorded reduction: {policy}, {days} days",
                      float(len(values)), "authors' notebook", float(right), 0.0)
    yield from job.entry_rows("spot prices", "us-east-1", "spot", "expected_us-east-1.json",
                              source="authors' program")
