# SPDX-License-Identifier: Apache-2.0
"""Energy by what takes it, of dense, zero-gated and TensorDash tiles."""

from .. import inputs
from ..markup import Column, Part, chart, section, table

PARTS = {"compute": "compute", "scratchpad": "scratchpads", "sram": "SRAM",
         "transposer": "transposers", "dram": "DRAM", "leakage": "leakage"}
# Hardware -> field of its compute energy, and prefix of its memories' (zero-gated: the dense ones').
HARDWARE = {"dense": ("dense_compute_energy_pJ", "dense_", "dense_energy_pJ"),
            "zero-gated": ("zero_gated_compute_energy_pJ", "dense_", "zero_gated_energy_pJ"),
            "TensorDash": ("compute_energy_pJ", "", "energy_pJ")}
UJ = 1e-6
COLUMNS = (Column("snapshot"), Column("operation"), Column("tiles"),
           *(Column(text, "µJ", ",.2f", UJ) for text in PARTS.values()),
           Column("together", "µJ", ",.2f", UJ))


def _parts(total, hardware):
    compute, prefix, _ = HARDWARE[hardware]
    return [total[compute] if name == "compute" else total[f"{prefix}{name}_energy_pJ"]
            for name in PARTS]


def part(sources):
    """A bar for each hardware, its parts beside each other."""
    runs = inputs.of(sources, "run")
    if not runs:
        return None
    rows, data = [], []
    for run in runs:
        for snapshot, op, total in inputs.sums(run.document):
            keys = {"result": run.label, "snapshot": snapshot, "op": op}
            for name, (_, _, together) in HARDWARE.items():
                values = _parts(total, name)
                rows.append((keys | {"exact": "snapshot op"}, (snapshot or "all", op or "all", name,
                                                               *values, total[together])))
                data += [keys | {"hardware": name, "part": text, "order": order, "uJ": value * UJ}
                         for order, (text, value) in enumerate(zip(PARTS.values(), values))]
    drawn = chart("energy", "Energy in µJ by what takes it, all layers together.")
    return Part(section("energy", "What the energy is spent on",
                        drawn + table("Energy of all layers", COLUMNS, rows, "energy-table")),
                {"energy": data})
