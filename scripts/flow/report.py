# SPDX-License-Identifier: Apache-2.0
"""The whole report of a measurement: tables for a terminal, ppa.json, and what tdsim reads."""

import fractions
import json
import os

from toolbox import text_table, tools

from . import area, energy, measure, power

RESULTS = "results"

# arXiv:2009.00748 for its tile in 65 nm at 500 MHz, of each format; speed-up and efficiency are means
# over its networks' training.
PAPER = {
    "fp32": {"area": 1.09, "power": 1.02},
    "bf16": {"area": 1.13, "power": 1.05},
}
PAPER_SPEED_UP, PAPER_EFFICIENCY, PAPER_MHZ = 1.95, 1.89, 500
# Share of one tile's area that the paper counts as TensorDash, in %.
PAPER_SHARES = {"A multiplexers": 5.2, "schedulers and B multiplexers": 2.7, "transposers": 1.1}


def versions():
    """Program -> its version."""
    return {"yosys": tools.version("yosys"), "berkeley-abc": tools.abc_version(),
            "sta": f"OpenSTA {tools.version('sta', '-version')}",
            "iverilog": tools.version("iverilog"),
            "tdgate": tools.version(str(tools.TDGATE), "--version")}


def _operand_registers(tile):
    """µm² of the registers behind one side's operand multiplexers."""
    synthesis = tile.netlist.synthesis
    library = synthesis.cells.library.cells
    return sum(fractions.Fraction(str(library[cell].area)) * count
               for cell, count in synthesis.modules["interconnect"].cells.items()
               if library[cell].kind == "flip_flop")


def accounting(measurement):
    """The additions in the terms of the paper, which counts multiplexers and schedulers: µm² and % of
    the dense tile. The rest is everything else that the tile has and the dense one has not."""
    blocks, total = measurement.tile.area.blocks, measurement.dense.area.total
    parts = {"A multiplexers": 0, "schedulers and B multiplexers": 0}
    for (module, parent), block in blocks.items():
        if module == "interconnect":
            parts["A multiplexers" if parent == "tile" else "schedulers and B multiplexers"] += \
                block.total - block.instances * _operand_registers(measurement.tile)
        elif module == "scheduler":
            parts["schedulers and B multiplexers"] += block.total
    more = measurement.tile.area.total - total
    parts["as the paper counts"] = sum(parts.values())
    parts["staging, operand registers, control"] = more - parts["as the paper counts"]
    parts["all"] = more
    return {name: {"um2": float(part), "percent_of_dense": float(100 * part / total)}
            for name, part in parts.items()}


def _loop(timing, name):
    return f"{timing.loops[name].period:.2f}" if name in timing.loops else "-"


def _main_row(name, tile, dense):
    ratios = energy.compare(tile.energies, dense.energies)[energy.ALL]
    mean = tile.energies[energy.ALL]["power_uW"]
    row = [name, f"{float(tile.area.total):,.0f}", f"{float(tile.area.total / dense.area.total):.3f}",
           f"{tile.timing.clock_ns:g}", f"{tile.timing.setup_slack:.2f}",
           _loop(tile.timing, "accumulation"), _loop(tile.timing, "scheduler")]
    for column in energy.COLUMNS:
        row += [f"{mean[column] / 1000:.1f}", f"{ratios['power_ratio'][column]:.3f}"]
    return (row + [f"{ratios['data_speed_up']:.2f}", f"{ratios['speed_up']:.2f}"]
            + [f"{ratios['efficiency'][column]:.2f}" for column in energy.COLUMNS])


def _main_table(measurement):
    rows = [["configuration", "area", "over", "clock", "worst", "accumu-", "schedu-", "power", "over",
             "with", "over", "speed-up", "", "effi-", "with"],
            ["", "um2", "dense", "ns", "slack", "lation", "ler", "mW", "dense", "glitches", "dense",
             "data", "total", "ciency", "glitches"]]
    names = {measure.TILE: measurement.tile.design.name,
             measure.OFF: f"{measurement.tile.design.name}, sparse path off",
             measure.DENSE: measurement.dense.design.name}
    if measure.ZERO_GATED in measurement.tiles:
        names[measure.ZERO_GATED] = measurement.tiles[measure.ZERO_GATED].design.name
    for name, tile in reversed(measurement.tiles.items()):
        rows.append(_main_row(names[name], tile, measurement.dense))
    paper = PAPER.get(measurement.tile.design.parameters["tile"]["numerics"]["format"])
    if paper and measurement.dense is not measurement.tile:
        rows.append(["paper, 65 nm", "-", f"{paper['area']:.2f}", f"{1000 / PAPER_MHZ:g}", "-", "-",
                     "-", "-", f"{paper['power']:.2f}", "-", f"{paper['power']:.2f}",
                     "-", f"{PAPER_SPEED_UP:.2f}", f"{PAPER_EFFICIENCY:.2f}", f"{PAPER_EFFICIENCY:.2f}"])
    return text_table.lines(rows)


