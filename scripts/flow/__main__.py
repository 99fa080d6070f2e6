# SPDX-License-Identifier: Apache-2.0
"""The command line of scripts/ppa."""

import functools
import itertools
import json
import sys

from toolbox import design, tools
from toolbox.errors import UserError
from toolbox.program import Parser, known, prepare, print_lines, run
from workflows import engine

from netlists import cells, synthesis

from . import accelerator, components, fields, fit, measure, placed, power
from .point import Point


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
    what.add_argument("--config", metavar="FILE|PRESET", action="append",
                      help="a TOML file, or a preset (build/tdgen --list); again: a sweep over "
                      "several, with every --clock")
    what.add_argument("--all", action="store_true",
                      help="instead: every tile of a preset that drops pairs, with every carried trace and its "
                      "energies; takes hours, and goes on where it was stopped")
    what.add_argument("--fit", metavar="FILE|PRESET",
                      help="instead: areas of blocks as functions of a tile's sizes, fitted over a "
                      "list of tiles with the registers of this configuration; with --energies, what "
                      "parts of energy cost, too, as functions of depth and options")
    what.add_argument("--fields", action="store_true",
                      help="instead: explain the fields of ppa.json, as Markdown")
    parser.add_argument("--liberty", metavar="FILE",
                        help="standard cells, also compressed by gzip; default: osu018's, 180 nm")
    parser.add_argument("--cells", metavar="FILE|NAME",
                        help="what liberty does not say of them: a file like those in "
                        "constraints/cells, or the name of one; found by the liberty's name if it "
                        "is there")
    parser.add_argument("--trace", metavar="FILE",
                        help="operands; default: verify/traces/plain.safetensors; with --energies, "
                        "beside all of verify/traces, which --all takes, too")
    clock = parser.add_mutually_exclusive_group()
    clock.add_argument("--clock", metavar="NS", action="append",
                       help="clock, which both tiles must meet; default: of the cells' "
                       "description, or else the fastest that they do meet; again: a sweep")
    clock.add_argument("--find-clock", action="store_true",
                       help="the fastest clock of each tile, and all else at the one that both meet")
    parser.add_argument("--area-only", action="store_true", help="area, and no more")
    parser.add_argument("--energies", action="store_true",
                        help="also what each part of a tile's energy costs, for tdsim --synthesis")
    parser.add_argument("--accelerator", action="store_true",
                        help="instead: area and timing of the whole accelerator of each "
                        "configuration, its memories apart")
    parser.add_argument("--placed", metavar="SEEDS", type=int,
                        help="instead: each tile placed, not routed, with so many seeds: wires, "
                        "repeaters, the clock with these, and power (not with --area-only)")
    engine.add_options(parser, "modules, replays or points of a sweep")
    return parser.parse_args()


def _clocks(named, standard_cells):
    """The clocks to measure at, in ns: those that a user named, or that of the cells."""
    if named:
        return named
    if standard_cells.timing is None:
        raise UserError(standard_cells.file, "timing.clock_ns", "(absent)",
                        "--clock NS, or --cells FILE with a [timing] section")
    return [standard_cells.timing.clock_ns]


