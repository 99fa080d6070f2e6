# SPDX-License-Identifier: Apache-2.0
"""Clocks from memory to memory, beside the least that they can be."""

from .. import inputs, machine
from ..markup import Column, Part, chart, folded, section, table
from .speedup import keys

# Hardware -> what its fields begin with.
HARDWARE = {"dense": "dense_", "TensorDash": ""}
FIELDS = {"memory_cycles": Column("clocks", "", ",d"), "speed_up": Column("speed-up", "×", ".2f"),
          "bound_cycles": Column("bound", "clocks", ",d"),
          "over_bound_ratio": Column("over bound", "×", ".2f"),
          "slowest_tile_steps": Column("slowest tile", "steps", ",d"),
          "bus_read_cycles": Column("bus reads", "clocks", ",d"),
          "bus_written_cycles": Column("bus writes", "clocks", ",d")}
NAMED = (Column("snapshot"), Column("layer"), Column("operation"), Column("hardware"))


def _values(one, prefix):
    """Of one kind of hardware, in the order of FIELDS."""
    clocks = one[f"{prefix}memory_cycles"]
    own = {"speed_up": one["dense_memory_cycles"] / clocks if clocks else None}
    return [own[name] if name in own else one[prefix + name] for name in FIELDS]


def parts(one, prefix):
    """Part of an operation's clocks -> how many; the first says what bounds them."""
    bound = one[f"{prefix}bound_cycles"]
    by = "tiles" if bound == one[f"{prefix}slowest_tile_steps"] else "bus"
    return {f"bound: {by}": bound, "beyond the bound": one[f"{prefix}memory_cycles"] - bound}


def _sums(run):
    """Rows over all layers."""
    for snapshot, op, total in inputs.sums(run.document):
        row = {"result": run.label, "snapshot": snapshot, "op": op, "exact": "snapshot op"}
        for name, prefix in HARDWARE.items():
            yield row, (snapshot or "all", op or "all", name, *_values(total, prefix))


def _each(run):
    for one in run.document["operations"]:
        for name, prefix in HARDWARE.items():
            yield keys(run, one), (one["snapshot"], one["layer"], one["op"], name,
                                   *_values(one, prefix))


def _data(run):
    for one in run.document["operations"]:
        for name, prefix in HARDWARE.items():
            for order, (part_of, clocks) in enumerate(parts(one, prefix).items()):
                yield keys(run, one) | {"hardware": name, "part": part_of, "order": order,
                                        "clocks": clocks}


def part(sources):
    """Two bars for each operation, each with its own bound."""
    runs = inputs.of(sources, "run")
    if not runs:
        return None
    found = machine.of(runs)
    columns = tuple(FIELDS.values())
    content = (chart("memory", "Clocks of each operation from memory to memory; of each layer the upper "
                     "bar is dense, the lower one TensorDash. Bound: steps of the slowest tile, or "
                     "what the bus brings or takes away once, whichever is most.")
               + table("Clocks of all layers", (NAMED[0], *NAMED[2:], *columns),
                       [row for run in found for row in _sums(run)], "memory-total")
               + folded("Table: clocks of each operation",
                        table("Clocks of each operation", (*NAMED, *columns),
                              [row for run in found for row in _each(run)], "memory-all")))
    return Part(section("memory", "How long each operation takes from memory to memory",
                        machine.shown(runs, content)),
                {"memory": [row for run in found for row in _data(run)]})
