# SPDX-License-Identifier: Apache-2.0
"""What the documents hold: links, anchors, code, tables, commands with their output."""

import re

from toolbox import tools

_FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.M | re.S)
_SPAN = re.compile(r"`([^`]+)`")
_LINK = re.compile(r"\]\(([^)]+)\)")
_HEADING = re.compile(r"^#+ (.*)$", re.M)
_SAVED = re.compile(r"Save this as `([\w.]+)`.*?^```\w*\n(.*?)^```$", re.M | re.S)
_TABLE = re.compile(r"^<!-- figures\n(.*?)^-->\n((?:\|[^\n]*\n)+)", re.M | re.S)


class Document:
    """A Markdown file; path relative to root."""

    def __init__(self, path, text):
        self.path, self.text = path, text
        self.prose = _FENCE.sub("", text)

    def links(self):
        """A target with white space in it, which no forge takes for a link, is among them."""
        return _LINK.findall(_SPAN.sub("", self.prose))

    def anchors(self):
        """As forges make them of headings."""
        kept = (re.sub(r"[^\w\- ]", "", heading.lower())
                for heading in _HEADING.findall(self.prose))
        return {heading.replace(" ", "-") for heading in kept}

    def spans(self):
        """Code in prose and tables; a span may go over the end of a line."""
        return [" ".join(span.replace("\\|", "|").split()) for span in _SPAN.findall(self.prose)]

    def blocks(self):
        return [text.splitlines() for _, text in _FENCE.findall(self.text)]

    def outputs(self):
        """[(command, lines of output)] of the code blocks whose commands begin with '$ '."""
        found = []
        for lines in self.blocks():
            if not lines or not lines[0].startswith("$ "):
                continue
            for line in lines:
                if line.startswith("$ "):
                    found.append((line[2:], []))
                else:
                    found[-1][1].append(line)
        return found

    def saved_files(self):
        """{name: text} of the code blocks that a reader is told to save."""
        return dict(_SAVED.findall(self.text))

    def tables(self):
        """[([(columns, command)], [row as {column: cell}])] of tables with commands above them."""
        found = []
        for comment, table in _TABLE.findall(self.text):
            rules = [tuple(line.split(": ", 1)) for line in comment.splitlines()]
            rows = [[cell.strip() for cell in line.strip("|").split("|")]
                    for line in table.replace("\\|", "¦").splitlines()]
            found.append((rules, [dict(zip(rows[0], row)) for row in rows[2:]]))
        return found


def documents():
    """README.md and docs/*.md."""
    paths = [tools.ROOT / "README.md", *sorted((tools.ROOT / "docs").glob("*.md"))]
    return [Document(str(path.relative_to(tools.ROOT)), path.read_text(encoding="utf-8"))
            for path in paths]
