#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The worked top of docs/integration in Icarus and in Verilator: bits and clocks are the model's.

usage: test_integration.py TDGEN TDROWS
"""

import json
import pathlib
import random
import re
import struct
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
DOCUMENT = ROOT / "docs" / "integration.md"
SOURCES = ROOT / "docs" / "integration"
EXAMPLE = SOURCES / "example"
PROGRAM = SOURCES / "expected.py"
# Formats, numbers of accumulators, outputs in bf16, levels and depths; both kinds of dense tiles.
NUMERICS = [ROOT / folder / f"{name}.toml" for folder, name in (
    ("presets", "paper_bf16"), ("presets", "paper_fp32"), ("presets", "odd_fp16"),
    ("presets", "pe_two_sided"), ("presets", "wide4_bf16"), ("verify/configs", "depth4_long"),
    ("verify/configs", "zero_gated"), ("verify/configs", "dense_pe"))]
TOP = "axis_tile_tb"
# Clocks from the first beat to the last output, beyond steps and the tile's latency: into the
# queue, into the tile, out of it.
AROUND = 3
TILE = {"ROWS": 2, "COLUMNS": 3, "LANES": 4}
TOTALS = "cycles {} stalls {} skipped {} clocks {}"
_TOTALS = re.compile(TOTALS.replace("{}", r"(\d+)") + "\n")
# Of the document: | `arguments` | `last line` | …
_LINES = re.compile(r"^\| (?:`(\S+)` )?\| `(cycles [^`]*)` \|", re.M)


def run(*command):
    """What a program prints, on both streams."""
    done = subprocess.run([str(word) for word in command], stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"{command[0]} failed:\n{done.stdout[-3000:]}")
    return done.stdout


class Rows:
    """Rows for the testbench, and what the model makes of them."""

    def __init__(self, tdrows, config, folder, sizes, passes, *flags):
        self.folder = folder
        said = run(tdrows, "--config", config, "--rows", sizes["ROWS"], "--columns",
                   sizes["COLUMNS"], "--passes", passes, "--zeros", 0.7, "--out", folder, *flags)
        self.rows, self.cycles, self.skipped = map(int, re.findall(r"\d+", said))
        self.outputs = (folder / "outputs.txt").read_text()

    @property
    def arguments(self):
        return [f"+a={self.folder / 'a.hex'}", f"+b={self.folder / 'b.hex'}", f"+rows={self.rows}"]


def simulated(program, rows, *arguments):
    """Outputs and (cycles, stalls, skipped, clocks) of a run, whose outputs are the model's."""
    text = run(*program, *rows.arguments, *arguments)
    outputs = "".join(line for line in text.splitlines(True) if line.startswith("output"))
    totals = _TOTALS.search(text)
    what = f"{program[0]} {' '.join(arguments)}"
    assert totals, f"{what}: {text[-300:]}"
    assert outputs == rows.outputs and outputs, f"{what}: outputs are not the model's"
    cycles, stalls, skipped, clocks = map(int, totals.groups())
    assert (cycles, skipped) == (rows.cycles, rows.skipped), f"{what}: {totals[0]}"
    print(f"{pathlib.Path(program[-1]).name} {rows.rows} rows {' '.join(arguments)}: "
          f"{totals[0].strip()}")
    return cycles, stalls, skipped, clocks


def verilog(folder, name):
    """The files, with the tile's name changed as a user would change it."""
    text = (SOURCES / "axis_tile.v").read_text()
    assert text.count("paper_bf16_tile") == 1
    top = folder / "axis_tile.v"
    top.write_text(text.replace("paper_bf16_tile", f"{name}_tile"))
    return ["-f", folder / f"{name}.f", top, *(SOURCES / f"{file}.v" for file in (
        "row_queue", "row_source", TOP))]


def compile_icarus(folder, name, sizes):
    program = folder / f"{name}.vvp"
    warned = run("iverilog", "-g2005", "-Wall", "-o", program, "-s", TOP,
                 *(f"-P{TOP}.{size}={value}" for size, value in sizes.items()),
                 *verilog(folder, name))
    assert not warned, warned
    return ["vvp", "-n", program]


def compile_verilator(folder, name, sizes):
    # As few and small C++ files as can be: they run for less long than they compile.
    run("verilator", "--binary", "--timing", "--output-split", 0, "-j", 1, "--top-module", TOP,
        "--Mdir", folder / "verilated", "-CFLAGS", "-O0",
        "-MAKEFLAGS", "VM_PARALLEL_BUILDS=0 OBJCACHE=ccache",
        *(f"-G{size}={value}" for size, value in sizes.items()), *verilog(folder, name))
    return [folder / "verilated" / f"V{TOP}"]


