#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The worked chip of docs/integration around accel_tiny, in Icarus: four-state values, and no memory
or bus of ours. Random layers end with the functional model's memory.

usage: test_example.py TDGEN TDACCEL
"""

import pathlib
import re
import subprocess
import sys
import tempfile

BENCH = pathlib.Path(__file__).resolve().parents[2] / "docs/integration/accelerator_tb.v"
LAYERS = (2, 3, 4)  # short ones


def run(*command):
    """What a program prints, on both streams."""
    done = subprocess.run([str(word) for word in command], stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"{command[0]} failed:\n{done.stdout[-3000:]}")
    return done.stdout


def simulate(bench, folder, arguments):
    """The testbench's last line for the files in a folder."""
    return run("vvp", bench, f"+before={folder}/before.hex", f"+after={folder}/after.hex",
               *arguments).strip().splitlines()[-1]


def spoil(path):
    """Another digit in the first row of a file that is not zero: a result, or an operand."""
    text = path.read_text(encoding="utf-8")
    path.write_text(re.sub(r"[1-9]", "0", text, count=1), encoding="utf-8")


def main(tdgen, tdaccel):
    """Every layer's memory is equal; one that should not be is found."""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        run(tdgen, "--config", "accel_tiny", "--accelerator", "--out", folder / "rtl")
        bench = folder / "bench.vvp"
        run("iverilog", "-g2005", "-Wall", "-Wno-timescale", "-o", bench, "-s", BENCH.stem, "-f",
            folder / "rtl/accel_tiny.f", BENCH)
        for seed in LAYERS:
            arguments = run(tdaccel, "image", "--seed", seed, "--out", folder).split()
            said = simulate(bench, folder, arguments)
            if not re.fullmatch(r"all 8192 rows are equal, job of \d+ clocks", said):
                sys.exit(f"layer {seed}: {said}")
        spoil(folder / "after.hex")
        if simulate(bench, folder, arguments) != "failed: a row of memory differs":
            sys.exit("a wrong row of memory is not found")
    print(f"{len(LAYERS)} layers equal in Icarus")


if __name__ == "__main__":
    main(*sys.argv[1:])
