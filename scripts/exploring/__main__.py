# SPDX-License-Identifier: Apache-2.0
"""The command line of scripts/explore."""

import os
import pathlib
import sys

from flow import power
from toolbox import tools
from toolbox.errors import Refused, UserError
from toolbox.program import Parser, prepare, print_lines, run, whole
from workflows import engine

from . import confirm, shards


def _arguments():
    parser = Parser("scripts/explore",
                    description="Searches a space of configurations for those worth building: shards "
                    "of tdsim explore, side by side. Each result is kept under all that it depends "
                    "on: the same command goes on where an earlier one was interrupted.")
    parser.add_argument("space", metavar="SPACE", help="the space (TOML): docs/explore.md")
    parser.add_argument("--out", default=str(tools.BUILD / "explore"), metavar="FOLDER",
                        help="for table.json, table.txt, points/NAME.toml and results of shards "
                        "(default build/explore)")
    parser.add_argument("--confirm", metavar="N",
                        help="then area, clock and power of the first N points of the front, as "
                        "scripts/ppa measures them")
    parser.add_argument("--area-only", action="store_true",
                        help="of these points the area, and no more")
    engine.add_options(parser)
    return parser.parse_args()


def _run():
    arguments = _arguments()
    chosen = engine.chosen(arguments)
    count = arguments.confirm and whole("--confirm", arguments.confirm, 1, 1000)
    if arguments.area_only and not count:
        raise UserError("command line", "--area-only", "without --confirm", "--confirm N beside it")
    if not os.path.exists(arguments.space):
        raise Refused(f"{arguments.space}: cannot be read: No such file or directory; legal: a "
                      "readable TOML space")
    prepare()
    out = tools.make_folder(pathlib.Path(arguments.out).resolve())
    with tools.lock(out):
        print_lines([shards.run(arguments.space, out, chosen).rstrip("\n"),
                     f"all of it: {tools.shown(out / 'table.json')}, points/"])
    if count:
        confirm.measured(confirm.chosen(out, count), out, power.trace_file(None),
                         arguments.area_only, tools.Runner(chosen), print_lines)


def main():
    """Exit status."""
    return run("explore", _run)


if __name__ == "__main__":
    sys.exit(main())
