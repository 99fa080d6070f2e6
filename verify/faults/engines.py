# SPDX-License-Identifier: Apache-2.0
"""Injects the faults of load and store engine, compiled together, and demands that each is found: by
the plain loops of verify/accelerator/dma, and by the assertions that come with the Verilog, every
one of which must be seen to fail.

usage: verify/faults/engines.sh
"""

import subprocess
import sys

from injected.catalogue import faults
from toolbox import tools
from toolbox.errors import CheckError
from toolbox.program import run

from . import assertions, together

RUNS = 3000
MANY = "+verilator+error+limit+4000000"  # go on after an assertion failed
_HW = tools.ROOT / "hw"
_BENCH = tools.ROOT / "verify" / "accelerator" / "dma" / "dma_bench.v"
_INCLUDE = "/usr/share/verilator/include"
_LIBRARIES = [tools.BUILD / "lib" / f"lib{name}.a" for name in ("td_dma", "td_axi", "verilated_cc")]


class Engines:
    """A program of both engines with all of some faults, (number, fault, file)."""

    def __init__(self, folder, injected):
        modules = [*(_HW / "dma").glob("*.v"), _HW / "common" / "td1_fifo.v"]
        sound = {path.name: path.read_text(encoding="utf-8") for path in modules}
        texts = together.texts(sound, injected)
        rtl, model = tools.make_folder(folder / "rtl"), folder / "model"
        for name, text in texts.items():
            tools.write(rtl / name, text)
        runner, log = tools.Runner(), folder / "log.txt"
        runner.run(["verilator", "--cc", "--assert", "-Wno-lint", "--prefix", "Vdma",
                    "--top-module", "dma_bench", "-GBEAT_ROWS=2", "-GUNPACK_ROWS=4",
                    "--Mdir", model,
                    *(rtl / name for name in texts),
                    *(_HW / "common" / f"td1_{name}.v" for name in ("pipe", "skid")), _HW / "memory" / "td1_ram.v",
                    _HW / "fp" / "td1_to_bf16.v",
                    *(_HW / "dma").glob("*_assert.sv"), _BENCH], log, folder)
        included = (option for path in model.glob("*.cpp") for option in ("-include", path))
        self._program = folder / "dma"
        runner.run(["g++", "-std=c++17", "-O1", "-I", model, "-I", tools.ROOT, "-isystem", _INCLUDE,
                    "-isystem", f"{_INCLUDE}/vltstd", "-DVM_SC=0", "-DVM_TRACE=0",
                    "-DVM_COVERAGE=0", *included, tools.ROOT / "verify" / "faults" / "dma.cpp",
                    *_LIBRARIES, "-lfmt", "-pthread", "-o", self._program], log, folder)

    def judged(self, number):
        """(what is wrong by the plain loops or None, assertions that fail)."""
        done = subprocess.run([self._program, str(RUNS), MANY], stdout=subprocess.PIPE, text=True,
                              check=False, env=together.environment(number))
        if done.returncode not in (0, 1):
            raise CheckError(f"engines: {number}: status {done.returncode}")
        said = [line for line in done.stdout.splitlines() if line.startswith("engines: clock")
                or line.startswith("engines: byte") or " clocks, not " in line]
        return said[0] if said else None, assertions.failed(done.stdout)


def _run():
    listed = faults("engines")
    wanted = {label for fault in listed for label in fault.asserts}
    if wanted != assertions.known("dma"):
        raise CheckError(f"assertions without a fault, or not there: "
                         f"{', '.join(sorted(wanted ^ assertions.known('dma')))}")
    injected = [(number, fault, f"td1_{fault.block}.v") for number, fault in enumerate(listed, 1)]
    folder, missed = tools.make_folder(tools.BUILD / "faults" / "engines"), 0
    with tools.lock(folder):
        engines = Engines(folder, injected)
        said, failed = engines.judged(0)
        if said or failed:
            raise CheckError(f"without a fault: {said}, {failed}")
        for number, fault, _ in injected:
            said, failed = engines.judged(number)
            missing = sorted(set(fault.asserts) - failed)
            missing += ["the plain loops"] if fault.replay and not said else []
            missed += bool(missing)
            seen = [said] * bool(said) + sorted(fault.asserts)
            print(f"MISSED by {', '.join(missing)}: {fault.name}" if missing else
                  f"caught: {fault.name}: {'; '.join(seen)}", flush=True)
    print(f"{len(injected) - missed} of {len(injected)} faults caught")
    return missed == 0


if __name__ == "__main__":
    sys.exit(run("engines", _run))
