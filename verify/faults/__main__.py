# SPDX-License-Identifier: Apache-2.0
"""Plants faults in the emitted Verilog and demands that the replay turns red for each of them.

usage: verify/faults.sh
"""

import fcntl
import re
import subprocess
import sys

from flow import design
from toolbox import tools
from toolbox.errors import CheckError
from toolbox.program import run

from .catalogue import faults

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

    def verdict(self):
        """The first mismatch of the runs, or None."""
        self.runner.run(["ninja", "-C", self.bench, "-j", "1", "tdreplay"], self.log, self.bench)
        for options in RUNS:
            done = subprocess.run([self.bench / "tdreplay", *options], stdout=subprocess.DEVNULL,
                                  stderr=subprocess.PIPE, text=True, check=False)
            found = re.search(r"first mismatch: (.*)", done.stderr)
            if done.returncode == 1 and found:
                return found.group(1)
            if done.returncode != 0:
                raise CheckError(f"tdreplay returned {done.returncode}: {done.stderr}")
        return None

    def with_fault(self, fault):
        """The verdict with a fault planted."""
        name = f"{self.manifest.generation}_{fault.block}.v"
        tools.write(self.rtl / name, _TOLERANT + fault.planted(self.sound[name]))
        seen = self.verdict()
        tools.write(self.rtl / name, self.sound[name])
        return seen


def _run():
    bench = Bench(design.emit(CONFIG))
    sound = bench.verdict()
    if sound is not None:
        raise CheckError(f"without a fault: {sound}")
    planted = [fault for fault in faults() if fault.replay]
    missed = 0
    for fault in planted:
        seen = bench.with_fault(fault)
        missed += seen is None
        print(f"{'caught' if seen else 'MISSED'}: {fault.name}: {seen or 'no mismatch'}",
              flush=True)
    print(f"{len(planted) - missed} of {len(planted)} faults caught")
    return missed == 0


if __name__ == "__main__":
    sys.exit(run("faults", _run))
