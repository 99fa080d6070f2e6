# SPDX-License-Identifier: Apache-2.0
"""Faults drawn at random in what an accelerator has around its tiles, a room of hw/ at a time, and
how many of them the room's own test finds.

usage: PYTHONPATH=scripts:verify python3 -m mutation.engines [--room ROOM] [--mutants N] [--seed N]
"""

import dataclasses
import os
import pathlib
import subprocess
import sys
import types

from netlists import parameters
from toolbox import pool, tools
from toolbox.errors import CheckError
from toolbox.program import Parser, print_lines, run, whole

from . import operators, render
from .source import Source

GOAL = 0.95
_DMA_SIZES = ("LANES", "SEGMENT", "WIDTH", "TILES", "OPERAND_ROWS", "RESULT_WORDS")
_PATIENCE = 60  # seconds, for runs that take a few
_INCLUDE = "/usr/share/verilator/include"
_VERILATED = ("verilated", "verilated_threads")
_ACCELERATOR = tools.ROOT / "verify" / "accelerator"


@dataclasses.dataclass(frozen=True)
class Room:
    """A folder of hw/ and its test. models: prefix of a verilated model -> its parameters, "top"
    among them if it is another; others:
    Verilog that is read beside it; sources: of the test; arguments: of a run of it."""

    folder: str
    top: str
    models: dict
    others: tuple
    sources: tuple
    arguments: tuple

    @property
    def files(self):
        """Verilog that faults are injected in."""
        return sorted((tools.ROOT / "hw" / self.folder).glob("*.v"))


ROOMS = {room.folder: room for room in (
    Room("control", "td1_control", {
        "Vregisters": {"top": "td1_registers"},
        "Vcontrol_narrow": {"LANES": 2, "WIDTH": 16, "STREAMS": 2},
        "Vcontrol_wide": {"LANES": 16, "WIDTH": 16, "STREAMS": 2}}, (),
         tuple(sorted((_ACCELERATOR / "control").glob("*.cpp"))), ("1", "30")),
    Room("dma", "dma_bench", {
        f"Vdma_{name}": dict(zip(_DMA_SIZES, values)) for name, values in (
            ("bf16", (4, 2, 16, 3, 300, 200)), ("fp32", (8, 4, 32, 1, 256, 512)),
            ("square", (4, 4, 16, 4, 300, 200)))},
         (_ACCELERATOR / "dma" / "dma_bench.v", *(tools.ROOT / "hw" / name for name in (
             "common/td1_fifo.v", "common/td1_pipe.v", "fp/td1_to_bf16.v"))),
         (*sorted((_ACCELERATOR / "dma").glob("*.cpp")),
          *sorted(_ACCELERATOR.glob("axi_*.cpp"))), ("100",)))}


@dataclasses.dataclass(frozen=True)
class Mutant:
    """A fault: file, line, and what is changed where."""

    file: str
    line: int
    regions: tuple
    changes: tuple
    key: str

    def described(self, text):
        """In one line."""
        parts = [f"{' '.join(text[one.start:one.end].split())} -> {one.text}"
                 for one in self.changes]
        return f"{self.file}:{self.line}: {self.changes[0].operator}: {'; '.join(parts)}"


def _mutants(room, texts):
    """All that can be injected in the room."""
    design = types.SimpleNamespace(
        files=[*room.files, *room.others], top=room.top,
        manifest=types.SimpleNamespace(block=lambda name: name.removeprefix("td1_")))
    blocks = parameters.of(design, tools.Runner())
    known = {pathlib.Path(file).stem: blocks[pathlib.Path(file).stem.removeprefix("td1_")]
             for file in texts}
    sources = {file: Source(text, known) for file, text in texts.items()}
    widths = {module: {port: width for port, (direction, width) in ports.items()
                       if direction == "input"}
              for source in sources.values() for module, ports in source.ports.items()}
    for file, source in sources.items():
        for number, (regions, changes) in enumerate(operators.changes(source, widths)):
            yield Mutant(file, source.text.count("\n", 0, changes[0].start) + 1, regions, changes,
                         f"{file} {number}")


