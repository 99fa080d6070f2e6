#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""What a testbench must know of a design when it is built, from the manifest.

usage: bench_config.py MANIFEST FOLDER [SIZE=VALUE]…
Writes tile_config.hpp (for C++), watched.vlt (what Verilator shall keep), design.cmake, and view.*
(what GTKWave shows of a wave)."""

import pathlib
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "scripts"))

from toolbox import tools  # noqa: E402
from toolbox.manifest import Manifest  # noqa: E402
import wave_view  # noqa: E402

# Macro -> probe of which a design has one.
SINGLE = {"TD_STEP": "step", "TD_FINAL_STEP": "final_step", "TD_OPEN": "open",
          "TD_ENABLE": "enable", "TD_A_PRESENT": "a_present", "TD_B_PRESENT": "b_present",
          "TD_BUFFER_VALID": "output_valid", "TD_BUFFER_READY": "output_ready"}
SPARSE = {"TD_MODE": "dense", "TD_ELIGIBLE": "eligible", "TD_ADVANCE": "advance"}
# Macro -> port whose bits it is.
WIDTHS = {"TD_COUNT_BITS": "a_valid_i", "TD_A_BITS": "a_rows_i", "TD_B_BITS": "b_rows_i",
          "TD_DEPTH": "b_last_i", "TD_OUTPUT_BITS": "out_data_o", "TD_OUTPUTS": "out_nonfinite_o",
          "TD_COUNTER_BITS": "cycles_o"}

HEADER = """\
// SPDX-License-Identifier: Apache-2.0
// What the testbench must know of a design at compile time, from its manifest.
#pragma once

#define TD_CONFIG_FILE "{file}"
#define TD_CONFIG_HASH "{hash}"

/// Folder of what GTKWave shows of a wave.
#define TD_VIEW "{view}"

/// {{parameter, size, value}} of each size that is not the configuration's.
#define TD_SIZES {sizes}

/// Widths of the tile's ports, in bits.
{widths}
{fp8}

/// Signals inside the tile that only a testbench looks at.
{single}

/// Not in a dense tile, of which TD_DENSE_TILE tells.
{sparse}

/// X(signal) for the operand of each lane: side A by tile row, column and lane; side B by tile row
/// and lane. Nothing for a dense tile.
#define TD_A_OPERANDS(X) {a_operands}
#define TD_B_OPERANDS(X) {b_operands}

/// X(signal) for the choices of the lanes and for the rows that could leave, by tile row. Nothing for
/// a dense tile; no rows for one of depth 1.
#define TD_SELECTS(X) {selects}
#define TD_CLEARS(X) {clears}
"""


def in_cpp(manifest, path):
    """A signal's name in the C++ that Verilator writes."""
    for text, name in ((".", "__DOT__"), ("[", "__BRA__"), ("]", "__KET__")):
        path = path.replace(text, name)
    return f"{manifest.top}__DOT__{path}"


def defined(manifest, names):
    """A #define for each."""
    return "\n".join(f"#define {macro} {in_cpp(manifest, manifest.probe(probe))}"
                     for macro, probe in names.items())


def each(manifest, probe, *places):
    """X(signal) for each of some places."""
    signals = (in_cpp(manifest, manifest.probe(probe, **place)) for place in places)
    return "".join(f" \\\n  X({signal})" for signal in signals)


def lists(manifest):
    """Signals of which a design has many; empty texts for a dense one."""
    if manifest.is_dense:
        return dict.fromkeys(("a_operands", "b_operands", "selects", "clears"), "")
    rows, columns, lanes = (range(manifest.parameter(f"tile.{size}"))
                            for size in ("rows", "columns", "lanes"))
    ahead = manifest.parameter("tile.interconnect.depth") > 1
    of_row = [{"row": row} for row in rows]
    return {
        "a_operands": each(manifest, "a_operand",
                           *({"row": row, "column": column, "lane": lane}
                             for row in rows for column in columns for lane in lanes)),
        "b_operands": each(manifest, "b_operand",
                           *({"row": row, "lane": lane} for row in rows for lane in lanes)),
        "selects": each(manifest, "select", *of_row),
        "clears": each(manifest, "clear", *(of_row if ahead else ()))}


def header(manifest, file, view):
    """Text of tile_config.hpp."""
    sizes = manifest.json["sizes"]
    given = ", ".join(f'{{"{sizes[name]["parameter"]}", "{name}", {value}}}'
                      for name, value in manifest.given.items())
    widths = "\n".join(f"#define {macro} {manifest.ports[port][1]}"
                       for macro, port in WIDTHS.items())
    sparse = "#define TD_DENSE_TILE" if manifest.is_dense else defined(manifest, SPARSE)
    fp8 = "\n".join(f"#define {macro}" if port in manifest.ports else f"/// There is no {port}."
                    for macro, port in (("TD_FP8", "a_e5m2_i"), ("TD_FP8_RESULTS", "out_e5m2_i")))
    return HEADER.format(fp8=fp8, file=file, hash=manifest.hash, view=view, sizes=given, widths=widths,
                         single=defined(manifest, SINGLE), sparse=sparse, **lists(manifest))


def watched(manifest):
    """Text of watched.vlt: every probe that the header names, by module and variable."""
    wanted = [*SINGLE.values()]
    if not manifest.is_dense:
        wanted += [*SPARSE.values(), "a_operand", "b_operand", "select", "clear"]
    lines = set()
    for probe in wanted:
        instance, signal, _ = manifest.probes()[probe]
        variable = signal.rpartition(".")[2]
        lines.add(f'public_flat_rd -module "{manifest.module(instance)}" -var "{variable}"')
    return "\n".join(["`verilator_config", *sorted(lines)]) + "\n"


def cmake(manifest, folder):
    """Text of design.cmake."""
    value, operand = manifest.parameter, manifest.json["operand"]
    verilog = ";".join(str(folder / file) for file in manifest.verilog)
    assertions = ";".join(str(folder / file) for file in manifest.assertions)
    sizes = ";".join(f"-G{name}={size}" for name, size in manifest.given.items())
    return (f'set(TD_TOP "{manifest.top}")\nset(TD_VERILOG "{verilog}")\n'
            f'set(TD_ASSERTIONS "{assertions}")\n'
            f'set(TD_SIZE_OPTIONS "{sizes}")\nset(TD_EXPONENT_BITS {operand["exponent_bits"]})\n'
            f'set(TD_FRACTION_BITS {operand["fraction_bits"]})\n'
            f'set(TD_MULTIPLIER_REGISTERS {value("tile.pipeline.multiplier")})\n'
            f'set(TD_ADDER_REGISTERS {value("tile.pipeline.adder")})\n')


def main():
    """Writes the files, those that would change only."""
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    sizes = dict(size.split("=", 1) for size in sys.argv[3:])
    manifest = Manifest(sys.argv[1], {name: int(value) for name, value in sizes.items()})
    design, folder = manifest.path.resolve().parent, pathlib.Path(sys.argv[2])
    config = design / f"{manifest.name}.toml"
    for name, text in {"tile_config.hpp": header(manifest, config, folder.resolve()),
                       "watched.vlt": watched(manifest),
                       "design.cmake": cmake(manifest, design),
                       **wave_view.files(manifest)}.items():
        path = folder / name
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            tools.write(path, text)


if __name__ == "__main__":
    main()
