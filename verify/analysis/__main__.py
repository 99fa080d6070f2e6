# SPDX-License-Identifier: Apache-2.0
"""Runs the subjects that scripts/analyse has built and keeps what they have shown."""

import sys
import time

from toolbox import evidence, program, tools
from toolbox.evidence import Cell

from . import lines, sanitized, threads, tidy

ANALYSIS = tools.BUILD / "analysis"
COMMAND = "scripts/analyse"


def _tests():
    """Sanitizers, and the lines that ran."""
    folder = tools.make_folder(ANALYSIS / "tests")
    start = time.monotonic()
    counts = sanitized.run(ANALYSIS, folder)
    inputs = sum(counts.corpora.values())
    program.print_lines([
        f"tests: {counts.unit_tests} unit tests, {counts.command_lines} checks of command lines, "
        f"{counts.designs} designs, {inputs} inputs of {len(counts.corpora)} fuzz targets under "
        f"ASan and UBSan: 0 findings, {time.monotonic() - start:.0f} s"])
    report = tools.BUILD / "coverage"
    files = lines.measure(ANALYSIS, folder, report)
    program.print_lines([*lines.table(files), f"lines: {report}/index.html"])
    kept = {"base": counts.corpora["config"], "gen": counts.corpora["config"], "sim": inputs - counts.corpora["config"]}
    cells = []
    for block in lines.FOLDERS:
        percent = int(lines.total(files, block).percent * 10) / 10
        tested = f"{counts.unit_tests} unit tests, {kept[block]} fuzz inputs under ASan, UBSan"
        cells += [Cell(block, "vectors", tested, True),
                  Cell(block, "coverage", f"{percent:g} % of lines", True)]
    return cells, True


def _threads():
    """ThreadSanitizer."""
    start = time.monotonic()
    counts = threads.run(tools.BUILD / "threads", tools.BUILD / "threads" / "runs")
    text = f"{counts.unit_tests} unit tests, {counts.simulations} networks"
    program.print_lines([f"threads: {text} under TSan, {threads.THREADS} threads: 0 findings; a "
                         f"injected race is reported, {time.monotonic() - start:.0f} s"])
    return [Cell("sim", "vectors", f"{text} under TSan", True)], True


def _tidy():
    """clang-tidy."""
    start = time.monotonic()
    files, findings = tidy.run(ANALYSIS)
    program.print_lines([*findings, f"tidy: {sum(files.values())} files, {len(findings)} findings, "
                         f"{time.monotonic() - start:.0f} s"])
    cells = []
    for block in lines.FOLDERS:
        own = sum(finding.startswith(f"{block}/") for finding in findings)
        cells.append(Cell(block, "lint", f"clang-tidy: {files[block]} files, {own} findings",
                          own == 0))
    return cells, not findings


# Each returns its cells, and whether it found nothing; verify/ has no cells.
_SUBJECTS = {"tests": _tests, "threads": _threads, "tidy": _tidy}


def main():
    """Exit status 1 when a subject has a finding."""
    passed = True
    for subject in sys.argv[1:]:
        cells, clean = _SUBJECTS[subject]()
        evidence.record(f"software_{subject}", f"{COMMAND} {subject}", cells)
        passed &= clean
    return passed


if __name__ == "__main__":
    sys.exit(program.run("analyse", main))