def _build(room, texts, chosen, folder):
    """A program with all of the faults; the number of the one in force is the environment's."""
    injected = {}
    for number, mutant in enumerate(chosen, 1):
        for region, change in zip(mutant.regions, mutant.changes, strict=True):
            injected.setdefault(mutant.file, []).append((number, region, change))
    rtl, runner, log = tools.make_folder(folder / "rtl"), tools.Runner(), folder / "log.txt"
    tools.write(rtl / f"{render.PACKAGE}.v", render.PACKAGE_TEXT)
    for file, text in texts.items():
        tools.write(rtl / file, render.PERMISSIONS + render.schemata(text, injected.get(file, [])))
    options = ["-std=c++17", "-O1", "-I", tools.ROOT, "-isystem", _INCLUDE, "-isystem",
               f"{_INCLUDE}/vltstd", "-DVM_SC=0", "-DVM_TRACE=0", "-DVM_COVERAGE=0"]
    units = [*room.sources, *(pathlib.Path(_INCLUDE) / f"{name}.cpp" for name in _VERILATED)]
    for prefix, values in room.models.items():
        model = folder / prefix
        top = values.get("top", room.top)
        runner.run(["verilator", "--cc", "-Wno-fatal", "-Wno-lint", "--prefix", prefix,
                    "--top-module", top, "--Mdir", model,
                    *(f"-G{name}={value}" for name, value in values.items() if name != "top"),
                    rtl / f"{render.PACKAGE}.v", *(rtl / file for file in texts), *room.others],
                   log, folder)
        options += ["-I", model]
        tools.write(folder / f"{prefix}.cpp", "".join(
            f'#include "{path}"\n' for path in sorted(model.glob("*.cpp"))))
        units.append(folder / f"{prefix}.cpp")
    objects = [folder / f"{unit.stem}.o" for unit in units]
    pool.for_each(lambda pair: runner.run(["g++", *options, "-c", pair[0], "-o", pair[1]],
                                          pair[1].with_suffix(".txt"), folder),
                  list(zip(units, objects)), "files", runner)
    runner.run(["g++", *objects, "-lfmt", "-pthread", "-o", folder / "test"], log, folder)
    return folder / "test"


def _alive(program, arguments, number):
    """Whether the test passes with a fault."""
    try:
        done = subprocess.run([program, *arguments], stdin=subprocess.DEVNULL, check=False,
                              env={**os.environ, render.VARIABLE: str(number)},
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                              timeout=_PATIENCE)
    except subprocess.TimeoutExpired:
        return False
    return done.returncode == 0


def _judge(room, count, seed):
    """Lines about a room, and (killed, all)."""
    texts = {path.name: path.read_text(encoding="utf-8") for path in room.files}
    every = sorted(_mutants(room, texts), key=lambda one: tools.digest(str(seed), one.key))
    chosen = every[:count]
    folder = tools.make_folder(tools.BUILD / "mutation" / f"engines_{room.folder}")
    with tools.lock(folder):
        program = _build(room, texts, chosen, folder)
        if not _alive(program, room.arguments, 0):
            raise CheckError(f"{room.folder}: red without a fault")
        alive = [mutant for number, mutant in enumerate(chosen, 1)
                 if _alive(program, room.arguments, number)]
    killed = len(chosen) - len(alive)
    return [*(f"alive: {one.described(texts[one.file])}" for one in alive),
            f"{room.folder}: {killed} of {len(chosen)} faults killed, of {len(every)} that there "
            "are"], killed, len(chosen)


def _run():
    parser = Parser("mutation.engines", description="Injects faults in the modules around an "
                    "accelerator's tiles.")
    parser.add_argument("--room", choices=ROOMS, action="append", help="only this folder of hw/")
    parser.add_argument("--mutants", metavar="N", default="100", help="of a room; default: 100")
    parser.add_argument("--seed", metavar="N", default="1", help="of the draw; default: 1")
    arguments = parser.parse_args()
    count = whole("--mutants", arguments.mutants, 1, 100000)
    seed = whole("--seed", arguments.seed, 0, 2**63 - 1)
    killed = total = 0
    for name in arguments.room or ROOMS:
        lines, found, asked = _judge(ROOMS[name], count, seed)
        print_lines(lines)
        killed, total = killed + found, total + asked
    print_lines([f"{killed} of {total} faults killed ({100 * killed / total:.1f} %)"])
    return killed >= GOAL * total


if __name__ == "__main__":
    sys.exit(run("mutation.engines", _run))
