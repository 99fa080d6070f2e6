# SPDX-License-Identifier: Apache-2.0
"""Where the multipliers' cycles went: every multiplier in every cycle is in exactly one part."""

from .. import inputs
from ..markup import Column, Part, chart, folded, section, table
from .speedup import keys

# As sim/results names them, in its order.
PARTS = {"effectual": "effectual", "ineffectual": "ineffectual pairs", "array_edge": "array edge",
         "channel_padding": "channel padding", "lane_conflicts": "lane conflicts",
         "stream_tail": "stream tails", "row_imbalance": "row imbalance",
         "depth_limit": "depth limit", "tile_imbalance": "tile imbalance"}
COLUMNS = (Column("snapshot"), Column("layer"), Column("operation"),
           *(Column(text, "%", ".1f", 100) for text in PARTS.values()))


def shares(one):
    """Part -> its share of all multiplier-cycles, 0…1; None where there are none."""
    counts = {name: one[f"{name}_multiplier_cycles"] for name in PARTS}
    total = sum(counts.values())
    return {name: count / total if total else None for name, count in counts.items()}


def _rows(run, one):
    return [keys(run, one) | {"part": PARTS[name], "order": order, "share": share}
            for order, (name, share) in enumerate(shares(one).items()) if share]


def _totals(run):
    return [({"result": run.label, "snapshot": snapshot, "op": op, "exact": "snapshot"},
             (snapshot or "all", op or "all", *shares(total).values()))
            for snapshot, op, total in inputs.sums(run.document)]


def part(sources):
    """A bar of 100 % for each operation."""
    runs = inputs.of(sources, "run")
    if not runs:
        return None
    listed = [(run, one) for run in runs for one in run.document["operations"]]
    drawn = chart("losses", "Share of the multipliers’ cycles, in %: effectual is what was not lost.")
    totals = table("Multipliers’ cycles of all layers", (COLUMNS[0], *COLUMNS[2:]),
                   [row for run in runs for row in _totals(run)], "losses-total")
    every = table("Multipliers’ cycles of each operation", COLUMNS,
                  [(keys(run, one), (one["snapshot"], one["layer"], one["op"],
                                     *shares(one).values())) for run, one in listed], "losses-all")
    content = drawn + totals + folded("Table: each operation", every)
    return Part(section("losses", "Where the lost cycles went", content),
                {"losses": [row for run, one in listed for row in _rows(run, one)]})
