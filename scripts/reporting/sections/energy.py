# SPDX-License-Identifier: Apache-2.0
"""Energy by what takes it, of dense, zero-gated and TensorDash tiles."""

from .. import inputs, machine
from ..markup import Column, Part, chart, section, table

PARTS = {"tiles": "tiles", "scratchpad": "scratchpads", "sram": "SRAM", "dram": "DRAM",
         "leakage": "leakage", "surroundings": "around tiles"}
# Hardware -> what its fields begin with.
HARDWARE = {"dense": "dense_", "zero-gated": "zero_gated_", "TensorDash": ""}
UJ = 1e-6
COLUMNS = (Column("snapshot"), Column("operation"), Column("hardware"),
           *(Column(text, "µJ", ",.2f", UJ) for text in PARTS.values()),
           Column("together", "µJ", ",.2f", UJ))


def part(sources):
    """A bar for each hardware, its parts beside each other."""
    runs = inputs.of(sources, "run")
    if not runs:
        return None
    rows, data = [], []
    for run in machine.of(runs):
        for snapshot, op, total in inputs.sums(run.document):
            keys = {"result": run.label, "snapshot": snapshot, "op": op}
            for name, prefix in HARDWARE.items():
                values = [total[f"{prefix}{one}_energy_pJ"] for one in PARTS]
                rows.append((keys | {"exact": "snapshot op"}, (snapshot or "all", op or "all", name,
                                                               *values, total[f"{prefix}energy_pJ"])))
                data += [keys | {"hardware": name, "part": text, "order": order, "uJ": value * UJ}
                         for order, (text, value) in enumerate(zip(PARTS.values(), values))]
    content = (chart("energy", "Energy in µJ by what takes it, all layers together.")
               + table("Energy of all layers", COLUMNS, rows, "energy-table"))
    return Part(section("energy", "What the energy is spent on", machine.shown(runs, content)),
                {"energy": data})
