# SPDX-License-Identifier: Apache-2.0
"""Runs side by side: the totals of each."""

from .. import coverage, inputs
from ..markup import Column, Part, chart, section, table

FIELDS = (("dense_cycles", Column("dense", "cycles", ",d")),
          ("cycles", Column("cycles", "cycles", ",d")),
          ("data_speedup_ratio", Column("data", "×", ".3f")),
          ("filled_in_speedup_ratio", Column("filled-in", "×", ".3f")),
          ("total_speedup_ratio", Column("total", "×", ".3f")),
          # From memory to memory; none of compute alone.
          ("memory_cycles", Column("with memory", "clocks", ",d")),
          ("total_memory_speedup_ratio", Column("total", "× with memory", ".3f")),
          ("energy_pJ", Column("energy", "µJ", ",.2f", 1e-6)),
          ("total_system_efficiency_ratio", Column("efficiency", "× with memory", ".3f")))


def part(sources):
    """Bars as those of the layers."""
    runs = inputs.of(sources, "run")
    if len(runs) < 2:
        return None
    columns = (Column("result"), Column("snapshot"), Column("holds", "of the step"),
               *(column for _, column in FIELDS))
    rows = [({}, (run.label, snapshot or "all", coverage.least(run.document, snapshot),
                  *(total[name] for name, _ in FIELDS)))
            for run in runs for snapshot, total in inputs.moments(run.document)]
    data = [{"label": run.label, "snapshot": snapshot, "whole": place == 0,
             "data": total["data_speedup_ratio"], "filled": total["filled_in_speedup_ratio"],
             "total": total["total_speedup_ratio"]}
            for run in runs for place, (snapshot, total) in enumerate(inputs.moments(run.document))]
    drawn = chart("comparison", "Speed-up of each result over dense tiles with its operands: "
                  "filled-in part, then data’s part, on a logarithmic axis. Of the snapshot chosen "
                  "above; of all where a result has none of that name.")
    return Part(section("comparison", "The results side by side",
                        drawn + table("Totals of each result", columns, rows, "comparison-table")),
                {"comparison": data})
