# SPDX-License-Identifier: Apache-2.0
"""Links are whole; relative ones and anchors lead somewhere, and so do paths of the repository in code."""

import os
import re

from toolbox import tools

from .markdown import Document

_PATH = re.compile(r"(?:hw|base|gen|sim|presets|scripts|verify|constraints|docs)/[\w./-]*")


def _target(document, link):
    """(file, anchor) of a relative link, the file from the root."""
    name, _, anchor = link.partition("#")
    folder = os.path.dirname(document.path)
    return (os.path.normpath(os.path.join(folder, name)) if name else document.path), anchor


def _anchors(document, path):
    if path != document.path:
        document = Document(path, (tools.ROOT / path).read_text(encoding="utf-8"))
    return document.anchors()


def _of_link(document, link):
    path, anchor = _target(document, link)
    if path != document.path and not (tools.ROOT / path).exists():
        yield f"{document.path}: link = {link}: no such file"
    elif anchor and anchor not in _anchors(document, path):
        yield f"{document.path}: link = {link}: no such heading"


def faults(document):
    for link in document.links():
        if re.search(r"\s", link):
            yield f"{document.path}: link = {' '.join(link.split())}: cut by white space"
        elif not re.match(r"\w+:", link):
            yield from _of_link(document, link)
    for span in document.spans():
        if _PATH.fullmatch(span) and "NAME" not in span and not (tools.ROOT / span).exists():
            yield f"{document.path}: path = {span}: no such file"
