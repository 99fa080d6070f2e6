# SPDX-License-Identifier: Apache-2.0
"""Faults drawn at random in what an accelerator has around its tiles, a room of hw/ at a time, and
how many of them the room's own test finds; what it does not find is given to SAT, and is left out
if one step of its module is proved to be the same from every state. Room accelerator (with hw/memory): tdaccel's random
layers, of one tile and of two; build the target td_accelerator_bench before.

usage: PYTHONPATH=scripts:verify python3 -m mutation.engines [--room ROOM] [--mutants N] [--seed N]
"""

import dataclasses
import os
import pathlib
import signal
import subprocess
import sys
import types

from netlists import parameters
from toolbox import pool, tools
from toolbox.errors import CheckError
from toolbox.program import Parser, print_lines, run, whole

from . import equivalence, operators, render
from .rooms import ROOMS
from .source import Source

GOAL = 0.95
_INCLUDE = "/usr/share/verilator/include"
_SELDOM = "__seldom"  # at the end of a file's name: compiled as fast as may be
_VERILATED = ("verilated", "verilated_threads")


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


def _parameters(room):
    """Block -> the sets of parameters that it is there with."""
    found = {}
    tops = {(model.top, model.others, tuple(model.parameters.items()))
            for program in room.programs for model in program.models.values()}
    for top, others, values in sorted(tops):
        verilog = [file for file in others if file.suffix == ".v"]
        design = types.SimpleNamespace(
            files=[*room.files, *verilog], top=top,
            manifest=types.SimpleNamespace(block=lambda name: name.removeprefix("td1_")))
        for block, sets in parameters.of(design, tools.Runner(), values).items():
            found.setdefault(block, []).extend(sets)
    return found


def _known(room, texts):
    """Module -> the sets of parameters that it is there with."""
    blocks = _parameters(room)
    return {pathlib.Path(file).stem: blocks[pathlib.Path(file).stem.removeprefix("td1_")]
            for file in texts}


def _mutants(texts, known):
    """All that can be injected in the room."""
    sources = {file: Source(text, known) for file, text in texts.items()}
    widths = {module: {port: width for port, (direction, width) in ports.items()
                       if direction == "input"}
              for source in sources.values() for module, ports in source.ports.items()}
    for file, source in sources.items():
        for number, (regions, changes) in enumerate(operators.changes(source, widths)):
            yield Mutant(file, source.text.count("\n", 0, changes[0].start) + 1, regions, changes,
                         f"{file} {number}")


def _inject(texts, chosen, rtl):
    """The room's Verilog with all of the faults; the number of the one in force is the
    environment's. Returns the files."""
    injected = {}
    for number, mutant in enumerate(chosen, 1):
        for region, change in zip(mutant.regions, mutant.changes, strict=True):
            injected.setdefault(mutant.file, []).append((number, region, change))
    tools.write(rtl / f"{render.PACKAGE}.v", render.PACKAGE_TEXT)
    for file, text in texts.items():
        tools.write(rtl / file, render.PERMISSIONS + render.schemata(text, injected.get(file, [])))
    return [rtl / f"{render.PACKAGE}.v", *(rtl / file for file in texts)]


def _gathered(model, stem):
    """A verilated model in two files: what runs seldom apart."""
    units = {"": [], _SELDOM: []}
    for path in sorted(model.glob("*.cpp")):
        units[_SELDOM if path.stem.endswith(("__Slow", "__Syms")) else ""].append(path)
    for ending, paths in units.items():
        tools.write(stem.with_name(f"{stem.name}{ending}.cpp"),
                    "".join(f'#include "{path}"\n' for path in paths))
    return [stem.with_name(f"{stem.name}{ending}.cpp") for ending in units]


