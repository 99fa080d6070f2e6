# SPDX-License-Identifier: Apache-2.0
"""The command line of scripts/report."""

import os
import pathlib
import sys

from toolbox import tools
from toolbox.errors import UserError
from toolbox.program import Parser, prepare, print_lines, run

from . import inputs, page


def _arguments():
    parser = Parser("scripts/report", description="Writes one page of HTML that shows results: of "
                    "tdsim run, synth and explore (--json), of scripts/demo --accelerator, "
                    "scripts/ppa (ppa.json) and scripts/regress (results.json), of a batch size or a job "
                    "of scripts/tdjob plan (--json), and files of build/evidence. The page needs neither "
                    "network nor other files.")
    parser.add_argument("results", nargs="+", metavar="RESULT", help="a result (JSON)")
    parser.add_argument("--out", required=True, metavar="FILE", help="the page (HTML)")
    return parser.parse_args()


def _check(out, results):
    """Refuses a page that cannot be written, or would replace a result."""
    path = pathlib.Path(out)
    if path.is_dir() or not path.name or not os.access(path.resolve().parent, os.W_OK):
        raise UserError("command line", "--out", out, "a file in a folder that can be written")
    for result in results:
        if path.resolve() == pathlib.Path(result).resolve():
            raise UserError("command line", "--out", out, "a file of its own, not one that is read")


def _report():
    arguments = _arguments()
    _check(arguments.out, arguments.results)
    sources = inputs.read(arguments.results)
    prepare()
    text = page.text(sources)
    tools.write(arguments.out, text)
    count = f"{len(sources)} result{'' if len(sources) == 1 else 's'}"
    print_lines([f"{arguments.out}: {count}, {len(text.encode()) / 1e6:.1f} MB"])


def main():
    """Exit status."""
    return run("report", _report)


if __name__ == "__main__":
    sys.exit(main())
