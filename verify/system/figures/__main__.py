# SPDX-License-Identifier: Apache-2.0
"""The command line of scripts/system-figures."""

import collections
import re
import sys

from toolbox import text_table, tools
from toolbox.errors import CheckError
from toolbox.program import Parser, prepare, print_lines, run

from system.figures import (allocation, fusion, jobs, loadgen, partition, pipeline, placement,
                            scan, score, spot, what_ifs)
from system.figures.row import KINDS, Job

# The rooms' tables, in the order of the document.
ROOMS = (jobs, what_ifs, pipeline, partition, placement, scan, fusion, spot, allocation, loadgen,
         score)
HEAD = ("system", "figure", "kind", "status", "theirs", "ours", "difference", "tolerance", "source")
STATUSES = ("within", "by construction", "differs", "shape", "missing")

PAGE = tools.ROOT / "docs" / "papers.md"
BEGIN, END = "<!-- figures of systems: scripts/system-figures --write -->", "<!-- end of figures -->"


def _number(value):
    return "-" if value is None else f"{value:.6g}"


def _cells(row):
    source = f"missing: {row.missing}" if row.status() == "missing" else row.source
    return (row.system, row.figure, row.kind(), row.status(), _number(row.theirs), _number(row.ours),
            _number(row.difference()), "at most" if row.at_most else _number(row.tolerance), source)


def _summary(rows):
    """How many of each kind have each status."""
    lines = []
    for kind in KINDS:
        found = collections.Counter(row.status() for row in rows if row.kind() == kind)
        lines.append(f"{kind}: " + ", ".join(f"{found[status]} {status}" for status in STATUSES if found[status]))
    return "; ".join(line for line in lines if not line.endswith(": "))


def _page(rows):
    """The document with today's table."""
    page = PAGE.read_text(encoding="utf-8")
    marked = re.compile(re.escape(BEGIN) + ".*?" + re.escape(END), re.S)
    if len(marked.findall(page)) != 1:
        raise CheckError(f"{PAGE.name}: the marks of the table are not there once")
    lines = [BEGIN, "", *("| " + " | ".join(cells) + " |" for cells in
                          [HEAD, ["---"] * len(HEAD), *map(_cells, rows)]), "",
             f"{_summary(rows)}.", "", END]
    return marked.sub(lambda _: "\n".join(lines), page)


def main():
    """Prints the table; false if a row differs by more than is claimed, or none was judged."""
    parser = Parser("scripts/system-figures",
                    description="Computes the figures of the papers on systems around accelerators: "
                    "theirs beside ours, the difference, and what is claimed. Status: within the "
                    "tolerance; by construction: it cannot differ, and is not counted; differs; shape: "
                    "nothing is claimed; missing: what it would take is said.")
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--system", action="append", metavar="NAME", default=[],
                      help="only rows of this system; may be given more than once")
    what.add_argument("--write", action="store_true", help="put the table into docs/papers.md")
    what.add_argument("--check", action="store_true", help="fail if docs/papers.md has another")
    arguments = parser.parse_args()
    prepare()
    job = Job(tools.BUILD / "tdjob")
    rows = [row for room in ROOMS for row in room.rows(job)
            if not arguments.system or row.system in arguments.system]
    print_lines([*text_table.lines([HEAD, *map(_cells, rows)], left=4), "", _summary(rows)])
    if arguments.write:
        tools.write(PAGE, _page(rows))
    if arguments.check and _page(rows) != PAGE.read_text(encoding="utf-8"):
        raise CheckError(f"{PAGE.name}: another table; legal: that of scripts/system-figures --write")
    return (any(row.status() == "within" for row in rows)
            and all(row.status() != "differs" for row in rows))


if __name__ == "__main__":
    sys.exit(run("system-figures", main))
