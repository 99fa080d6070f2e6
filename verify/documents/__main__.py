#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Documents lead somewhere, name what exists, and say what is so. See README.md here."""

import pathlib
import sys

sys.dont_write_bytecode = True
_VERIFY = pathlib.Path(__file__).resolve().parents[1]
sys.path[:0] = [str(_VERIFY.parent / "scripts"), str(_VERIFY)]

from documents import commands, figures, glossary, links, markdown  # noqa: E402
from toolbox.errors import CheckError  # noqa: E402
from toolbox.program import Parser, run  # noqa: E402


def _arguments():
    parser = Parser("verify/documents", description=__doc__)
    parser.add_argument("--run", action="append", choices=figures.TIERS, default=[],
                        help="run the commands of this tier, and compare with their stored outputs")
    parser.add_argument("--write", action="store_true", help="... and store what they print")
    parser.add_argument("--count", metavar="WORD",
                        help="instead: where this word stands in code and text, exceptions aside")
    parser.add_argument("--first", metavar="FILE",
                        help="instead: FILE, what README's first command has printed, is what README shows")
    return parser.parse_args()


def _count(word):
    found = {path: len(glossary.hits(word, text)) for path, text in glossary.files().items()}
    for path, count in found.items():
        if count:
            print(f"{count:5} {path}")
    print(f"{sum(found.values()):5} in all")


def _first(path):
    readme = next(document for document in markdown.documents() if document.path == "README.md")
    command, expected = readme.outputs()[0]
    printed = pathlib.Path(path).read_text(encoding="utf-8").splitlines()
    line = figures.shown(expected, printed)
    if line is not None:
        raise CheckError(f"README.md: {command}: does not print: {line}")
    print(f"documents: {command} prints what README.md shows")


def _check():
    arguments = _arguments()
    if arguments.first:
        return _first(arguments.first)
    if arguments.count:
        return _count(arguments.count)
    documents, outputs = markdown.documents(), figures.stored()
    found = list(figures.renew(documents, outputs, arguments.run, arguments.write))
    for document in documents:
        found += [*links.faults(document), *commands.faults(document),
                  *figures.faults(document, outputs)]
    text = next(document.text for document in documents if document.path == glossary.GLOSSARY)
    found += glossary.faults(glossary.rules(text), glossary.files())
    for fault in found:
        print(fault, file=sys.stderr)
    print(f"documents: {len(documents)} documents, {len(outputs)} stored outputs, "
          f"{len(found)} faults")
    return not found


if __name__ == "__main__":
    sys.exit(run("documents", _check))