def expect(rows, manifest, *flags):
    """What the document's own program makes of the rows: as the model, bit by bit."""
    said = run(PROGRAM, manifest, rows.folder / "a.hex", rows.folder / "b.hex", *flags)
    assert said == rows.outputs and said, f"{PROGRAM.name} {manifest.name} {flags}: not the model's"
    print(f"{PROGRAM.name} {manifest.stem} {rows.rows} rows {' '.join(flags)}")


def numerics(tdgen, tdrows, folder):
    """The document's numerics, which its program follows, in tiles of every kind but fused ones."""
    for configuration in NUMERICS:
        path = folder / configuration.stem
        run(tdgen, "--config", configuration, "--out", path)
        manifest = next(path.glob("*.json"))
        scheduling = json.loads(manifest.read_text())["parameters"]["tile.scheduling"]
        sizes = {"ROWS": 1, "COLUMNS": 1} if scheduling == "two_sided" else TILE
        for flags in ((), ("--dense",)):
            rows = Rows(tdrows, manifest.with_suffix(".toml"), path, sizes, 40, "--specials", 0.01, *flags)
            assert re.search("7fc0", rows.outputs), f"{configuration}: no NaN"
            expect(rows, manifest, *flags)
    options = json.loads((folder / "paper_bf16" / "paper_bf16.json").read_text())
    for value in (options["options"], options["parameters"]["tile.interconnect.levels"]):
        assert f"\n{json.dumps(value)}\n" in DOCUMENT.read_text(), f"{DOCUMENT.name}: has not: {value}"


def integers(folder, manifest):
    """Small integers: a plain loop has the bits, with dropped pairs and without."""
    draw, lanes = random.Random(1), 16
    a, b = ([[draw.choice((0, 0, draw.randint(-256, 256))) for _ in range(lanes)] for _ in range(20)]
            for _ in "ab")
    total = sum(x * y for row in zip(a, b) for x, y in zip(*row))

    def write(name, rows, flags):
        bits = [[struct.pack(">f", x)[:2].hex() for x in reversed(row)] for row in rows]
        (folder / name).write_text("".join("".join(row) + flag + "\n" for row, flag in zip(bits, flags)))
        return folder / name
    files = write("a", a, [""] * 20), write("b", b, "0" * 11 + "1" + "0" * 7 + "3")
    for flags in ((), ("--dense",)):
        assert run(PROGRAM, manifest, *files, *flags) == f"output {struct.pack('>f', total).hex()} 0\n"


def refused(folder):
    """A mistake is one line, and exit status 2."""
    a, b, manifest = EXAMPLE / "a.hex", EXAMPLE / "b.hex", folder / "paper_bf16.json"
    for arguments, words in (
            ((folder / "none", a, b), "none: file = No such file or directory is illegal; legal: a"),
            ((a, a, b), "a.hex: file = no manifest is illegal; legal: the JSON that tdgen writes"),
            ((manifest, a, a), "a.hex: line 2 = "),
            ((manifest, a, EXAMPLE / "outputs.txt"), "outputs.txt: line 1 = output "),
            ((manifest, a, folder / "short"), "short: rows = 1 is illegal; legal: 68, as in ")):
        (folder / "short").write_text(b.read_text().splitlines()[1])
        done = subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, check=False)
        assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1), done
        assert words in done.stderr, f"{words}: {done.stderr}"


def printed(folder, rows):
    """The document's commands, as they stand there; Verilator's is read, not compiled."""
    blocks = re.findall(r"^```\n((?:scripts/tdgen|verilator|docs/integration/expected).*?)^```",
                        DOCUMENT.read_text(), re.M | re.S)
    assert len(blocks) == 3, f"{DOCUMENT.name}: {len(blocks)} blocks of commands"
    (folder / "docs").symlink_to(ROOT / "docs")
    (folder / "rtl").symlink_to(folder)
    for block in blocks:
        lines = block.replace("--binary", "--lint-only").splitlines(True)
        text = "".join(line for line in lines if not line.startswith(("scripts/", "obj_dir/")))
        done = subprocess.run(["bash", "-ec", text], cwd=folder, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, check=False)
        said = "".join(line for line in done.stdout.splitlines(True) if line.startswith("output"))
        assert done.returncode == 0, f"{text}{done.stdout[-3000:]}"
        assert said == ("" if "verilator" in text else rows.outputs), f"{text}{done.stdout[-3000:]}"


