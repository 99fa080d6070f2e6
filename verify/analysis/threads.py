# SPDX-License-Identifier: Apache-2.0
"""The parallel simulator under ThreadSanitizer."""

import dataclasses

from toolbox import tools
from toolbox.errors import CheckError
from toolbox.progress import Progress

from . import programs

THREADS = 4
_OPTIONS = {"TSAN_OPTIONS": "exitcode=86:halt_on_error=1:second_deadlock_stack=1"}
# Arguments of tdsim. One operation of each layer type, both searched sides, dense tiles, gating,
# and operands that are drawn.
_RUNS = (
    ("run", programs.TRACE, "--config", "paper_bf16", "--schedule", "best", "--gate"),
    ("run", programs.TRACE, "--config", "pe_two_sided"),
    ("run", programs.TRACE, "--config", "dense_bf16"),
    ("synth", "--config", "tiny", "--network", "alexnet", "--sparsity", "relu", "--batch", "1",
     "--layer", "features.10"),
)


@dataclasses.dataclass(frozen=True)
class Counts:
    """What ran without a report."""

    unit_tests: int
    simulations: int


def _check_alarm(build, folder):
    """ThreadSanitizer reports a race in the body of a loop, and nothing where there is none."""
    programs.run([build / "verify" / "analysis" / "injected_race"], folder / "no_race.log", **_OPTIONS)
    try:
        programs.run([build / "verify" / "analysis" / "injected_race", "race"],
                     folder / "injected_race.log", **_OPTIONS)
    except CheckError:
        if "data race" in (folder / "injected_race.log").read_text(encoding="utf-8"):
            return
        raise
    raise CheckError("injected_race: ThreadSanitizer did not report the injected race")


def _simulate(build, folder, index, arguments):
    """The same result with one thread as with several."""
    results = []
    for threads in (THREADS, 1):
        result = folder / f"run{index}_{threads}.json"
        programs.run([build / "tdsim", *arguments, "--threads", threads, "--json", result],
                     folder / f"run{index}_{threads}.log", **_OPTIONS)
        results.append(result.read_bytes())
    if results[0] != results[1]:
        raise CheckError(f"tdsim: {THREADS} threads make another result than one; compare "
                         f"{folder}/run{index}_*.json")


def run(build, folder):
    """Runs everything."""
    tools.make_folder(folder)
    progress = Progress("runs", 2 + len(_RUNS))
    _check_alarm(build, folder)
    progress.step()
    unit_tests = programs.unit_tests(build / "verify" / "unit" / "td_unit_parallel",
                                     folder / "unit.log", **_OPTIONS)
    progress.step()
    for index, arguments in enumerate(_RUNS):
        _simulate(build, folder, index, arguments)
        progress.step()
    progress.finish()
    return Counts(unit_tests, len(_RUNS))
