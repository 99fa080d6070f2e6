# SPDX-License-Identifier: Apache-2.0
"""Roofline: effectual pairs per clock over effectual pairs per byte from DRAM, below what multipliers
and DRAM allow."""

from .. import inputs
from ..markup import Column, Part, chart, folded, section, table
from .speedup import keys

HARDWARE = {"dense": "dense_memory_cycles", "TensorDash": "memory_cycles"}
COLUMNS = (Column("snapshot"), Column("layer"), Column("operation"),
           Column("intensity", "MAC/byte", ",.2f"), Column("dense tiles", "MAC/clock", ",.1f"),
           Column("TensorDash", "MAC/clock", ",.1f"), Column("bound by"))


def roofs(run):
    """(multipliers, bytes that the DRAM brings in a clock)"""
    configuration, accelerator = run["configuration"], run["accelerator"]
    multipliers = (accelerator["tiles"] * configuration["rows"] * configuration["columns"]
                   * configuration["lanes"])
    bytes_s = (accelerator["dram.MT_per_s"] * accelerator["dram.channels"]
               * accelerator["dram.channel_bits"] / 8 * accelerator["dram.efficiency_percent"] / 100)
    return multipliers, bytes_s / run["technology"]["clock_MHz"]


def point(one):
    """(MACs per byte, {hardware: MACs per clock}), or None where nothing is read or multiplied."""
    moved = one["dram_read_bytes"] + one["dram_written_bytes"]
    if not moved or not one["useful_macs"] or not one["memory_cycles"]:
        return None
    return one["useful_macs"] / moved, {name: one["useful_macs"] / one[field]
                                        for name, field in HARDWARE.items()}


def bound(one):
    """What an operation waits for with TensorDash."""
    waits = {"tiles": one["cycles"], "transposers": one["transposer_cycles"],
             "DRAM": one["dram_cycles"]}
    return max(waits, key=waits.get)


def part(sources):
    """A point for each operation and hardware, joined by a line."""
    runs = inputs.of(sources, "run")
    if not runs:
        return None
    rows, data, lines = [], [], []
    for run in runs:
        peak, bandwidth = roofs(run.document)
        lines.append({"result": run.label, "peak": peak, "bandwidth": bandwidth})
        for one in run.document["operations"]:
            if (found := point(one)) is None:
                continue
            intensity, rates = found
            rows.append((keys(run, one), (one["snapshot"], one["layer"], one["op"], intensity,
                                          *rates.values(), bound(one))))
            data += [keys(run, one) | {"hardware": name, "intensity": intensity, "rate": rate}
                     for name, rate in rates.items()]
    drawn = chart("roofline", "Effectual MACs per clock over effectual MACs per byte of DRAM traffic "
                  "(zeros compressed). Lines: what the DRAM brings, and every multiplier in every "
                  "clock.")
    folded_table = folded("Table: what bounds each operation",
                          table("What bounds each operation", COLUMNS, rows, "roofline-table"))
    return Part(section("roofline", "What bounds each operation: multipliers or DRAM",
                        drawn + folded_table), {"roofline": data, "roofs": lines})
