# SPDX-License-Identifier: Apache-2.0
"""The command line of scripts/ppa."""

import sys

from toolbox import tools
from toolbox.errors import UserError
from toolbox.program import Parser, print_lines, run

from . import area_table, cells, fit, measure, power, report


def _clock(text):
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0.001 <= value <= 1e6:
        raise UserError("command line", "--clock", text, "a clock of 0.001..1000000 ns")
    return value


def _arguments():
    parser = Parser("scripts/ppa",
                    description="Area, clock, power and energy of a configuration beside its dense "
                    "counterpart, before layout: emits both, synthesises them with Yosys and ABC, "
                    "times them with OpenSTA, replays a trace through the netlists, and keeps every "
                    "result in build/ppa.")
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("--config", metavar="FILE|PRESET",
                      help="a TOML file, or a preset (build/tdgen --list)")
    what.add_argument("--fit", action="store_true",
                      help="instead: areas of blocks as functions of the parameters, fitted over a "
                      "list of configurations")
    parser.add_argument("--liberty", metavar="FILE",
                        help="standard cells, also compressed by gzip; default: osu018's, 180 nm")
    parser.add_argument("--cells", metavar="FILE|NAME",
                        help="what liberty does not say of them: a file like those in "
                        "constraints/cells, or the name of one; found by the liberty's name if it "
                        "is there")
    parser.add_argument("--trace", metavar="FILE",
                        help="operands; default: verify/traces/plain.safetensors")
    clock = parser.add_mutually_exclusive_group()
    clock.add_argument("--clock", metavar="NS", help="clock, which both tiles must meet; default: of the cells' "
                        "description, or else the fastest that they do meet")
    clock.add_argument("--find-clock", action="store_true",
                       help="the fastest clock that both tiles meet")
    parser.add_argument("--area-only", action="store_true", help="area, and no more")
    return parser.parse_args()


def _clock_ns(argument, standard_cells):
    if argument is not None:
        return _clock(argument)
    if standard_cells.timing is None:
        raise UserError(standard_cells.file, "timing.clock_ns", "(absent)",
                        "--clock NS, or --cells FILE with a [timing] section")
    return standard_cells.timing.clock_ns


def _run():
    arguments = _arguments()
    standard_cells = cells.load(arguments.cells, arguments.liberty)
    clock_ns = _clock_ns(arguments.clock, standard_cells)
    for warning in standard_cells.warnings():
        print(f"ppa: warning: {warning}", file=sys.stderr)
    runner = tools.Runner()
    if arguments.fit:
        fitted = fit.measure(standard_cells, clock_ns, runner)
        print_lines([*fit.lines(fitted), f"all of it: {fit.write(fitted)}"])
    else:
        _measure(arguments, standard_cells, clock_ns, runner)


def _measure(arguments, standard_cells, clock_ns, runner):
    trace = power.trace_file(arguments.trace)
    emitted = measure.designs(arguments.config)
    if arguments.find_clock:
        tiles, clock_ns = measure.find_clock(emitted, standard_cells, clock_ns, runner)
    else:
        tiles = measure.areas(emitted, standard_cells, clock_ns, runner)
    tile, dense = tiles[measure.TILE], tiles.get(measure.DENSE)
    print_lines(area_table.lines(tile.design, tile.area, dense and dense.area, standard_cells, clock_ns))
    if arguments.area_only:
        return
    if not arguments.find_clock:
        measure.timings(tiles, clock_ns, runner)
    if arguments.clock is None:
        clock_ns = measure.met_clock(tiles, clock_ns, runner)
    for one in tiles.values():
        one.timing.check(one.design.name)
    measurement = measure.powers(tiles, standard_cells, clock_ns, trace, runner)
    folder = report.write(measurement)
    print_lines([*report.lines(measurement), f"all of it: {folder}"])


def main():
    """Exit status."""
    return run("ppa", _run)


if __name__ == "__main__":
    sys.exit(main())
