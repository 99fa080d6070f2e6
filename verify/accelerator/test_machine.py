#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""A small layer of every kind, all three operations, dense and with dropped pairs: tdsim counts the
clocks and bytes that the Verilog takes, without its data, of the same plans. Weight gradients again
with plans for energy, input gradients with a memory of a bandwidth; where loads unpack, all with
packed operands.

usage: test_machine.py TDSIM TDACCEL…
"""

import itertools
import json
import operator
import pathlib
import re
import subprocess
import sys
import tempfile

TRACE = pathlib.Path(__file__).resolve().parent / "large/layer_trace.py"
# What tdsim calls fields of tdaccel.
CLOCKS = ("clocks", "memory_cycles")
FIELDS = (("off_chip_read_bytes", "dram_read_bytes"),
          ("off_chip_written_bytes", "dram_written_bytes"),
          ("operand_memory_read_bytes", "operand_memory_read_bytes"),
          ("operand_memory_written_bytes", "operand_memory_written_bytes"),
          ("scratchpad_read_bytes", "scratchpad_read_bytes"),
          ("scratchpad_written_bytes", "scratchpad_written_bytes"),
          ("result_memory_read_bytes", "result_memory_read_bytes"),
          ("result_memory_written_bytes", "result_memory_written_bytes"))
RUNS = ((), ("--op", "wgrad", "--objective", "energy"), ("--op", "dgrad", "--bandwidth", "12.5"))
PACKED = (("--packed",), ("--packed", "--op", "wgrad", "--bandwidth", "12.5"))
MODES = (("dense", "dense_"), ("tensordash", ""))


def result(file, *command):
    """The result that a program writes to a file, and the lines that it prints."""
    done = subprocess.run([str(word) for word in (*command, "--json", file)], capture_output=True,
                          text=True, check=False)
    if done.returncode:
        sys.exit(f"{command[0]} failed:\n{done.stderr[-3000:]}")
    return json.loads(file.read_text(encoding="utf-8")), done.stdout.splitlines()


def compare(verilog, printed, simulated, config):
    """Prints a line for each operation and mode. Returns how many were compared, and differ."""
    compared, different = 0, 0
    simulated = {(one["snapshot"], one["layer"], one["op"]): one for one in simulated["operations"]}
    for rtl, row in zip(verilog["operations"], printed[1:], strict=False):
        sim = simulated[rtl["snapshot"], rtl["layer"], rtl["op"]]
        plans = dict(zip((mode for mode, _ in MODES), row.split()[-2:], strict=True))
        for mode, prefix in MODES:
            clocks, counted = rtl[mode][CLOCKS[0]], sim[prefix + CLOCKS[1]]
            wrong = [name for name, ours in FIELDS if rtl[mode][name] != sim[prefix + ours]]
            if plans[mode] != sim[prefix + "plan_hash"]:
                wrong.append("plan")
            same = clocks == counted and not wrong
            print(f"{config:16} {rtl['layer']:10} {rtl['op']:5} {mode:10} {clocks:9} {counted:9} "
                  f"{100 * (counted / clocks - 1):+7.3f} %  {', '.join(wrong) or 'equal'}")
            compared += 1
            different += not same
    return compared, different


def technology(verilog):
    """What tdsim is told to have the technology of a tdaccel."""
    port = re.search(r"ports of (\d+) bits", verilog["technology"]["memories"])[1]
    return "--technology", verilog["technology"]["name"], "--memories", f"45/itrs-lop/{port}"


def known(config):
    """What tdsim is told to have a tdaccel's configuration: a file, or the preset's name."""
    file = TRACE.parent / f"{config}.toml"
    return file if file.exists() else config


def reads(simulated):
    """Bytes that each operation of a result reads, dense."""
    return [one["dense_dram_read_bytes"] for one in simulated["operations"]]


def main(tdsim, tdaccels):
    """Every program is of one configuration, whose name its result has."""
    compared, different, dropping, packed, may_pack = 0, 0, 0, 0, False
    with tempfile.TemporaryDirectory() as folder:
        trace = pathlib.Path(folder) / "kinds.safetensors"
        subprocess.run([TRACE, "kinds", trace], check=True)
        print("configuration    layer      op    mode         Verilog     tdsim      off  bytes, plan")
        file = pathlib.Path(folder) / "result.json"
        for tdaccel in tdaccels:
            unpacks = False
            for options in itertools.chain(RUNS, PACKED):
                if options in PACKED and not unpacks:
                    continue
                verilog, printed = result(file, tdaccel, "step", "--trace", trace, *options)
                config = verilog["configuration"]["name"]
                unpacks = verilog["accelerator"]["unpack_rows"] > 0
                may_pack = may_pack or unpacks
                simulated, _ = result(file, tdsim, "run", trace, "--config", known(config),
                                      *technology(verilog), *options)
                if len(verilog["operations"]) != len(simulated["operations"]):
                    sys.exit(f"{config}: other operations")
                counts = compare(verilog, printed, simulated, config)
                compared, different = compared + counts[0], different + counts[1]
                dropping += sum(one["plan_drops"] for one in simulated["operations"])
                if options == RUNS[0]:
                    raw = reads(simulated)
                elif options == PACKED[0]:  # planners pack what pays: some of it, or nothing
                    packed += sum(map(operator.ne, raw, reads(simulated)))
    print(f"{compared} compared, {different} differ; {dropping} plans drop pairs, {packed} operations "
          "have packed operands")
    return 1 if different or not compared or not dropping or (may_pack and not packed) else 0


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1], sys.argv[2:]))