def _run():
    arguments = _arguments()
    if arguments.fields:
        print_lines(fields.lines())
        return
    runner = tools.Runner(engine.chosen(arguments))
    named = [_clock(text) for text in arguments.clock or ()]
    trace = power.trace_file(arguments.trace)
    if arguments.fit:
        known("--fit", arguments.fit, "presets", "a preset:")
    prepare(*arguments.config or ())
    configs = _sparse_presets() if arguments.all else arguments.config
    energies = arguments.energies or arguments.all
    standard_cells = cells.load(arguments.cells, arguments.liberty)
    clocks = _clocks(named, standard_cells)
    if energies and arguments.area_only or arguments.all and arguments.trace:
        raise UserError("command line", "--all" if arguments.all else "--energies",
                        "--area-only beside it" if arguments.area_only else "--trace beside it",
                        "without it: all carried traces are taken, for all that there is")
    for warning in standard_cells.warnings():
        print(f"ppa: warning: {warning}", file=sys.stderr)
    if arguments.fit:
        fitted = fit.measure(arguments.fit, standard_cells, clocks[0], runner, arguments.energies)
        print_lines([*fit.lines(fitted), f"all of it: {fit.write(fitted)}"])
        return
    if arguments.placed is not None:
        _placed(arguments, configs, standard_cells, clocks, trace, runner)
        return
    if arguments.accelerator:
        _accelerators(arguments, configs, standard_cells, clocks, runner)
        return
    traces = [trace]
    if energies:
        traces = power.carried_traces() + ([trace] if arguments.trace else [])
    points = [Point(config, standard_cells, clock_ns, trace, arguments.find_clock,
                    arguments.clock is None, arguments.area_only)
              for config, clock_ns, trace in itertools.product(configs, clocks, traces)]
    if len(points) > 1:
        _sweep(points, runner)
    for _, group in itertools.groupby(points, key=lambda point: (point.config, point.clock_ns)):
        found = [point.measure(runner, print_lines) for point in group]
        if energies:
            _energies(found, runner)


def _refuse_beside(option, arguments, fine=()):
    """Options that have no meaning beside one that says "instead", but for those that are fine."""
    others = [other for other, given in (("--find-clock", arguments.find_clock),
                                         ("--area-only", arguments.area_only),
                                         ("--energies", arguments.energies),
                                         ("--trace", arguments.trace), ("--all", arguments.all),
                                         ("--accelerator", arguments.accelerator))
              if given and other not in (option, *fine)]
    if others:
        raise UserError("command line", option, f"{others[0]} beside it",
                        ", ".join(["--config, --clock", *fine]) + " and what cells there are")


def _placed(arguments, configs, standard_cells, clocks, trace, runner):
    """Tables of placed tiles."""
    _refuse_beside("--placed", arguments, ("--area-only", "--trace"))
    if not 1 <= arguments.placed <= 1000:
        raise UserError("command line", "--placed", arguments.placed, "1..1000 seeds")
    seeds = range(1, arguments.placed + 1)
    for config, clock_ns in itertools.product(configs, clocks):
        point = Point(config, standard_cells, clock_ns, trace, False, False, arguments.area_only)
        print_lines(placed.lines(point, seeds, runner))


def _accelerators(arguments, configs, standard_cells, clocks, runner):
    """Tables of whole accelerators."""
    _refuse_beside("--accelerator", arguments)
    for config, clock_ns in itertools.product(configs, clocks):
        print_lines(accelerator.lines(config, standard_cells, clock_ns, runner))


def _sparse_presets():
    """Presets that drop pairs, one of each tile: most accelerators have one that stands alone, too."""
    names = sorted((path.stem for path in (tools.ROOT / "presets").glob("*.toml")),
                   key=lambda name: (name.startswith("accel_"), name))
    tiles = {}
    for emitted in map(design.emit, names):
        if not emitted.is_dense:
            tiles.setdefault(json.dumps(emitted.parameters["tile"], sort_keys=True), emitted.name)
    return list(tiles.values())


def _energies(found, runner):
    """What follows for tdsim from the measurements of a point with every trace."""
    result = components.document(found, runner)
    print_lines([*components.lines(result), f"for tdsim --synthesis: {components.write(result)}"])


def _sweep(points, runner):
    """Measures several points side by side, after all modules: those that they share only once."""
    if not points[0].find_clock:
        synthesis.prepare([(design, point.clock_ns) for point in points
                           for design in measure.designs(point.config).values()],
                          points[0].cells, runner)
    runner.engine.run({f"{at:05}": functools.partial(point.shard, tools.PPA)
                       for at, point in enumerate(points)}, tools.PPA / "workflows")


def main():
    """Exit status."""
    return run("ppa", _run)


if __name__ == "__main__":
    sys.exit(main())