def _build(program, verilog, folder):
    """A test with what is in `verilog`."""
    runner, log = tools.Runner(), folder / "log.txt"
    options = ["-std=c++17", "-I", tools.ROOT, "-isystem", _INCLUDE, "-isystem",
               f"{_INCLUDE}/vltstd", "-DVM_SC=0", "-DVM_TRACE=0", "-DVM_COVERAGE=0",
               *program.options]
    units = [*program.sources, *(pathlib.Path(_INCLUDE) / f"{name}.cpp" for name in _VERILATED)]
    for prefix, model in program.models.items():
        into = folder / prefix
        tools.remove(into)
        runner.run(["verilator", "--cc", "-Wno-fatal", "-Wno-lint", "--prefix", prefix,
                    "--top-module", model.top, "--Mdir", into, *model.options,
                    *(f"-G{name}={value}" for name, value in model.parameters.items()),
                    *verilog, *model.others], log, folder)
        options += ["-I", into]
        units += _gathered(into, folder / prefix)
    objects = [folder / f"{unit.stem}.o" for unit in units]

    def compiled(pair):
        level = "-O0" if pair[0].stem.endswith(_SELDOM) else "-O1"
        runner.run(["g++", *options, level, "-c", pair[0], "-o", pair[1]],
                   pair[1].with_suffix(".txt"), folder)

    pool.for_each(compiled, list(zip(units, objects)), "files", runner)
    runner.run(["g++", *objects, *program.libraries, "-pthread", "-o", folder / "test"], log,
               folder)
    return folder / "test"


def _status(programs, room, number):
    """Exit status of the first test that finds a fault, or 0."""
    limited = [tools.find("prlimit"), f"--cpu={room.patience}:{room.patience + 60}"]
    for program in programs:
        done = subprocess.run([*limited, program, *room.arguments], stdin=subprocess.DEVNULL,
                              check=False, env={**os.environ, render.VARIABLE: str(number)},
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        if done.returncode != 0:
            return done.returncode
    return 0


def _same(mutant, texts, sets, folder):
    """Whether the fault is proved to change nothing, whatever the parameters."""
    files = {path.name: path for path in sorted((tools.ROOT / "hw").glob("*/*.v"))}
    place = tools.make_folder(folder / "equivalence" / tools.digest(mutant.key))
    faulty = place / mutant.file
    tools.write(faulty, render.applied(texts[mutant.file], mutant.changes))
    sides = (list(files.values()), [*(files | {mutant.file: faulty}).values()])
    # The modules in it are the same, and some hold memories.
    inside = [name for name in (pathlib.Path(file).stem for file in files) if name != faulty.stem]
    return all(equivalence.same_step(place, sides, faulty.stem, equivalence.options(values), inside)
               for values in sets)


def _judge(name, count, seed):
    """Lines about a room, and (killed, all but those that change nothing)."""
    room = ROOMS[name]()
    texts = {path.name: path.read_text(encoding="utf-8") for path in room.files}
    known = _known(room, texts)
    every = sorted(_mutants(texts, known), key=lambda one: tools.digest(str(seed), one.key))
    chosen = every[:count]
    folder = tools.make_folder(tools.BUILD / "mutation" / f"engines_{name}")
    with tools.lock(folder):
        verilog = _inject(texts, chosen, tools.make_folder(folder / "rtl"))
        programs = [_build(program, verilog, tools.make_folder(folder / f"test{at}"))
                    for at, program in enumerate(room.programs)]

        if _status(programs, room, 0) != 0:
            raise CheckError(f"{name}: red without a fault")
        found = pool.for_each(lambda number: _status(programs, room, number),
                              range(1, len(chosen) + 1), "faults", tools.Runner())
        alive = [mutant for mutant, status in zip(chosen, found, strict=True) if status == 0]
        same = pool.for_each(
            lambda one: _same(one, texts, known[pathlib.Path(one.file).stem], folder), alive,
            "proofs", tools.Runner())
    killed, late = len(chosen) - len(alive), found.count(-signal.SIGXCPU)
    return [*(f"{'equivalent' if proved else 'alive'}: {one.described(texts[one.file])}"
              for one, proved in zip(alive, same, strict=True)),
            f"{name}: {killed} of {len(chosen)} faults killed ({late} by the time that the test "
            f"took), {sum(same)} equivalent, of {len(every)} that there are"
            ], killed, len(chosen) - sum(same)


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
        lines, found, asked = _judge(name, count, seed)
        print_lines(lines)
        killed, total = killed + found, total + asked
    print_lines([f"{killed} of {total} faults killed that change something "
                 f"({100 * killed / total:.1f} %)"])
    return killed >= GOAL * total


if __name__ == "__main__":
    sys.exit(run("mutation.engines", _run))
