# SPDX-License-Identifier: Apache-2.0
"""The intakes of a sparse and a dense tile alone, with random sources: see sources.sv."""

import pathlib
import subprocess

from toolbox import tools
from toolbox.errors import CheckError

from . import assertions, together

CLOCKS = 2000
BLOCKS = ("intake", "dense_intake")
# What a source may do wrong -> the assertions that must fail.
VIOLATIONS = {
    "side A offers too many rows": {f"{block} rows_within_depth" for block in BLOCKS},
    "side B offers too many rows": {f"{block} rows_within_depth" for block in BLOCKS},
    "last_of_output without last": {f"{block} output_ends_with_stream" for block in BLOCKS},
}

_HW = tools.ROOT / "hw" / "tile"
_DRIVER = pathlib.Path(__file__).with_name("sources")
_INCLUDE = "/usr/share/verilator/include"
_RUNTIME_OPTIONS = ("-isystem", _INCLUDE, "-isystem", f"{_INCLUDE}/vltstd", "-DVM_SC=0",
                    "-DVM_TRACE=0", "-DVM_COVERAGE=0")
_RUNTIME = tools.BUILD / "lib" / "libverilated_cc.a"


class Sources:
    """A program of the intakes with all of some faults, (number, fault, file)."""

    def __init__(self, folder, injected):
        sound = {path.name: path.read_text(encoding="utf-8")
                 for pattern in ("*_staging.v", "*_moves.v", "*_search.v", "*intake.v")
                 for path in _HW.glob(pattern)}
        rtl, model = tools.make_folder(folder / "rtl"), folder / "model"
        self._program, log = folder / "sources", folder / "log.txt"
        texts = together.texts(sound, injected)
        for name, text in texts.items():
            tools.write(rtl / name, text)
        runner = tools.Runner()
        runner.run(["verilator", "--cc", "--assert", "-Wno-lint", "--prefix", "Vsources",
                    "--top-module", "sources", "--Mdir", model, *(rtl / name for name in texts),
                    *_HW.glob("*intake_assert.sv"), _DRIVER.with_suffix(".sv")],
                   log, folder)
        # As one file: most of the time goes into Verilator's headers.
        included = (option for path in model.glob("*.cpp") for option in ("-include", path))
        runner.run(["g++", "-std=c++17", "-I", model, *_RUNTIME_OPTIONS, *included,
                    _DRIVER.with_suffix(".cpp"), _RUNTIME, "-pthread", "-o", self._program],
                   log, folder)

    def asserted(self, number=0, violation=None):
        """Assertions that fail with a fault, or with sources that break a rule."""
        options = [] if violation is None else [f"+violate={violation}"]
        done = subprocess.run([self._program, str(CLOCKS), f"+verilator+error+limit+{10**6}",
                               *options], stdout=subprocess.PIPE, text=True, check=False,
                              env=together.environment(number))
        if done.returncode != 0:
            raise CheckError(f"sources: {number} {violation}: status {done.returncode}")
        return assertions.failed(done.stdout)
