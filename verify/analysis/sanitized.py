# SPDX-License-Identifier: Apache-2.0
"""Unit tests, command lines, kept inputs of fuzzing and every configuration, under AddressSanitizer
and UndefinedBehaviorSanitizer; the lines that the tests run are counted meanwhile."""

import dataclasses
import re

from toolbox import tools
from toolbox.errors import CheckError
from toolbox.progress import Progress

from . import programs

FUZZ = tools.ROOT / "verify" / "fuzz"


def fuzz_targets():
    """Names of the fuzz targets."""
    return sorted(path.stem.removeprefix("fuzz_") for path in FUZZ.glob("fuzz_*.cpp"))


@dataclasses.dataclass
class Counts:
    """What ran without a finding."""

    unit_tests: int = 0
    command_lines: int = 0
    designs: int = 0
    corpora: dict = dataclasses.field(default_factory=dict)  # target -> inputs


def _corpus(build, target, folder):
    inputs = FUZZ / "corpus" / target
    said = programs.run([build / "verify" / "fuzz" / f"fuzz_{target}", "-runs=0",
                         f"-artifact_prefix={folder}/", inputs],
                        folder / f"fuzz_{target}.log", LLVM_PROFILE_FILE="/dev/null")
    files = sum(1 for _ in inputs.iterdir())
    counted = re.search(r"(\d+) files found in", said)
    if files == 0 or counted is None or int(counted[1]) != files:
        raise CheckError(f"fuzz_{target}: {inputs} was not read whole")
    return files


def run(build, folder):
    """Runs everything; raw counts of lines go to folder/lines."""
    counts = Counts()
    lines = tools.make_folder(folder / "lines")
    for old in lines.glob("*.profraw"):
        old.unlink()
    counted = {"LLVM_PROFILE_FILE": str(lines / "%4m.profraw")}
    targets, configurations = fuzz_targets(), programs.configurations()
    progress = Progress("runs", 4 + len(targets) + len(configurations))
    counts.unit_tests = programs.unit_tests(build / "verify" / "unit" / "td_unit",
                                            folder / "unit.log", **counted)
    progress.step()
    for script, program in (("tdgen_test.sh", "tdgen"), ("tdsim_test.sh", "tdsim"),
                            ("tdsim_energy_test.sh", "tdsim")):
        counts.command_lines += programs.command_line(script, [build / program],
                                                      folder / f"{script}.log", **counted)
        progress.step()
    for configuration in configurations:
        programs.run([build / "tdgen", "--config", configuration, "--out",
                      folder / "designs" / configuration.stem],
                     folder / f"tdgen_{configuration.stem}.log", **counted)
        counts.designs += 1
        progress.step()
    for target in targets:
        counts.corpora[target] = _corpus(build, target, folder)
        progress.step()
    progress.finish()
    return counts
