# SPDX-License-Identifier: Apache-2.0
"""Injects faults in the emitted Verilog and demands that each is found: by replays beside the model, by
the judge of fused sums, and by the assertions that come with the Verilog, every one of which must be
seen to fail. All faults are compiled together.

usage: verify/faults/faults.sh
"""

import re
import shutil
import subprocess
import sys

from mutation import designs
from injected.catalogue import faults
from toolbox import tools
from toolbox.errors import CheckError
from toolbox.program import run

from . import assertions, together
from .sources import BLOCKS, VIOLATIONS, Sources

CONFIG = "tiny"
FUSED = tools.ROOT / "verify" / "configs" / "fused_lanes6.toml"

# What every faulty tile is put through: full rate; stalls, modes and special values; and an output
# in every clock, which fills the output buffer.
RUNS = [
    ["--random", "400", "--specials", "0.01"],
    ["--random", "400", "--specials", "0.01", "--dense", "0.2", "--stall", "0.4"],
    ["--random", "400", "--rows", "1", "--streams", "1", "--stall", "0.5"],
]

class Bench:
    """One build of a testbench with all of some faults, (number, fault, file)."""

    def __init__(self, design, folder, injected, program="tdreplay"):
        faulty = {file for _, _, file in injected}
        sound = {file: text for file, text in design.texts.items() if file in faulty}
        rtl = design.write(folder / "rtl", together.texts(sound, injected))
        for name in design.manifest.assertions:
            shutil.copy(tools.RTL / design.hash / "rtl" / name, rtl)
        self._bench = tools.make_folder(folder / "bench")
        runner = tools.Runner()
        runner.run(["cmake", "-G", "Ninja", "-S", tools.ROOT / "verify" / "tile", "-B",
                    self._bench, "-DCMAKE_BUILD_TYPE=Release", f"-DTD_DESIGN={rtl}",
                    f"-DTD_NAME={design.name}", f"-DTD_BUILD={tools.BUILD}", "-DTD_FAST=ON"],
                   folder / "configure.log", folder)
        runner.run(["ninja", "-C", self._bench, "-j", "1", program], folder / "build.log", folder)
        self._program = self._bench / program

    def _run(self, number, options, mismatch):
        done = subprocess.run([self._program, *options], stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True, check=False,
                              env=together.environment(number))
        found = re.search(mismatch, done.stderr)
        if done.returncode != (1 if found else 0):
            raise CheckError(f"{self._program.name} returned {done.returncode}: {done.stderr}")
        return found[1] if found else None, done.stdout

    def _replay(self, number, options):
        return self._run(number, options, r"first mismatch: (.*)")

    def judged(self, number):
        """The first sum that the judge finds wrong, or None."""
        return self._run(number, [], r"tdfused: (.*)")[0]

    def mismatch(self, number):
        """The first difference from the model in any of the runs, or None."""
        found = (self._replay(number, [*options, "--no-assertions"])[0] for options in RUNS)
        return next((text for text in found if text), None)

    def asserted(self, number):
        """Assertions that fail in the runs, each of which ends at the first clock with any."""
        return {label for options in RUNS
                for label in assertions.failed(self._replay(number, options)[1])}


class Verdicts:
    """Tells of each injected fault, and counts."""

    def __init__(self):
        self.injected = self.missed = 0

    def say(self, name, missing, seen):
        """missing: what should have found it, and did not; seen: what did."""
        self.injected += 1
        self.missed += bool(missing)
        print(f"MISSED by {', '.join(missing)}: {name}" if missing else
              f"caught: {name}: {'; '.join(seen)}", flush=True)


def _sound(what, seen):
    if seen:
        raise CheckError(f"without a fault: {what}: {seen}")


def _of_sources(fault):
    return {label for label in fault.asserts if label.split()[0] in BLOCKS}


def _numbered(chosen, generation):
    return [(number, fault, f"{generation}_{fault.block}.v")
            for number, fault in enumerate(chosen, 1)]


def _replays(verdicts, design, folder):
    """Faults that replays must find, and those of assertions that take a whole tile."""
    injected = _numbered([fault for fault in faults()
                         if fault.replay or set(fault.asserts) - _of_sources(fault)],
                        design.manifest.generation)
    bench = Bench(design, folder, injected)
    _sound("replay", bench.mismatch(0))
    _sound("assertions", bench.asserted(0))
    for number, fault, _ in injected:
        wanted = set(fault.asserts) - _of_sources(fault)
        seen = bench.mismatch(number) if fault.replay else None
        missing = sorted(wanted - bench.asserted(number)) if wanted else []
        missing += ["replay"] if fault.replay and not seen else []
        verdicts.say(fault.name, missing, [seen] * bool(seen) + sorted(wanted))


def _judge(verdicts, design, folder):
    """Faults that the judge of fused sums must find."""
    injected = _numbered([fault for fault in faults() if fault.judge], design.manifest.generation)
    bench = Bench(design, folder, injected, "tdfused")
    _sound("judge", bench.judged(0))
    for number, fault, _ in injected:
        seen = bench.judged(number)
        verdicts.say(fault.name, [] if seen else ["judge"], [seen])


def _sources(verdicts, folder, generation):
    """Assertions of the intakes."""
    injected = _numbered([fault for fault in faults() if _of_sources(fault)], generation)
    sources = Sources(folder, injected)
    _sound("assertions of the intakes", sources.asserted())
    for name, wanted in VIOLATIONS.items():
        verdicts.say(name, sorted(wanted - sources.asserted(violation=name)), sorted(wanted))
    for number, fault, _ in injected:
        wanted = _of_sources(fault)
        verdicts.say(fault.name, sorted(wanted - sources.asserted(number)), sorted(wanted))


def _run():
    wanted = {label for fault in faults() for label in fault.asserts}.union(*VIOLATIONS.values())
    if wanted != assertions.known():
        raise CheckError(f"assertions without a fault, or not there: "
                         f"{', '.join(sorted(wanted ^ assertions.known()))}")
    verdicts, design, folder = Verdicts(), designs.Design(CONFIG), tools.BUILD / "faults"
    with tools.lock(folder):
        _replays(verdicts, design, folder)
        _judge(verdicts, designs.Design(FUSED), tools.make_folder(folder / "fused"))
        _sources(verdicts, tools.make_folder(folder / "sources"), design.manifest.generation)
    print(f"{verdicts.injected - verdicts.missed} of {verdicts.injected} faults caught")
    return verdicts.missed == 0


if __name__ == "__main__":
    sys.exit(run("faults", _run))
