# SPDX-License-Identifier: Apache-2.0
"""The command line of scripts/evidence."""

import re
import subprocess
import sys

from toolbox import tools
from toolbox.errors import CheckError
from toolbox.program import Parser, print_lines, run
from toolbox.progress import Progress

from . import table

PAGE = tools.ROOT / "docs" / "verification.md"
BEGIN, END = "<!-- evidence: scripts/evidence --write writes this -->", "<!-- end of evidence -->"

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
)


def _arguments():
    parser = Parser("scripts/evidence",
                    description="What speaks for the RTL and the model: a status for each "
                    "block, and what was counted, beside the command that shows it.")
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


def _put(lines):
    page = PAGE.read_text(encoding="utf-8")
    marked = re.compile(re.escape(BEGIN) + ".*?" + re.escape(END), re.S)
    if len(marked.findall(page)) != 1:
        raise CheckError(f"{PAGE.name}: the marks of the table are not there once")
    tools.write(PAGE, marked.sub(lambda _: "\n".join([BEGIN, "", *lines, END]), page))


def _evidence():
    arguments = _arguments()
    if arguments.run:
        _run_all()
    parts = table.collect()
    lines = table.lines(parts)
    print_lines(lines)
    if arguments.write:
        _put(lines)
    failures = table.failures(parts)
    for line in failures:
        print(f"evidence: failed: {line}", file=sys.stderr)
    return not failures


if __name__ == "__main__":
    sys.exit(run("evidence", _evidence))
