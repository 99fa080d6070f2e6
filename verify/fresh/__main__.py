# SPDX-License-Identifier: Apache-2.0
"""The command line of scripts/fresh."""

import re
import sys

from toolbox import tools
from toolbox.errors import UserError
from toolbox.program import Parser, print_lines, run
from toolbox.progress import Progress

from . import listed
from .run import Runs

FOLDER = tools.BUILD / "fresh"


def _arguments():
    parser = Parser("scripts/fresh",
                    description="Runs every command of README.md and docs/tutorial.md, each from an "
                    "empty build folder in a copy of the checkout (an hour), and says what each took. "
                    "What passed is not run again until a file of the checkout changes.")
    parser.add_argument("name", nargs="*", metavar="NAME",
                        help="only commands that match one (a regular expression)")
    parser.add_argument("--again", action="store_true", help="forget what passed")
    parser.add_argument("--list", action="store_true", help="instead: the commands")
    return parser.parse_args()


def _chosen(commands, names):
    found = [command for command in commands
             if not names or any(re.search(name, command.runs) for name in names)]
    if not found:
        raise UserError("command line", "NAME", " ".join(names),
                        "of a command; scripts/fresh --list has them")
    return found


def line(cost, command):
    """Of the report."""
    return (f"{cost.wall:7.0f} {cost.cpu:7.0f} {cost.memory:7,} {cost.status:6}  {command.runs}")


def _fresh():
    arguments = _arguments()
    commands, files = listed.checked()
    chosen = _chosen(commands, arguments.name)
    if arguments.list:
        return print_lines(command.runs for command in chosen)
    if arguments.again:
        tools.remove(FOLDER)
    folders = sorted(path.name for path in tools.ROOT.iterdir() if path.name not in ("build", ".git"))
    runs = Runs(FOLDER, tools.sources(*folders), files)
    print_lines(["   wall     CPU  memory   exit  command",
                 "      s       s      MB"])
    progress, costs = Progress("commands", len(chosen)), []
    for command in chosen:
        costs.append(runs.of(command.runs))
        progress.finish()
        print_lines([line(costs[-1], command)])
        if costs[-1].status != 0:
            print(f"fresh: failed: {command.runs}; all of its output: {runs.log(command.runs)}",
                  file=sys.stderr)
        progress.step()
    progress.finish()
    failed = sum(cost.status != 0 for cost in costs)
    print_lines([f"{len(costs)} commands of {len(commands)}, {failed} failed; "
                 f"{sum(cost.wall for cost in costs) / 60:.0f} minutes, "
                 f"{sum(cost.cpu for cost in costs) / 60:.0f} of processors"])
    return not failed


if __name__ == "__main__":
    sys.exit(run("fresh", _fresh))
