# SPDX-License-Identifier: Apache-2.0
"""The command line of scripts/evidence."""

import re
import subprocess
import sys

from documents import ages, figures, markdown, stamp
from toolbox import evidence, tools
from toolbox.errors import CheckError
from toolbox.program import Parser, print_lines, run
from toolbox.progress import Progress

from . import table

PAGE = tools.ROOT / "docs" / "verification.md"
BEGIN, END = "<!-- evidence: scripts/evidence --write writes this -->", "<!-- end of evidence -->"
TAKEN = "Taken at "

# In the order in which a fault shows soonest.
COMMANDS = (
    ("scripts/lint",),
    ("scripts/prove",),
    ("scripts/equivalence",),
    ("scripts/judge",),
    ("scripts/regress", "--suite", "smoke"),
    ("scripts/coverage",),
    ("scripts/mutate",),
    ("scripts/mutate", "--proofs", "verify/formal/cut.toml", "--mutants", "240"),
    ("scripts/analyse",),
    ("scripts/regress", "--suite", "nightly", "--time", "30m"),
    ("scripts/fresh",),
)


def _arguments():
    parser = Parser("scripts/evidence",
                    description="What speaks for the RTL and the model: a status for each "
                    "block, and what was counted, beside the command that shows it; where nothing "
                    "was run here, the table of docs/verification.md. Then the age of stored "
                    "outputs that no test runs again, and which documents show them.")
    parser.add_argument("--run", action="store_true",
                        help="run all of these commands first (hours): "
                        + ", ".join(" ".join(command) for command in COMMANDS))
    parser.add_argument("--write", action="store_true", help="put it into docs/verification.md")
    return parser.parse_args()


def _run_all():
    """Runs every command, the later ones too when one fails; names those that failed."""
    progress = Progress("commands", len(COMMANDS))
    failed = []
    for command in COMMANDS:
        if subprocess.run([tools.ROOT / command[0], *command[1:]], check=False).returncode != 0:
            failed.append(" ".join(command))
        progress.step()
    progress.finish()
    if failed:
        raise CheckError(f"failed: {', '.join(failed)}")


def _page():
    """Text of the page before its table, the table, and behind it."""
    parts = re.split(f"{re.escape(BEGIN)}\n(.*?){re.escape(END)}", PAGE.read_text(encoding="utf-8"),
                     flags=re.S)
    if len(parts) != 3:
        raise CheckError(f"{PAGE.name}: the marks of the table are not there once")
    return parts


def _put(lines):
    before, _, behind = _page()
    text = "\n".join([BEGIN, "", TAKEN + stamp.now().text(), "", *lines, END])
    tools.write(PAGE, f"{before}{text}{behind}")


def _print_page():
    """The table that others have made."""
    print_lines(["Nothing was run in this checkout (scripts/evidence --run: hours). The table of "
                 "docs/verification.md:", *_page()[1].rstrip().splitlines()])


def _print_ages():
    """Of stored outputs, with that of scripts/fresh among them."""
    print_lines(["", "Stored outputs that no test runs again: when and where they were taken, commits "
                 "that have changed their sources since, documents that show them", "",
                 *ages.lines(markdown.documents(), figures.stored())])


def _evidence():
    arguments = _arguments()
    if arguments.run:
        _run_all()
    if not arguments.run and not arguments.write and not evidence.any_shown():
        _print_page()
        _print_ages()
        return True
    parts = table.collect()
    lines = table.lines(parts)
    print_lines(lines)
    _print_ages()
    if arguments.write:
        _put(lines)
    failures = table.failures(parts)
    for line in failures:
        print(f"evidence: failed: {line}", file=sys.stderr)
    return not failures


if __name__ == "__main__":
    sys.exit(run("evidence", _evidence))
