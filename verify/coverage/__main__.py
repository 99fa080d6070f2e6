# SPDX-License-Identifier: Apache-2.0
"""The command line of scripts/coverage."""

import collections
import pathlib
import sys

from toolbox import design, evidence
from toolbox.errors import CheckError, UserError
from toolbox.program import Parser, print_lines, run

from . import code, functional, holes, runs
from .report import Report


def _arguments():
    parser = Parser("scripts/coverage",
                    description="Builds small designs that count lines, branches and toggles of "
                    "their Verilog, and an accelerator that counts lines and branches, runs random "
                    "operands and layers through them, and merges what all runs "
                    "covered with what other runs covered. Every hole must have a reason. Report "
                    "and JSON in build/coverage.")
    parser.add_argument("results", nargs="*", metavar="FOLDER|FILE", type=pathlib.Path,
                        help="functional coverage of more runs, as tdreplay --coverage-file writes "
                        "it: files, or folders such as those of scripts/regress")
    parser.add_argument("--check", action="store_true",
                        help="merge only these, which are of one configuration, and list the holes")
    return parser.parse_args()


def _files(results):
    """All files of functional coverage among files and folders."""
    files = []
    for path in results:
        found = sorted(path.rglob("coverage/*.json")) if path.is_dir() else [path]
        if not found:
            raise UserError(path, "folder", "(no coverage/*.json in it)",
                            "a folder of scripts/regress")
        files += found
    return files


def _check(files):
    if not files:
        raise UserError("command line", "--check", "(no file)", "the coverage files of some runs")
    total = functional.merge(files)
    report = Report([total], {}, {})
    reached = total.reachable() - len(total.holes())
    print_lines([*report.functional_holes(),
                 f"{total.configuration}: {len(files)} runs cover {reached} of {total.reachable()} "
                 f"situations; {len(total.unreachable)} more are out of reach"])
    return report.passed()


def _around_tiles():
    """Counts of an accelerator's blocks but those of its tiles, which have runs of their own."""
    manifest = design.emit(runs.ACCELERATOR).manifest
    counts = code.load(runs.run_accelerator(), runs.ACCELERATOR, manifest.block)
    return {point: count for point, count in counts.items() if point.block not in evidence.BLOCKS}


def _measure(files):
    done = runs.run_all()
    counts = collections.Counter()
    for one in done:
        code.add(counts, code.load(one.code, one.manifest.name, one.manifest.block))
    code.add(counts, _around_tiles())
    if not counts:
        raise CheckError("no line was counted")
    explained = holes.explain(counts, holes.load())
    report = Report(functional.merge_by_configuration([*(one.functional for one in done), *files]),
                    counts, explained)
    report.write(runs.FOLDER)
    evidence.record("coverage", "scripts/coverage",
                    [evidence.Cell(block, "coverage", report.blocks.text(block),
                                   report.blocks.complete(block))
                     for block in sorted(report.blocks.shares) if block in evidence.BLOCKS])
    print_lines([*report.lines(), f"all of it: {runs.FOLDER / 'report.json'}"])
    return report.passed()


def _run():
    arguments = _arguments()
    files = _files(arguments.results)
    return _check(files) if arguments.check else _measure(files)


def main():
    """Exit status."""
    return run("coverage", _run)


if __name__ == "__main__":
    sys.exit(main())
