# SPDX-License-Identifier: Apache-2.0
"""How old the stored outputs are that no test runs again, and which document shows them."""

DEAR = ("tutorial", "measured")


def _order(output):
    since = output.taken.commits_since(output.command)
    return (since is not None, -(since or 0), output.taken.date, output.command), output, since


def _shown_by(documents, command):
    """Documents that have the command in a block, or above a table."""
    pages = [document.path for document in documents if command in document.text]
    return ", ".join(pages) or "no document"


def lines(documents, outputs):
    """A line for each, the one whose sources have changed most first."""
    found = sorted(_order(output) for output in outputs.values() if output.tier in DEAR)
    return [f"{output.taken.date}  {output.taken.commit:8}  {_commits(since):>8}  "
            f"{_shown_by(documents, output.command)}: {output.command}"
            for _, output, since in found]


def _commits(since):
    return "unknown" if since is None else str(since)
