# SPDX-License-Identifier: Apache-2.0
"""The commands that README and tutorial show, and what commands.toml has of them."""

import dataclasses
import pathlib
import re
import tomllib

from documents import markdown
from toolbox.errors import CheckError

LIST = pathlib.Path(__file__).resolve().parent / "commands.toml"
README, TUTORIAL = "README.md", "docs/tutorial.md"
_COMMAND = re.compile(r"(?:\$ )?((?:scripts/|/usr/bin/python3 )[^…]+)")
_ROW = re.compile(r"^\|[^|\n]*\|((?:[^|\n]|\\\|)*)\|", re.M)
_SPAN = re.compile(r"`([^`]+)`")


@dataclasses.dataclass(frozen=True)
class Command:
    """stands: as a document has it; runs: the line that does its job."""

    stands: str
    runs: str


def _found(texts):
    return [match[1].strip() for match in map(_COMMAND.fullmatch, texts) if match]


def shown(documents):
    """Commands of code blocks; of README also those of its tables' second column, of the tutorial those
    that prose shows with arguments."""
    texts = []
    for document in documents:
        texts += [line for block in document.blocks() for line in block]
        if document.path == README:
            texts += [span for cell in _ROW.findall(document.prose) for span in _SPAN.findall(cell)]
        else:
            texts += [span for span in document.spans() if " " in span]
    return set(_found(texts))


def _documents():
    return [document for document in markdown.documents() if document.path in (README, TUTORIAL)]


def commands():
    """Those of commands.toml."""
    entries = tomllib.loads(LIST.read_text(encoding="utf-8"))["command"]
    return [Command(entry["stands"], entry.get("runs", entry["stands"])) for entry in entries]


def check(documents, listed):
    """Each command of these documents is listed once, and no other."""
    wanted, there = shown(documents), [command.stands for command in listed]
    faults = [f"{name}: stands in a document, not in commands.toml" for name in wanted - {*there}]
    faults += [f"{name}: stands in commands.toml, in no document" for name in {*there} - wanted]
    faults += [f"{name}: twice in commands.toml" for name in {*there} if there.count(name) > 1]
    if faults or not wanted:
        raise CheckError("; ".join(sorted(faults)) or "no document shows a command")


def checked():
    """(commands of commands.toml, files that the tutorial tells to save), once they are complete."""
    documents, listed = _documents(), commands()
    check(documents, listed)
    files = {name: text for document in documents for name, text in document.saved_files().items()}
    return listed, files
