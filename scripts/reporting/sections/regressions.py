# SPDX-License-Identifier: Apache-2.0
"""What the runs of a regression came to."""

import collections

from toolbox.errors import UserError

from .. import inputs
from ..markup import Column, Part, escape, section, table

STATES = ("passed", "failed", "error", "not run")
COLUMNS = (Column("configuration"), Column("runs", "", ",d"),
           *(Column(state, "runs", ",d") for state in STATES), Column("passes", "", ",d"))
FAILED = (Column("configuration"), Column("run"), Column("status"), Column("message"))


def _one(source):
    counts = collections.defaultdict(collections.Counter)
    for run in source.document:
        if run["status"] not in STATES:
            raise UserError(source.path, "status", run["status"], ", ".join(STATES))
        for name in (run["configuration"], "total"):
            counts[name][run["status"]] += 1
            counts[name]["passes"] += run["passes"]
    order = [*(name for name in counts if name != "total"), "total"]
    rows = [({}, (name, sum(counts[name][state] for state in STATES),
                  *(counts[name][state] for state in STATES), counts[name]["passes"]))
            for name in order]
    html = f"<h3>{escape(source.label)}</h3>" + table(f"Runs of {source.label}", COLUMNS, rows)
    bad = [({}, (run["configuration"], run["run"], run["status"], run.get("message", "")))
           for run in source.document if run["status"] != "passed"]
    return html + (table("Runs that did not pass", FAILED, bad) if bad else "")


def part(sources):
    """A table for each regression."""
    found = inputs.of(sources, "regress")
    if not found:
        return None
    return Part(section("regressions", "Which runs of the regression passed",
                        "\n".join(map(_one, found))))
