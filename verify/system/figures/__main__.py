# SPDX-License-Identifier: Apache-2.0
"""The command line of scripts/system-figures."""

import sys

from toolbox import text_table, tools
from toolbox.program import Parser, prepare, print_lines, run

from system.figures import partition, pipeline, placement
from system.figures.row import Job

# The rooms' tables, in the order of the document.
ROOMS = (pipeline, partition, placement)
HEAD = ("system", "figure", "status", "theirs", "ours", "difference", "tolerance", "source")


def _number(value):
    return "-" if value is None else f"{value:.6g}"


def _cells(row):
    source = f"missing: {row.missing}" if row.status() == "missing" else row.source
    return (row.system, row.figure, row.status(), _number(row.theirs), _number(row.ours),
            _number(row.difference()), _number(row.tolerance), source)


def main():
    """Prints the table; false if a row differs by more than is claimed, or none was judged."""
    parser = Parser("scripts/system-figures",
                    description="Computes the figures of the papers on systems around accelerators: "
                    "theirs beside ours, the difference, and what is claimed. Status: within the "
                    "tolerance; differs; shape: nothing is claimed; missing: what it would take is "
                    "said.")
    parser.add_argument("--system", action="append", metavar="NAME", default=[],
                        help="only rows of this system; may be given more than once")
    arguments = parser.parse_args()
    prepare()
    job = Job(tools.BUILD / "tdjob")
    rows = [row for room in ROOMS for row in room.rows(job)
            if not arguments.system or row.system in arguments.system]
    print_lines([*text_table.lines([HEAD, *map(_cells, rows)], left=3), "",
                 ", ".join(f"{sum(row.status() == status for row in rows)} {status}"
                           for status in ("within", "differs", "shape", "missing"))])
    return (any(row.status() == "within" for row in rows)
            and all(row.status() != "differs" for row in rows))


if __name__ == "__main__":
    sys.exit(run("system-figures", main))
