# SPDX-License-Identifier: Apache-2.0
"""Zeros and speed-up from snapshot to snapshot of training."""

from .. import inputs
from ..markup import Column, Part, chart, folded, section, table

# Tensor -> operation and operand in which it is counted.
TENSORS = {"activations": ("fwd", "first"), "weights": ("fwd", "second"),
           "output gradients": ("wgrad", "second")}
RATIOS = {"data": "data_speedup_ratio", "total": "total_speedup_ratio"}
COLUMNS = (Column("layer"), Column("snapshot"),
           *(Column(name, "% zeros", ".1f", 100) for name in TENSORS),
           *(Column(name, "× speed-up", ".2f") for name in RATIOS))


def _zeros(operations, tensor):
    """Share of zeros in a tensor of these operations, all counted together; None: in none."""
    op, operand = TENSORS[tensor]
    chosen = [one for one in operations if one["op"] == op]
    elements = sum(one[f"{operand}_tensor_elements"] for one in chosen)
    return sum(one[f"{operand}_tensor_zeros"] for one in chosen) / elements if elements else None


def _moments(run):
    """(layer or "", snapshot, its operations, its totals), in the order of training."""
    document = run.document
    for total in document["totals"]["by_snapshot"]:
        yield "", total["snapshot"], [one for one in document["operations"]
                                      if one["snapshot"] == total["snapshot"]], total
    for total in document["totals"]["by_layer"]:
        place = (total["snapshot"], total["layer"])
        yield total["layer"], total["snapshot"], [
            one for one in document["operations"] if (one["snapshot"], one["layer"]) == place], total


def _series(run, layer, snapshot, operations, total):
    keys = {"result": run.label, "layer": layer, "snapshot": snapshot}
    for name in TENSORS:
        yield keys | {"panel": "zeros", "series": name, "value": _zeros(operations, name)}
    for name, field in RATIOS.items():
        yield keys | {"panel": "speedup", "series": name, "value": total[field]}


def part(sources):
    """Two panels over the snapshots: shares of zeros, and speed-ups."""
    runs = inputs.of(sources, "run")
    if all(len(run.document["totals"]["by_snapshot"]) < 2 for run in runs):
        return None
    listed = [(run, *moment) for run in runs for moment in _moments(run)]
    rows = [({"result": run.label, "layer": layer},
             (layer or "all", snapshot, *(_zeros(operations, name) for name in TENSORS),
              *(total[field] for field in RATIOS.values())))
            for run, layer, snapshot, operations, total in listed]
    drawn = chart("training", "Zeros of each tensor, in %, and speed-up over dense tiles. Of all layers, or the layer chosen above.")
    content = drawn + folded("Table: zeros and speed-up of each snapshot",
                             table("Zeros and speed-up over training", COLUMNS, rows, "moments"))
    return Part(section("training", "How zeros and speed-up change over training", content),
                {"training": [row for one in listed for row in _series(*one)]})
