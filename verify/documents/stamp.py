# SPDX-License-Identifier: Apache-2.0
"""When a stored output was taken: commit and date, and how far its sources have gone since."""

import dataclasses
import datetime
import re
import subprocess

from toolbox import tools
from toolbox.errors import UserError

_LINE = re.compile(r"# taken at ([0-9a-f]{7,40}\+?), (\d{4}-\d\d-\d\d)")
# What a command's output depends on, apart from its arguments.
_COMMON = ("base", "presets")
_SOURCES = {"scripts/tdsim": (*_COMMON, "gen", "sim", "constraints"),
            "scripts/tdgen": (*_COMMON, "hw", "gen"),
            "scripts/tdjob": (*_COMMON, "gen", "sim", "constraints")}
_ALL = (*_COMMON, "hw", "gen", "sim", "constraints", "scripts")


@dataclasses.dataclass(frozen=True)
class Stamp:
    """commit: abbreviated; with '+' where sources of the checkout were not those of the commit."""

    commit: str
    date: str

    def line(self):
        """The second line of a stored output."""
        return f"# taken at {self.text()}"

    def text(self):
        """As a document says it."""
        return f"{self.commit}, {self.date}"

    def commits_since(self, command):
        """How many commits have changed a source of the command's output; None where git cannot say."""
        done = _git("rev-list", "--count", f"{self.commit.rstrip('+')}..HEAD", "--",
                    *_SOURCES.get(command.split()[0], _ALL))
        return int(done.stdout) if done.returncode == 0 else None


def _git(*words):
    return subprocess.run(["git", *words], cwd=tools.ROOT, stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, text=True, check=False)


def read(path, line):
    """That of a stored output, by its second line."""
    found = _LINE.fullmatch(line)
    if not found:
        raise UserError(path, "line 2", line, "# taken at COMMIT, YYYY-MM-DD")
    return Stamp(found[1], found[2])


def now():
    """Of today's checkout."""
    commit = _git("rev-parse", "--short", "HEAD").stdout.strip()
    changed = _git("status", "--porcelain", "--", *_ALL).stdout
    return Stamp(commit + ("+" if changed else ""), datetime.date.today().isoformat())
