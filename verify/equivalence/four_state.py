# SPDX-License-Identifier: Apache-2.0
"""Icarus against Verilator: the same pins, clock by clock, with unknown values at power-on."""

import dataclasses
import json
import pathlib
import re
import subprocess

from netlists import store
from injected import catalogue
from toolbox import pool, tools
from toolbox.errors import CheckError

from . import player

KIND = "four_state"

# What is recorded: stalls on all ports, both modes, special values, resets in mid-stream.
STIMULUS = ("--stall", "0.3", "--dense", "0.3", "--specials", "0.02", "--resets", "4",
            "--streams", "2", "--rows", "9")
# Of registers' values at power-on in Verilator, where the model judges what comes out.
SEEDS = (1, 2, 3)
POWER_ON_PASSES = 300
# Recorded passes, and fewer where they take Icarus long.
_PASSES = 90
_LANES = 12000    # passes times multipliers


def faults():
    """Those of the catalogue that only unknown values tell apart from a sound tile."""
    return [fault for fault in catalogue.faults() if fault.four_state]


@dataclasses.dataclass(frozen=True)
class Result:
    """One configuration."""

    configuration: str
    fault: str             # injected in what Icarus reads, or ""
    clocks: int            # in Icarus
    compared: int          # values of outputs
    failed: int
    first: str             # the first of them: clock and output
    power_on_clocks: int   # in Verilator, over all SEEDS

    @property
    def passed(self):
        """Whether all that was compared is equal, and something was."""
        return self.failed == 0 and self.compared > 0


def bench(config):
    """The configuration's tdreplay, built if need be."""
    build = tools.ROOT / "verify" / "regress" / "build.sh"
    done = subprocess.run([build, config, "fast", "tdreplay"], stdin=subprocess.DEVNULL,
                          capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise CheckError(done.stderr.strip() or f"{config}: {build} failed")
    return pathlib.Path(done.stdout.strip())


class _Job:
    """Recording in Verilator and playing in Icarus."""

    def __init__(self, emitted, program, fault):
        self.emitted, self.program, self.fault = emitted, program, fault
        tile = emitted.parameters["tile"]
        size = tile["lanes"] * tile["rows"] * tile["columns"]
        self.passes = max(1, min(_PASSES, _LANES // size))
        code = [path.read_text(encoding="utf-8")
                for path in sorted(pathlib.Path(__file__).parent.glob("*.py"))
                if path.stem in ("four_state", "player")]
        self.key = tools.digest(tools.version("iverilog"), tools.file_digest(program), str(fault),
                                *(file.read_text(encoding="utf-8") for file in emitted.files),
                                *code)

    def _replay(self, folder, log, passes, *options):
        self.runner.run([str(self.program), "--random", str(passes), *STIMULUS, *options],
                        folder / log, folder)
        return (folder / log).read_text(encoding="utf-8")

    def _power_on(self, folder):
        clocks = 0
        for seed in SEEDS:
            said = self._replay(folder, f"seed{seed}.txt", POWER_ON_PASSES, "--seed", str(seed))
            clocks += int(re.search(r"(\d+) clocks, 0 mismatches", said)[1])
        return clocks

    def _verilog(self, folder):
        for file in self.emitted.files:
            text = file.read_text(encoding="utf-8")
            (folder / file.name).write_text(text, encoding="utf-8")
        if self.fault:
            self.fault.inject(self.emitted.manifest, folder)
        return [file.name for file in self.emitted.files]

    def work(self, folder, runner):
        """Writes result.json."""
        self.runner = runner
        name = self.emitted.name
        power_on = 0 if self.fault else self._power_on(folder)
        self._replay(folder, "record.txt", self.passes, "--record", "pins.hex")
        clocks = (folder / "pins.hex").read_text(encoding="ascii").count("\n")
        (folder / "player.v").write_text(
            player.testbench(self.emitted.manifest, "pins.hex", clocks), encoding="utf-8")
        runner.run(["iverilog", "-s", "player", "-o", "player.vvp",
                    *self._verilog(folder), "player.v"], folder / "iverilog.txt", folder)
        runner.run(["vvp", "-n", "player.vvp"], folder / "vvp.txt", folder)
        said = (folder / "vvp.txt").read_text(encoding="utf-8")
        found = re.search(r"compared (\d+) failed (\d+)", said)
        if not found:
            raise CheckError(f"{name}: Icarus did not come to the end")
        first = re.search(r"clock \d+: \w+", said)
        result = Result(name, self.fault.name if self.fault else "", clocks, int(found[1]),
                        int(found[2]), first[0] if first else "", power_on)
        (folder / "result.json").write_text(json.dumps(dataclasses.asdict(result), indent=1),
                                            encoding="utf-8")


def compare_all(designs, configs, runner, faults=(None,)):
    """Results of several designs (and the configs that they come from), with each of the faults."""
    programs = pool.for_each(bench, configs, "testbenches", runner)
    jobs = [_Job(emitted, program, fault) for emitted, program in zip(designs, programs)
            for fault in faults]
    folders = store.run(KIND, {job.key: job for job in jobs}.values(), runner, "simulations")
    return [Result(**json.loads((folders[job.key] / "result.json").read_text(encoding="utf-8")))
            for job in jobs]
