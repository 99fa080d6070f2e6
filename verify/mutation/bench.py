# SPDX-License-Identifier: Apache-2.0
"""One build of a design with all of its faults, and what the suite says about each of them."""

import functools
import os
import re
import shlex
import subprocess

from regress.suite import PROGRAMS
from toolbox import pool, tools
from toolbox.answers import Answers
from toolbox.errors import CheckError

from . import render
from .designs import FOLDER

_PATIENCE = 60  # seconds, for runs that take less than one
_TESTBENCH = ("base", "gen", "sim", "verify/replay", "verify/tile", "verify/leaf")

# How a fault ended. The last two count as killed, and are told apart.
ALIVE, KILLED, CRASHED, HUNG = "alive", "killed", "crashed", "hung"


@functools.lru_cache(maxsize=None)
def _testbench():
    """Digest of what the programs are made of, but for the design."""
    return tools.digest(*(part for name in tools.sources(*_TESTBENCH)
                          for part in (name, tools.file_digest(tools.ROOT / name))))


def write(design, mutants, folder):
    """A copy of the design with all of the faults, number 1 being the first."""
    injected = {}
    for number, mutant in enumerate(mutants, 1):
        for region, change in zip(mutant.regions, mutant.changes, strict=True):
            injected.setdefault(mutant.file, []).append((number, region, change))
    texts = {f"{render.PACKAGE}.v": render.PACKAGE_TEXT}
    for file, text in design.texts.items():
        texts[file] = render.PERMISSIONS + render.schemata(text, injected.get(file, []))
    return design.write(folder, texts)


def build(design, rtl, folder, programs):
    """Compiles the design's programs in a folder, which is used again: without assertions, so that
    the replays alone must find a fault."""
    tools.make_folder(folder)
    runner = tools.Runner()
    with tools.lock(folder):
        if not (folder / "build.ninja").exists():
            runner.run(["cmake", "-G", "Ninja", "-S", str(tools.ROOT / "verify" / "tile"), "-B",
                        str(folder), "-DCMAKE_BUILD_TYPE=Release", f"-DTD_DESIGN={rtl}",
                        f"-DTD_NAME={design.name}", f"-DTD_BUILD={tools.BUILD}", "-DTD_FAST=ON",
                        "-DTD_ASSERT=OFF"],
                       folder / "configure.log", folder)
        runner.run(["ninja", "-C", str(folder), "-j", str(pool.cores()), *programs],
                   folder / "build.log", folder)


class Bench:
    """The faults of one design and the runs of its configuration, tasks of verify/regress. missing:
    those without a verdict, the numbers that they have in the build being their places from 1 on."""

    def __init__(self, design, mutants, tasks):
        self.design, self.mutants = design, mutants
        self.runs = [task for task in tasks if task.program in PROGRAMS]
        self._folder = design.folder / "bench"
        self._answers = Answers(FOLDER / "verdicts")
        self.missing = [mutant for mutant in mutants if self.verdict(mutant) is None]

    def verdict(self, mutant):
        """How a fault ended, in which run, and what the run said; None: not known yet."""
        return self._answers.get(self._key(mutant))

    def build(self):
        """One shard: compiles the design with its missing faults, and runs it without any."""
        rtl = write(self.design, self.missing, self.design.folder / "mutated")
        build(self.design, rtl, self._folder, sorted({run.program for run in self.runs}))
        sound = self._judge(0)
        if sound["end"] != ALIVE:
            raise CheckError(f"{self.design.name}: without a fault: {sound['run']}: "
                             f"{sound['said']}")

    def judge(self, first, count):
        """One shard, after the build: some of the missing."""
        for number, mutant in enumerate(self.missing[first:first + count], first + 1):
            self._answers.put(self._key(mutant), self._judge(number))

    def _key(self, mutant):
        return tools.digest(_testbench(), self.design.hash, *self.design.texts.values(),
                            mutant.file, mutant.text(), *(run.title for run in self.runs))

    def _judge(self, number):
        for run in self.runs:
            end, said = self._run(run, number)
            if end != ALIVE:
                return {"end": end, "run": run.title, "said": said}
        return {"end": ALIVE, "run": "", "said": ""}

    def _run(self, run, number):
        environment = {**os.environ, render.VARIABLE: str(number)}
        try:
            done = subprocess.run([self._folder / run.program,
                                   *shlex.split(run.arguments)], env=environment,
                                  stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True,
                                  stderr=subprocess.STDOUT, timeout=_PATIENCE, check=False,
                                  cwd=tools.ROOT)
        except subprocess.TimeoutExpired:
            return HUNG, f"no end after {_PATIENCE} s"
        lines = [line for line in done.stdout.splitlines() if line.strip()]
        said = lines[-1] if lines else ""
        if done.returncode == 2:
            raise CheckError(f"{self.design.name}: {run.title}: {said}")
        if done.returncode in (0, 1):
            found = re.search(r"first mismatch: (.*)", done.stdout)
            return (ALIVE, KILLED)[done.returncode], found.group(1) if found else said
        return CRASHED, f"status {done.returncode}: {said}"
