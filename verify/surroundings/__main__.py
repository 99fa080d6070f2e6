# SPDX-License-Identifier: Apache-2.0
"""The command line of scripts/surroundings."""

import json
import sys

from netlists import cells
from toolbox import design, text_table, tools
from toolbox.errors import UserError
from toolbox.program import Parser, prepare, print_lines, run

from . import fit, measure

FORMAT = "tensordash-surroundings-1"
_ACCELERATOR = tools.ROOT / "verify" / "ppa" / "accel_pipelined.toml"


def _arguments():
    parser = Parser("scripts/surroundings",
                    description="What stands around the tiles of an accelerator spends, in a clock and "
                    "for each byte that moves: synthesises it, runs layers on its gates, from memory "
                    "to memory, and fits what each block drew.")
    parser.add_argument("--config", metavar="FILE|PRESET", default=str(_ACCELERATOR),
                        help="an accelerator in bf16 with its tile's energies, of scripts/ppa --energies; "
                        "default: verify/ppa/accel_pipelined.toml")
    return parser.parse_args()


def _dense_step_pJ(made):
    """Of the tile, as scripts/ppa --energies left it."""
    path = tools.PPA / "results" / f"{made.name}-{made.hash}" / f"{made.name}.synthesis.json"
    if not path.is_file():
        raise UserError(path, "tile", "(absent)", "a result of scripts/ppa --energies, run before")
    return json.loads(path.read_text(encoding="utf-8"))["dense_step_pJ"]


def _document(config, standard_cells):
    """What constraints/surroundings holds."""
    made = design.emit(config)
    number_format = made.parameters["tile"]["numerics"]["format"]
    if number_format != "bf16":
        raise UserError(config, "tile.numerics.format", number_format, "bf16, of which its unit is")
    dense_step_pJ = _dense_step_pJ(made)
    clock_ns = standard_cells.timing.clock_ns
    parameters, samples = measure.measure(config, standard_cells, clock_ns, tools.Runner())
    found = fit.fit(samples)
    errors, whole = fit.whole_errors(samples, found)
    tile = parameters["tile"]
    return {"format": FORMAT, "name": made.name, "configuration": made.hash,
            "clock_MHz": round(1000 / clock_ns, 6), "library": standard_cells.library.name,
            "corner": standard_cells.library.corner,
            "dense_step_macs": tile["rows"] * tile["columns"] * tile["lanes"],
            "dense_step_pJ": dense_step_pJ, "costs": fit.costs(found, parameters, dense_step_pJ),
            "groups_pJ": {group: {"clock": one.clock, **one.each, "error_percent": one.error,
                                  "most_percent": one.most} for group, one in found.items()},
            "error_percent": {"all": whole, **errors},
            "stage": "pre-layout, with glitches, clock tree and leakage"}


def _lines(result):
    rows = [["cost", "of a dense step"]]
    rows += [[name, f"{cost:.6f}"] for name, cost in result["costs"].items()]
    groups = [["pJ", "in a clock", "error, %", "of an operation at most"]]
    groups += [[group, f"{one['clock']:.1f}", f"{one['error_percent']:+.1f}",
                f"{one['most_percent']:.1f}"] for group, one in result["groups_pJ"].items()]
    most = max(result["error_percent"].values(), key=abs)
    return [f"{result['name']}: what stands around tiles, over a dense step of "
            f"{result['dense_step_pJ']:,.0f} pJ", *text_table.lines(rows), "",
            *text_table.lines(groups), "",
            f"all together: {result['error_percent']['all']:+.1f} %, of an operation at most "
            f"{most:+.1f} %"]


def _run():
    arguments = _arguments()
    prepare(arguments.config)
    result = _document(arguments.config, cells.load(None, None))
    path = tools.PPA / "results" / f"{result['name']}-{result['configuration']}" / "surroundings.json"
    tools.write(path, json.dumps(result, indent=1) + "\n")
    print_lines([*_lines(result), f"for constraints/surroundings: {path}"])


def main():
    """Exit status."""
    return run("surroundings", _run)


if __name__ == "__main__":
    sys.exit(main())
