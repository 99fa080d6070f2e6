#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Plants faults in the emitted Verilog and demands that the replay turns red for each of them.

usage: faults.py BUILD   (the main build folder)
"""

import fcntl
import pathlib
import re
import shutil
import subprocess
import sys

CONFIG = "tiny"

# What every faulty tile is put through: full rate; stalls, modes and special values; and an output
# in every clock, which fills the output buffer.
RUNS = [
    ["--random", "400", "--specials", "0.01"],
    ["--random", "400", "--specials", "0.01", "--dense", "0.2", "--stall", "0.4"],
    ["--random", "400", "--rows", "1", "--streams", "1", "--stall", "0.5"],
]

# (name, block, pattern, replacement): the pattern must match the emitted file exactly once.
FAULTS = [
    ("a wrong lane offset", "interconnect",
     r"(select_l0_i\[1\]\}\} & window_1_i)\[63:48\]", r"\1[47:32]"),
    ("a swapped priority", "scheduler",
     r"assign select_l1_o = [^;]*;",
     "wire [5:0] swapped = {reach_l1[5:3], reach_l1[1], reach_l1[2], reach_l1[0]};\n"
     "  wire [5:0] picked = swapped & (~swapped + 6'd1);\n"
     "  assign select_l1_o = {picked[5:3], picked[1], picked[2], picked[0]};"),
    ("an element taken twice", "row", r"\(free\[11:4\] & ~rest\)", "8'd0"),
    ("what was taken before a reset", "intake", r"assign taken_load_o = [^;]*;",
     "assign taken_load_o = step_o;"),
    ("an advance too large by one", "intake", r"\{clear_i & (~\{2\{dense_o\}\}), 1'b1\}",
     r"{{clear_i[0], 1'b1} & \1, 1'b1}"),
    ("a ready too large by one", "intake", r"(b_stay_o\[2\]\}\} &) 2'd1", r"\1 2'd2"),
    ("an offered row taken twice", "staging", r"\(\{64\{stay_i\[1\]\}\} & row_1_i\)",
     "({64{stay_i[1]}} & row_0_i)"),
    ("a flag that does not move with its row", "intake",
     r"(b_shift_0_o\[1\]\}\} & \{dense_q\[2\], last_of_output_q\[)2\]", r"\g<1>1]"),
    ("a missing stream boundary", "intake", r"assign eligible_o = [^;]*;",
     "assign eligible_o = 3'b111;"),
    ("a step with a partly filled window", "intake",
     r"assign eligible_o = ([^;]*);([^@]*)assign step_o = [^;]*;",
     r"assign eligible_o = \1 & present;\2assign step_o = enable_i & present[0];"),
    ("a dropped carry in the adder", "fp",
     r"(\{28\{s\[61\]\}\}\) \+ \{27'd0, s\[61\]\};)", r"\1 sum[27] = 1'b0;"),
    ("a lost stall", "sequencer", r"assign enable_o = [^;]*;", "assign enable_o = 1'b1;"),
    ("a nonfinite flag that does not clear", "sequencer", r"final_i \? 4'd0 : nonfinite",
     "nonfinite"),
    ("an accumulator that does not start again", "sequencer", r"held_q <= ~arrives_final;",
     "held_q <= 1'b1;"),
    ("a stall that is not counted", "intake", r"assign waiting_o = [^;]*;",
     "assign waiting_o = 1'b0;"),
    ("a mode that is not held", "intake", r"assign dense_o = [^;]*;",
     "assign dense_o = dense_q[0];"),
    ("a window that a reset does not empty", "intake", r"b_present_q <= 3'd0;",
     "b_present_q <= 3'd1;"),
    # Registers start with random values: nothing may depend on them.
    ("a window without a reset", "intake",
     r"if \(!rst_ni\) b_present_q <= 3'd0;\n    else begin", "begin"),
]


class Bench:
    """One build of the testbench whose Verilog is changed in place."""

    def __init__(self, build):
        self.folder = build / "faults"
        self.folder.mkdir(exist_ok=True)
        # A second run at once would meet the first one's faults.
        self.lock = open(self.folder / ".lock", "w")
        fcntl.flock(self.lock, fcntl.LOCK_EX)
        self.rtl = self.folder / "rtl"
        self.bench = self.folder / "bench"
        shutil.rmtree(self.rtl, ignore_errors=True)
        self.call([build / "tdgen", "--config", CONFIG, "--out", self.rtl])
        source = pathlib.Path(__file__).resolve().parent / "tile"
        self.call(["cmake", "-G", "Ninja", "-S", source, "-B", self.bench,
                   "-DCMAKE_BUILD_TYPE=Release", f"-DTD_DESIGN={self.rtl}",
                   f"-DTD_NAME={CONFIG}", f"-DTD_BUILD={build}", "-DTD_FAST=ON"])

    def call(self, command):
        done = subprocess.run([str(word) for word in command], stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True)
        if done.returncode != 0:
            sys.exit(f"{command[0]} failed:\n{done.stdout[-3000:]}")

    def verdict(self):
        """The first mismatch of the runs, or None."""
        self.call(["ninja", "-C", self.bench, "-j", "1", "tdreplay"])
        for run in RUNS:
            done = subprocess.run([self.bench / "tdreplay", *run], stdout=subprocess.DEVNULL,
                                  stderr=subprocess.PIPE, text=True)
            found = re.search(r"first mismatch: (.*)", done.stderr)
            if done.returncode == 1 and found:
                return found.group(1)
            if done.returncode != 0:
                sys.exit(f"tdreplay returned {done.returncode}: {done.stderr}")
        return None

    def plant(self, block, pattern, replacement):
        """Changes one file; returns how to mend it."""
        path = self.rtl / f"{CONFIG}_{block}.v"
        sound = path.read_text()
        faulty, count = re.subn(pattern, replacement, sound)
        if count != 1:
            sys.exit(f"{path.name}: {pattern}: {count} matches instead of one")
        # What a fault leaves unused must not stop the build.
        path.write_text("/* verilator lint_off UNUSED */\n" + faulty)
        return lambda: path.write_text(sound)


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    bench = Bench(pathlib.Path(sys.argv[1]).resolve())
    sound = bench.verdict()
    if sound is not None:
        sys.exit(f"without a fault: {sound}")
    missed = 0
    for name, block, pattern, replacement in FAULTS:
        mend = bench.plant(block, pattern, replacement)
        seen = bench.verdict()
        mend()
        missed += seen is None
        print(f"{'caught' if seen else 'MISSED'}: {name}: {seen or 'no mismatch'}", flush=True)
    print(f"{len(FAULTS) - missed} of {len(FAULTS)} faults caught")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
