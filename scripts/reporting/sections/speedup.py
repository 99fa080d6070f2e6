# SPDX-License-Identifier: Apache-2.0
"""Speed-up of each layer and operation beside the ideal, data's and filled-in parts apart."""

from .. import inputs
from ..markup import Column, Part, chart, folded, section, table

COLUMNS = (Column("snapshot"), Column("layer"), Column("operation"), Column("side B"),
           Column("zeros", "% of side B", ".1f", 100), Column("dense", "cycles", ",d"),
           Column("cycles", "cycles", ",d"), Column("data", "×", ".2f"),
           Column("filled-in", "×", ".2f"), Column("total", "×", ".2f"),
           Column("ideal", "×", ".2f"), Column("used", "% of multipliers", ".1f", 100))


def keys(source, operation):
    """What an operation's rows are found by."""
    return {"result": source.label, "snapshot": operation["snapshot"],
            "layer": operation["layer"], "op": operation["op"]}


def ideal(operation):
    """Speed-up if every multiplier always had an effectual pair; None without such pairs."""
    cycles = operation["ideal_cycles"]
    return operation["dense_cycles"] / cycles if cycles else None


def _values(one):
    return (one["snapshot"], one["layer"], one["op"], one["side_b_tensor"],
            one["side_b_tensor_zeros_ratio"], one["dense_cycles"], one["cycles"],
            one["data_speedup_ratio"], one["filled_in_speedup_ratio"], one["total_speedup_ratio"],
            ideal(one), one["utilisation_ratio"])


def _row(source, one):
    return keys(source, one) | {
        "data": one["data_speedup_ratio"], "filled": one["filled_in_speedup_ratio"],
        "total": one["total_speedup_ratio"], "ideal": ideal(one),
        "depth": source.document["configuration"]["depth_rows"]}


def part(sources):
    """Bars on a logarithmic axis, on which the two factors add."""
    runs = inputs.of(sources, "run")
    if not runs:
        return None
    listed = [(run, one) for run in runs for one in run.document["operations"]]
    rows = [(keys(run, one), _values(one)) for run, one in listed]
    drawn = chart("speedup", "Speed-up of each layer: filled-in part, then data’s part; the tick is "
                  "the ideal, the dashed line the staging depth, which no speed-up exceeds. "
                  "The axis is logarithmic, so that the factors’ lengths add.")
    content = drawn + folded("Table: speed-up of each operation",
                             table("Speed-up of each operation", COLUMNS, rows, "operations"))
    return Part(section("speedup", "How much faster each layer and operation is", content),
                {"operations": [_row(run, one) for run, one in listed]})
