# SPDX-License-Identifier: Apache-2.0
"""No term of the glossary's "not this" column stands in code or text.

Case does not matter, and '_', digits and line ends part words as blanks do. The column "except in"
has files or folders that are not searched for the terms of its row.
"""

import collections
import re

from toolbox import tools
from toolbox.errors import CheckError

from .markdown import Document

GLOSSARY = "docs/glossary.md"
SUFFIXES = (".cff", ".cmake", ".cpp", ".hpp", ".md", ".py", ".sdc", ".sh", ".sv", ".tcl", ".toml",
            ".txt", ".v")
BARE = ("scripts/", ".ci/")  # folders whose files without a suffix are searched too
# Inputs of fuzzing and outputs of programs are data.
LEFT_OUT = (GLOSSARY, "LICENSE", "verify/fuzz/corpus/", "verify/documents/outputs/")

Rule = collections.namedtuple("Rule", "term words exceptions")


def rules(text):
    """Of the glossary's table."""
    found = []
    for line in Document(GLOSSARY, text).prose.splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if line.startswith("|") and len(cells) == 4:
            words, exceptions = (tuple(re.findall(r"`([^`]+)`", cell)) for cell in cells[2:])
            if words:
                found.append(Rule(cells[0], words, exceptions))
    if not found:
        raise CheckError(f"{GLOSSARY}: no term in the column \"not this\"")
    return found


def is_searched(path):
    if path.startswith(LEFT_OUT):
        return False
    name = path.rpartition("/")[2]
    return path.endswith(SUFFIXES) or ("." not in name and path.startswith(BARE))


def hits(word, text):
    """Numbers of the lines in which the word begins."""
    parts = r"[\s_]+".join(re.escape(part) for part in word.split())
    pattern = re.compile(rf"(?<![A-Za-z]){parts}(?![A-Za-z])", re.I)
    return [text.count("\n", 0, match.start()) + 1 for match in pattern.finditer(text)]


def files():
    """{path: text} of all that is searched."""
    return {path: (tools.ROOT / path).read_text(encoding="utf-8", errors="replace")
            for path in tools.sources(".") if is_searched(path)}


def faults(rule_list, texts):
    for rule in rule_list:
        for word in rule.words:
            for path, text in texts.items():
                if not path.startswith(rule.exceptions or ("//",)):
                    yield from (f"{path}:{line}: {word}: the glossary says {rule.term}"
                                for line in hits(word, text))