def _over_zero_gated(measurement):
    """The tile beside the zero-gated dense one, in a line."""
    tile, other = measurement.tile, measurement.tiles[measure.ZERO_GATED]
    ratios = _zero_gated_ratios(measurement)[energy.ALL]
    power, glitches = (ratios["power_ratio"][column] for column in energy.COLUMNS)
    gain, with_glitches = (ratios["efficiency"][column] for column in energy.COLUMNS)
    return (f"{tile.design.name} over {other.design.name}: area "
            f"{float(tile.area.total / other.area.total):.3f}, power {power:.3f}, with glitches "
            f"{glitches:.3f}; efficiency {gain:.2f}, with glitches {with_glitches:.2f}")


def _op_table(measurement):
    rows = [["operation", "data speed-up", "total", "pJ/useful MAC", "of dense", "power ratio", "efficiency",
             "with glitches:", "pJ/useful MAC", "of dense", "power ratio", "efficiency"]]
    ratios = energy.compare(measurement.tile.energies, measurement.dense.energies)
    for name, one in ratios.items():
        row = [name, f"{one['data_speed_up']:.2f}", f"{one['speed_up']:.2f}"]
        for column in energy.COLUMNS:
            row += [""] if column != energy.COLUMNS[0] else []
            row += [f"{one['pJ_per_useful_mac'][column]:.1f}",
                    f"{one['dense_pJ_per_useful_mac'][column]:.1f}",
                    f"{one['power_ratio'][column]:.3f}", f"{one['efficiency'][column]:.2f}"]
        rows.append(row)
    return text_table.lines(rows)


def _block_table(measurement):
    """Mean power of each block while the tile works."""
    tile, dense = (one.energies[energy.ALL]["blocks_uW"]
                   for one in (measurement.tile, measurement.dense))
    rows = [["block", "uW", "dense", "with glitches", "dense", "ratio", "dense"]]
    names = sorted({*tile["zero_delay"], *dense["zero_delay"]},
                   key=lambda name: -max(tile["zero_delay"].get(name, 0),
                                         dense["zero_delay"].get(name, 0)))
    for name in names:
        row = [name]
        for column in energy.COLUMNS:
            for one in (tile, dense):
                row.append(f"{one[column][name]:,.0f}" if name in one[column] else "-")
        for one in (tile, dense):
            row.append(f"{one['with_glitches'][name] / one['zero_delay'][name]:.2f}"
                       if one["zero_delay"].get(name) else "-")
        rows.append(row)
    return text_table.lines(rows)


def _accounting_lines(measurement):
    rows = [["additions to the dense tile", "um2", "% of dense", "paper"]]
    for name, part in accounting(measurement).items():
        shown = PAPER_SHARES.get(name)
        shown = 7.9 if name == "as the paper counts" else shown
        rows.append([name, f"{part['um2']:,.0f}", f"{part['percent_of_dense']:.2f}",
                     f"{shown:.1f}" if shown else "-"])
    return text_table.lines(rows)


_NOTES = """\
Power is of the tile while it works, on the operands of the trace: switching by counted toggles, internal
and leakage by liberty's tables, wire by fan-out, the clock tree estimated. "With glitches": the
power of a block's cells times the factor that Icarus with OpenSTA's delays gives for such blocks, each alone;
blocks without one have the factor 1. Registers behind idle lanes rest: that is in the counts.
Efficiency is the dense tile's energy over the tile's for the same passes, whose outputs all equal
the reference model's. "Sparse path off": the same tile told to drop nothing, with the
glitch factors of the tile that drops; its lanes, too, rest beside zeros, as those of the zero-gated dense
tile.
The paper counts multiplexers, schedulers and transposers: neither staging buffers nor
operand registers; our tile has no transposers, which stand in front of it."""


