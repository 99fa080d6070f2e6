# SPDX-License-Identifier: Apache-2.0
"""The intakes of a sparse and a dense tile alone, with random sources: see sources.sv."""

import pathlib
import subprocess

from toolbox import tools
from toolbox.errors import CheckError

from . import assertions

CLOCKS = 2000
BLOCKS = ("intake", "dense_intake")
# What a source may do wrong -> the assertions that must fail.
VIOLATIONS = {
    "side A offers too many rows": {f"{block} rows_within_depth" for block in BLOCKS},
    "side B offers too many rows": {f"{block} rows_within_depth" for block in BLOCKS},
    "last_of_output without last": {f"{block} output_ends_with_stream" for block in BLOCKS},
}

_DRIVER = pathlib.Path(__file__).with_name("sources")
_INCLUDE = "/usr/share/verilator/include"
_RUNTIME_OPTIONS = ("-isystem", _INCLUDE, "-isystem", f"{_INCLUDE}/vltstd", "-DVM_SC=0",
                    "-DVM_TRACE=0", "-DVM_COVERAGE=0")
_RUNTIME = tools.BUILD / "lib" / "libverilated_cc.a"


class Sources:
    """A program of the intakes whose Verilog is changed in place."""

    def __init__(self, folder):
        self.rtl, self.model = folder / "rtl", folder / "model"
        self.program, self.log = folder / "sources", folder / "log.txt"
        self.runner = tools.Runner()
        tools.make_folder(self.rtl)
        self.sound = {path.name: path.read_text(encoding="utf-8")
                      for pattern in ("*_staging.v", "*intake.v", "*intake_assert.sv")
                      for path in (tools.ROOT / "hw" / "tile").glob(pattern)}
        for name, text in self.sound.items():
            tools.write(self.rtl / name, text)

    def build(self):
        """The program, of the Verilog as it now is."""
        self.runner.run(["verilator", "--cc", "--assert", "-Wno-lint", "--prefix", "Vsources",
                         "--top-module", "sources", "--Mdir", self.model,
                         *(self.rtl / name for name in self.sound), _DRIVER.with_suffix(".sv")],
                        self.log, self.rtl)
        # As one file: most of the time goes into Verilator's headers.
        included = (option for path in self.model.glob("*.cpp") for option in ("-include", path))
        self.runner.run(["g++", "-std=c++17", "-I", self.model, *_RUNTIME_OPTIONS, *included,
                         _DRIVER.with_suffix(".cpp"), _RUNTIME, "-pthread", "-o", self.program],
                        self.log, self.rtl)

    def asserted(self, violation=None):
        """Assertions that fail with legal sources, or such as break a rule."""
        options = [] if violation is None else [f"+violate={violation}"]
        done = subprocess.run([self.program, str(CLOCKS), f"+verilator+error+limit+{10**6}",
                               *options], stdout=subprocess.PIPE, text=True, check=False)
        failed = assertions.failed(done.stdout)
        if done.returncode != 0:
            raise CheckError(f"sources: {violation}: status {done.returncode}")
        return failed

    def with_fault(self, fault, name):
        """Assertions that fail with a fault planted in the file of that name."""
        tools.write(self.rtl / name, fault.planted(self.sound[name]))
        self.build()
        seen = self.asserted()
        tools.write(self.rtl / name, self.sound[name])
        return seen
