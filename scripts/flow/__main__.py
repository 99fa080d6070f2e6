# SPDX-License-Identifier: Apache-2.0
"""The command line of scripts/ppa."""

import argparse
import os
import signal
import sys

from . import area, area_table, cells, design, synthesis, tools
from .errors import CheckError, UserError


class _Parser(argparse.ArgumentParser):
    def error(self, message):
        raise UserError("ppa", "arguments", f"\"{' '.join(sys.argv[1:])}\"",
                        f"{message}; see scripts/ppa --help")


def _clock(text):
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0.001 <= value <= 1e6:
        raise UserError("ppa", "--clock", text, "a clock of 0.001..1000000 ns")
    return value


def _arguments():
    parser = _Parser(prog="scripts/ppa", allow_abbrev=False, description="Area of a configuration beside "
                     "its dense counterpart: emits both, synthesises each unique module once with "
                     "Yosys and ABC, and keeps the results in build/ppa.")
    parser.add_argument("--config", required=True, metavar="FILE|PRESET",
                        help="a TOML file, or a preset (build/tdgen --list)")
    parser.add_argument("--liberty", metavar="FILE",
                        help="standard cells, also compressed by gzip; default: osu018's, 180 nm")
    parser.add_argument("--cells", metavar="FILE|NAME",
                        help="what liberty does not say of them: a file like those in "
                        "constraints/cells, or the name of one; found by the liberty's name if it "
                        "is there")
    parser.add_argument("--clock", metavar="NS", help="clock; default: of the cells' description")
    parser.add_argument("--area-only", action="store_true", help="area, and no more")
    return parser.parse_args()


def _clock_ns(argument, standard_cells):
    if argument is not None:
        return _clock(argument)
    if standard_cells.timing is None:
        raise UserError(standard_cells.file, "timing.clock_ns", "(absent)",
                        "--clock NS, or --cells FILE with a [timing] section")
    return standard_cells.timing.clock_ns


def _print(lines):
    try:
        print("\n".join(lines), flush=True)
    except OSError as error:
        # Whatever is left in the buffer must not be tried again at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise UserError("standard output", "write", error.strerror,
                        "a reader, or a disk with room") from error


def _run():
    arguments = _arguments()
    standard_cells = cells.load(arguments.cells, arguments.liberty)
    clock_ns = _clock_ns(arguments.clock, standard_cells)
    for warning in standard_cells.warnings():
        print(f"ppa: warning: {warning}", file=sys.stderr)
    tile = design.emit(arguments.config)
    dense = design.dense_counterpart(tile)
    runner = tools.Runner()
    areas = []
    for result in synthesis.synthesise([tile, dense] if dense else [tile], standard_cells, clock_ns,
                                       runner=runner):
        areas.append(area.roll_up(result))
        area.check(result, areas[-1], runner)
    table = area_table.lines(tile, areas[0], areas[1] if dense else None, standard_cells, clock_ns)
    _print(table)


def main():
    """Exit status."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    try:
        _run()
        return 0
    except UserError as error:
        print(f"ppa: {error}", file=sys.stderr)
        return 2
    except CheckError as error:
        print(f"ppa: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main())