def lines(measurement):
    """Lines for a terminal, behind the table of areas."""
    cells, tile = measurement.cells, measurement.tile
    programs = versions()
    result = ["", f"{tile.design.name} ({tile.design.hash}), pre-layout: {cells.library.name}, "
              f"{cells.library.corner}, {measurement.clock_ns:g} ns; operands "
              f"{_shown(measurement.trace)}",
              "; ".join(programs[name] for name in ("yosys", "berkeley-abc", "sta", "iverilog", "tdgate")),
              *_main_table(measurement)]
    if measure.ZERO_GATED in measurement.tiles:
        result.append(_over_zero_gated(measurement))
    result.append("")
    for name, loop in tile.timing.loops.items():
        result.append(f"{name} loop: {loop.text()}")
    result += ["", *_block_table(measurement)]
    if measurement.dense is not tile:
        result += ["", *_op_table(measurement), "", *_accounting_lines(measurement)]
    return result + ["", _NOTES]


def _shown(path):
    return path.relative_to(tools.ROOT) if path.is_relative_to(tools.ROOT) else path


def _tile_dict(tile, cells):
    netlist = {"json": tile.netlist.json.name, "verilog": tile.netlist.verilog.name}
    return {"name": tile.design.name, "configuration": tile.design.hash,
            "area": area.as_dict(tile.area, cells), "timing": tile.timing.json(), "netlist": netlist,
            "glitches": {name: block.as_dict() for name, block in tile.glitches.items()},
            "power": tile.power.result["ops"], "energy": tile.energies}


def document(measurement):
    """Everything, for ppa.json."""
    cells, tile = measurement.cells, measurement.tile
    result = {
        "format": "tensordash-ppa-3", "name": tile.design.name, "configuration": tile.design.hash,
        "parameters": tile.design.parameters, "stage": "pre-layout",
        "clock_ns": measurement.clock_ns, "library": cells.library.name,
        "library_hash": cells.library.digest, "corner": cells.library.corner,
        "node_nm": cells.node_nm, "trace": measurement.trace.name,
        "trace_hash": tools.file_digest(measurement.trace), "passes": power.PASSES,
        "versions": versions(),
        "tiles": {name: _tile_dict(one, cells) for name, one in measurement.tiles.items()},
        "ratios": {name: energy.compare(one.energies, measurement.dense.energies)
                   for name, one in measurement.tiles.items()},
        "over_zero_gated": _zero_gated_ratios(measurement),
        "overhead": float(tile.area.total / measurement.dense.area.total),
        "additions": accounting(measurement),
        "paper": {"ratios": PAPER, "speed_up": PAPER_SPEED_UP, "efficiency": PAPER_EFFICIENCY,
                  "MHz": PAPER_MHZ, "area_shares_percent": PAPER_SHARES},
    }
    return result


def _zero_gated_ratios(measurement):
    other = measurement.tiles.get(measure.ZERO_GATED, measurement.tile)
    return energy.compare(measurement.tile.energies, other.energies)


def _link(source, path):
    """The same file under another name; a copy of it survives the cache."""
    temporary = path.with_name(f"{path.name}.{os.getpid()}.tmp")
    with tools.writing(path):
        temporary.unlink(missing_ok=True)
        os.link(source, temporary)
        temporary.replace(path)
        # Two names of one file stay as they are.
        temporary.unlink(missing_ok=True)


def write(measurement):
    """Writes the folder of results, one for each trace; returns it."""
    design = measurement.tile.design
    folder = tools.make_folder(tools.PPA / RESULTS / f"{design.name}-{design.hash}" /
                               measurement.trace.stem)
    for one in (tile for name, tile in measurement.tiles.items() if name != measure.OFF):
        for source in (one.netlist.json, one.netlist.verilog):
            _link(source, folder / f"{one.design.name}{source.suffix}")
        _link(one.timing.folder / f"{one.design.top}.sdc", folder / f"{one.design.name}.sdc")
    tools.write(folder / "ppa.json", json.dumps(document(measurement), indent=1) + "\n")
    return folder