def readers(folder, depth):
    """Every tool takes the top as it stands, and ready depends on registers alone."""
    queue, top = SOURCES / "row_queue.v", folder / "axis_tile.v"
    sizes = [f"-G{size}={value}" for size, value in TILE.items()]
    for beat in range(1, depth + 1):
        run("verilator", "--lint-only", "-Wall", *sizes, f"-GBEAT_ROWS={beat}", "--top-module",
            "axis_tile", "-f", folder / "tiny.f", top, queue)
    chparam = " ".join(f"-chparam {size} {value}" for size, value in TILE.items())
    tile = " ".join((folder / "tiny.f").read_text().split())
    run("yosys", "-q", "-p", f"read_verilog {tile} {top} {queue}; "
        f"hierarchy -check -top axis_tile {chparam}; proc; check -assert")
    # The logic in front of in_ready_o up to registers has no input among its wires.
    run("yosys", "-q", "-p", f"read_verilog {queue}; hierarchy -top row_queue; proc; "
        "memory -nomap; opt_clean; select -set cone o:in_ready_o %ci*:-$dff,$adff,$mem_v2; "
        "select -assert-any @cone w:held_q %i; select -assert-none @cone i:* %i")
    print(f"axis_tile: beats of 1..{depth} rows, read by Verilator -Wall and Yosys")


def clocks_of(rows, latency):
    """Clocks of a tile that never waits."""
    return rows.cycles + latency + AROUND


def tiny(tdgen, tdrows, folder):
    run(tdgen, "--config", "tiny", "--out", folder)
    config, manifest = folder / "tiny.toml", json.loads((folder / "tiny.json").read_text())
    latency, depth = manifest["output_latency_clocks"], 3
    few, many, dense = (folder / name for name in ("few", "many", "dense"))
    few = Rows(tdrows, config, few, TILE, 12)
    many = Rows(tdrows, config, many, TILE, 300)
    dense = Rows(tdrows, config, dense, TILE, 300, "--dense")
    icarus = compile_icarus(folder, "tiny", TILE)
    verilator = compile_verilator(folder, "tiny", TILE)
    for waits in ("+stall=0", "+stall=40"):
        assert simulated(icarus, few, waits) == simulated(verilator, few, waits)
    for stall in (5, 30, 80):
        simulated(verilator, many, f"+stall={stall}")
    # Full rate: the clocks are the model's. A row a beat: no fewer clocks than rows.
    full, half, single = (simulated(verilator, many, f"+beat={beat}") for beat in (3, 2, 1))
    slow = simulated(verilator, dense, "+dense=1")
    assert full[1] == 0 and full[3] == clocks_of(many, latency), full
    assert dense.cycles == dense.rows and slow[3] == clocks_of(dense, latency), slow
    assert full[3] <= half[3] < single[3] and single[3] >= many.rows, (full, half, single)
    document = DOCUMENT.read_text()
    for beat, (_, _, _, clocks) in ((3, full), (2, half), (1, single)):
        line = f"| {beat} | {clocks:,} | {100 * clocks / slow[3]:.0f} % |"
        assert line in document, f"{DOCUMENT.name}: has not: {line}"
    narrow = compile_icarus(folder, "tiny", {**TILE, "BEAT_ROWS": 1})
    assert simulated(narrow, few)[3] >= few.rows
    return depth


def example(tdgen, tdrows, folder):
    """The files beside the document are the model's, and so is what the document prints."""
    run(tdgen, "--config", "paper_bf16", "--out", folder)
    sizes = {"ROWS": 1, "COLUMNS": 2}
    config = folder / "paper_bf16.toml"
    rows = Rows(tdrows, config, folder / "example", sizes, 6)
    for name in ("a.hex", "b.hex", "outputs.txt"):
        assert (EXAMPLE / name).read_text() == (folder / "example" / name).read_text(), name
    manifest = json.loads((folder / "paper_bf16.json").read_text())
    for port in manifest["ports"]:
        line = f"| `{port['name']}` | {port['direction']} | {port['bits']} | {port['text']} |"
        assert line in DOCUMENT.read_text(), f"{DOCUMENT.name}: has not: {line}"
    refused(folder)
    integers(folder, folder / "paper_bf16.json")
    printed(folder, rows)
    program = compile_icarus(folder, "paper_bf16", sizes)
    lines = _LINES.findall(DOCUMENT.read_text())
    assert len(lines) == 3, f"{DOCUMENT.name}: {len(lines)} lines of the testbench"
    dense = Rows(tdrows, config, folder / "dense", sizes, 6, "--dense")
    assert (EXAMPLE / "outputs_dense.txt").read_text() == dense.outputs
    for argument, line in lines:
        expected = dense if "dense" in argument else rows
        totals = simulated(program, expected, *argument.split())
        assert line == TOTALS.format(*totals), f"{DOCUMENT.name}: {line}: now {totals}"
    assert f"+rows={rows.rows}" in DOCUMENT.read_text(), f"{DOCUMENT.name}: not {rows.rows} rows"


def main():
    tdgen, tdrows = map(pathlib.Path, sys.argv[1:])
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        readers(folder, tiny(tdgen, tdrows, folder))
        example(tdgen, tdrows, folder)
        numerics(tdgen, tdrows, folder / "numerics")


if __name__ == "__main__":
    main()
