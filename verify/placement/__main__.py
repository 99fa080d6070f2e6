# SPDX-License-Identifier: Apache-2.0
"""The command line of scripts/route."""

import sys

from toolbox import text_table, tools
from toolbox.errors import UserError
from toolbox.program import Parser, prepare, print_lines, run, whole

from . import routed, routing

_HEAD = [["block", "seed", "cells", "nets", "un-", "wire, m", "", "said over", "latest signal, ns", "", "",
          "placed over", "LVS"],
         ["", "", "", "", "routed", "said", "routed", "routed", "no wires", "placed", "routed", "routed", ""]]


def _arguments():
    parser = Parser("scripts/route",
                    description="Routes blocks of the tiny tile that tdplace placed, in cells of osu018: "
                    "their wires and latest signals beside those that tdplace said, and whether what magic "
                    "finds in the layout is the netlist. Files stay in build/routed.")
    parser.add_argument("--block", action="append", metavar="|".join(routing.BLOCKS),
                        help="again: several; default: all, of which pe takes longest by far")
    parser.add_argument("--seed", metavar="N", default="2", help="of the placement; default: 2")
    return parser.parse_args()


def _row(found):
    return [found.block, str(found.seed), f"{found.cells:,}", f"{found.nets:,}", str(found.unrouted),
            f"{found.said_um / 1e6:.4f}", f"{found.routed_um / 1e6:.4f}",
            f"{found.said_um / found.routed_um:.3f}", f"{found.bare_ns:.2f}", f"{found.placed_ns:.2f}",
            f"{found.routed_ns:.2f}", f"{found.placed_ns / found.routed_ns:.3f}", found.lvs]


def _run():
    arguments = _arguments()
    seed = whole("--seed", arguments.seed, 0, 2**63 - 1)
    blocks = arguments.block or routing.BLOCKS
    for block in blocks:
        if block not in routing.BLOCKS:
            raise UserError("command line", "--block", block, ", ".join(routing.BLOCKS))
    prepare()
    runner, results = tools.Runner(), []
    for block in blocks:
        folder = tools.make_folder(tools.BUILD / "routed" / f"{block}_{seed}")
        with tools.lock(folder):
            results.append(routed.measure(block, seed, folder, runner))
    failures = [text for found in results for text in found.failures()]
    print_lines([*text_table.lines(_HEAD + [_row(found) for found in results]), *failures])
    return not failures


if __name__ == "__main__":
    sys.exit(run("route", _run))
