# SPDX-License-Identifier: Apache-2.0
"""Plants faults in the emitted Verilog and demands that each is found: by replays beside the model, and
by the assertions that come with the Verilog, every one of which must be seen to fail.

usage: verify/faults/faults.sh
"""

import fcntl
import re
import subprocess
import sys

from flow import design
from toolbox import tools
from toolbox.errors import CheckError
from toolbox.program import run

from . import assertions
from .catalogue import faults
from .sources import BLOCKS, VIOLATIONS, Sources

CONFIG = "tiny"

# What every faulty tile is put through: full rate; stalls, modes and special values; and an output
# in every clock, which fills the output buffer.
RUNS = [
    ["--random", "400", "--specials", "0.01"],
    ["--random", "400", "--specials", "0.01", "--dense", "0.2", "--stall", "0.4"],
    ["--random", "400", "--rows", "1", "--streams", "1", "--stall", "0.5"],
]

# What a fault leaves unused, or makes too wide, must not stop the build.
_TOLERANT = "/* verilator lint_off UNUSED */ /* verilator lint_off WIDTH */\n"


class Bench:
    """One build of the testbench whose Verilog is changed in place."""

    def __init__(self, emitted):
        self.manifest = emitted.manifest
        folder = tools.make_folder(tools.BUILD / "faults")
        # A second run at once would meet the first one's faults.
        self.lock = open(folder / ".lock", "w", encoding="utf-8")
        fcntl.flock(self.lock, fcntl.LOCK_EX)
        self.log, self.rtl, self.bench = folder / "log.txt", folder / "rtl", folder / "bench"
        self.runner = tools.Runner()
        self.sound = {file.name: file.read_text(encoding="utf-8") for file in emitted.files}
        tools.make_folder(self.rtl)
        for path in emitted.folder.iterdir():
            tools.write(self.rtl / path.name, path.read_text(encoding="utf-8"))
        self.runner.run(["cmake", "-G", "Ninja", "-S", tools.ROOT / "verify" / "tile", "-B",
                         self.bench, "-DCMAKE_BUILD_TYPE=Release", f"-DTD_DESIGN={self.rtl}",
                         f"-DTD_NAME={CONFIG}", f"-DTD_BUILD={tools.BUILD}", "-DTD_FAST=ON"],
                        self.log, folder)

    def build(self):
        """The program, of the Verilog as it now is."""
        self.runner.run(["ninja", "-C", self.bench, "-j", "1", "tdreplay"], self.log, self.bench)

    def _replay(self, options):
        done = subprocess.run([self.bench / "tdreplay", *options], stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True, check=False)
        found = re.search(r"first mismatch: (.*)", done.stderr)
        if done.returncode != (1 if found else 0):
            raise CheckError(f"tdreplay returned {done.returncode}: {done.stderr}")
        return found[1] if found else None, done.stdout

    def mismatch(self):
        """The first difference from the model in any of the runs, or None."""
        found = (self._replay([*options, "--no-assertions"])[0] for options in RUNS)
        return next((text for text in found if text), None)

    def asserted(self):
        """Assertions that fail in the runs, each of which ends at the first clock with any."""
        return {label for options in RUNS
                for label in assertions.failed(self._replay(options)[1])}

    def with_fault(self, fault, name):
        """The mismatch, and the assertions that fail, with a fault planted in the file of that name."""
        tools.write(self.rtl / name, _TOLERANT + fault.planted(self.sound[name]))
        self.build()
        seen = self.mismatch() if fault.replay else None, self.asserted() if fault.asserts else set()
        tools.write(self.rtl / name, self.sound[name])
        return seen


class Verdicts:
    """Tells of each planted fault, and counts."""

    def __init__(self):
        self.planted = self.missed = 0

    def say(self, name, missing, seen):
        """missing: what should have found it, and did not; seen: what did."""
        self.planted += 1
        self.missed += bool(missing)
        print(f"MISSED by {', '.join(missing)}: {name}" if missing else
              f"caught: {name}: {'; '.join(seen)}", flush=True)


def _sound(what, seen):
    if seen:
        raise CheckError(f"without a fault: {what}: {seen}")


def _of_sources(fault):
    return {label for label in fault.asserts if label.split()[0] in BLOCKS}


def _replays(verdicts, emitted):
    """Faults that replays must find, and those of assertions that take a whole tile."""
    bench = Bench(emitted)
    bench.build()
    _sound("replay", bench.mismatch())
    _sound("assertions", bench.asserted())
    for fault in faults():
        wanted = set(fault.asserts) - _of_sources(fault)
        if not fault.replay and not wanted:
            continue
        seen, failed = bench.with_fault(fault, f"{emitted.manifest.generation}_{fault.block}.v")
        missing = sorted(wanted - failed) + (["replay"] if fault.replay and not seen else [])
        verdicts.say(fault.name, missing, [seen] * bool(seen) + sorted(wanted))


def _sources(verdicts, generation):
    """Assertions of the intakes."""
    sources = Sources(tools.BUILD / "faults" / "sources")
    sources.build()
    _sound("assertions of the intakes", sources.asserted())
    for name, wanted in VIOLATIONS.items():
        verdicts.say(name, sorted(wanted - sources.asserted(name)), sorted(wanted))
    for fault in faults():
        wanted = _of_sources(fault)
        if wanted:
            failed = sources.with_fault(fault, f"{generation}_{fault.block}.v")
            verdicts.say(fault.name, sorted(wanted - failed), sorted(wanted))


def _run():
    wanted = {label for fault in faults() for label in fault.asserts}.union(*VIOLATIONS.values())
    if wanted != assertions.known():
        raise CheckError(f"assertions without a fault, or not there: "
                         f"{', '.join(sorted(wanted ^ assertions.known()))}")
    emitted = design.emit(CONFIG)
    verdicts = Verdicts()
    _replays(verdicts, emitted)
    _sources(verdicts, emitted.manifest.generation)
    print(f"{verdicts.planted - verdicts.missed} of {verdicts.planted} faults caught")
    return verdicts.missed == 0


if __name__ == "__main__":
    sys.exit(run("faults", _run))
