# SPDX-License-Identifier: Apache-2.0
"""The command line of scripts/fpga."""

import itertools
import statistics
import sys

from toolbox import design, pool, text_table, tools
from toolbox.errors import UserError
from toolbox.program import Parser, prepare, print_lines, run

from . import families, route, synthesis

_COLUMNS = ["family", "configuration", "LUTs", "over dense", "flip-flops", "DSPs", "block RAMs",
            "smallest that holds it", "fullest"]


def _arguments():
    parser = Parser("scripts/fpga",
                    description="Which FPGA a configuration fits, beside its dense counterpart: LUTs, "
                    "flip-flops, multipliers and block RAMs by Yosys, before layout, beside what "
                    "devices of constraints/fpga have; and, for what an iCE40 holds, the clock once "
                    "nextpnr has placed and routed it. Results are kept in build/fpga.")
    parser.add_argument("--config", metavar="FILE|PRESET", required=True,
                        help="a TOML file, or a preset (build/tdgen --list)")
    parser.add_argument("--accelerator", action="store_true",
                        help="its whole accelerator instead of its tile")
    parser.add_argument("--family", action="append", choices=sorted(families.known()),
                        help="one family of constraints/fpga; again: several; default: all")
    parser.add_argument("--seeds", type=int, default=3, metavar="N",
                        help="layouts of each that fits an iCE40, 0..100; default: 3")
    return parser.parse_args()


def _designs(config, accelerator):
    """The dense counterpart, if the configuration is not dense itself, and the design."""
    emit = design.emit_accelerator if accelerator else design.emit
    wanted = emit(config)
    return [wanted] if wanted.is_dense else [design.baseline(wanted, "dense", emit), wanted]


def _number(value):
    return f"{value:,}" if value == int(value) else f"{value:,.1f}"


def _row(family, one, counts, dense_counts):
    holds = family.smallest(counts)
    share, resource = (holds or family.devices[-1]).fullest(counts)
    fullest = f"{100 * share:,.0f} %" if share != float("inf") else "there are none"
    return [family.name, one.name, _number(counts["LUT"]), f"{counts['LUT'] / dense_counts['LUT']:.2f}",
            *(_number(counts[each]) for each in families.RESOURCES[1:]), holds.name if holds else "none",
            f"{resource}: {fullest}" + ("" if holds else f" of {family.devices[-1].name}")]


def _routed_row(family, device, one, registers, found):
    row = [family.name, one.name, device.name, _number(found[0].cells), _number(registers),
           f"{100 * found[0].cells / found[0].available:.0f} %"]
    if found[0].clock_mhz is None:
        return [*row, "does not fit", ""]
    clocks = sorted(result.clock_mhz for result in found)
    return [*row, f"{statistics.median(clocks):.1f}", f"{clocks[0]:.1f}..{clocks[-1]:.1f}"]


def _routed_lines(fits, seeds, runner):
    """Their table. fits: (family, device, design, ports)."""
    rows = [["family", "configuration", "device", "logic cells", "at ports", "of all", "clock, MHz", "range"]]
    results = pool.for_each(lambda fit: route.of(fit[2], fit[3], fit[0], fit[1], seeds, runner), fits,
                            "placed and routed", runner)
    rows += [_routed_row(family, device, one, *result)
             for (family, device, one, _), result in zip(fits, results)]
    version = tools.version(route.TOOL, "--version").split("(Version ")[-1].rstrip(")")
    return ["", f"placed and routed by {route.TOOL} {version}, seeds 1..{len(seeds)}, between registers "
            "at all ports: median and range", *text_table.lines(rows, left=3)]


def _lines(designs, wanted, seeds, runner):
    """The report on designs, the last of which was asked for, in these families."""
    jobs = list(itertools.product(wanted, designs))
    folders = pool.for_each(
        lambda job: synthesis.run(synthesis.texts(job[1]), job[1].top, job[0].synthesis, runner),
        jobs, "syntheses", runner)
    counts = [family.counts(synthesis.cells(folder)) for (family, _), folder in zip(jobs, folders)]
    rows, fits = [_COLUMNS], []
    for at, ((family, one), folder) in enumerate(zip(jobs, folders)):
        rows.append(_row(family, one, counts[at], counts[at - at % len(designs)]))
        device = family.smallest(counts[at])
        if device and device.route:
            fits.append((family, device, one, synthesis.ports(folder, one.top)))
    lines = [f"{designs[-1].name} ({designs[-1].hash}), {designs[-1].top}: {tools.version('yosys')}, before layout",
             *text_table.lines(rows, left=2)]
    return lines + (_routed_lines(fits, seeds, runner) if fits and seeds else [])


def _run():
    arguments = _arguments()
    if not 0 <= arguments.seeds <= 100:
        raise UserError("command line", "--seeds", arguments.seeds, "0..100")
    prepare(arguments.config)
    wanted = [families.known()[key] for key in arguments.family or sorted(families.known())]
    designs = _designs(arguments.config, arguments.accelerator)
    print_lines(_lines(designs, wanted, range(1, arguments.seeds + 1), tools.Runner()))


def main():
    """Exit status."""
    return run("fpga", _run)


if __name__ == "__main__":
    sys.exit(main())
