# SPDX-License-Identifier: Apache-2.0
"""The netlist of a configuration's tile, as scripts/ppa has it, for tests and tools: its path."""

import sys

from toolbox import design, tools
from toolbox.program import Parser, print_lines, run

from . import cells, netlist, synthesis
from .constraints import Constraints


def _run():
    parser = Parser("python3 -m netlists", description="Maps a tile to standard cells, unless that "
                    "is done, and prints where the netlist (JSON) and the library's file are.")
    parser.add_argument("--config", metavar="FILE|PRESET", required=True)
    parser.add_argument("--liberty", metavar="FILE", help="standard cells; default: osu018's")
    arguments = parser.parse_args()
    runner, library = tools.Runner(), cells.load(None, arguments.liberty)
    clock_ns = Constraints.of(library).clock_ns
    mapped = synthesis.synthesise([design.emit(arguments.config)], library, clock_ns, runner)
    (joined,) = netlist.join(mapped, runner)
    print_lines([str(joined.json), str(library.library.path)])


if __name__ == "__main__":
    sys.exit(run("netlists", _run))
