# SPDX-License-Identifier: Apache-2.0
"""What every program in Python does at its edges: arguments, errors in one line, exit status."""

import argparse
import os
import re
import signal
import subprocess
import sys

from . import tools
from .errors import CheckError, Refused, UserError
from .progress import clear_line


class Parser(argparse.ArgumentParser):
    """Arguments whose mistakes are errors like all others. prog: the script that a user types."""

    def __init__(self, prog, **options):
        super().__init__(prog=prog, allow_abbrev=False, **options)

    def error(self, message):
        raise Refused(f"{self.prog}: {message}; see {self.prog} --help")


def whole(option, text, least, most):
    """The whole number that a user gave an option."""
    if not re.fullmatch(r"\d{1,19}", text) or not least <= int(text) <= most:
        raise UserError("command line", option, text, f"{least}..{most}")
    return int(text)


def known(option, value, folder, text):
    """Refuses what is neither a file nor the name of one in a folder of the checkout, in the words
    of our programs."""
    names = sorted(path.stem for path in (tools.ROOT / folder).glob("*.toml"))
    if value not in names and (not os.path.exists(value) or os.path.isdir(value)):
        raise UserError("command line", option, value, f"a TOML file, or {text} {', '.join(names)}")


def prepare(*configs):
    """Installs and builds what the script that started this program says it needs: to be called
    once a user's arguments were judged. A failure has been said, and ends this process. configs:
    names or files that the user gave."""
    for config in configs:
        known("--config", config, "presets", "a preset:")
    wanted = os.environ.pop("TD_PREPARE", "").split()
    if not wanted:
        return
    before = signal.signal(signal.SIGINT, lambda *_: None)  # the shell says it
    try:
        status = subprocess.run([tools.ROOT / "scripts/toolbox/prepare.sh", *wanted],
                                check=False).returncode
    finally:
        signal.signal(signal.SIGINT, before)
    if status != 0:
        sys.exit(status)


def print_lines(lines):
    """Prints lines; a reader that went away is an error, not a traceback."""
    try:
        print("\n".join(lines), flush=True)
    except OSError as error:
        # Whatever is left in the buffer must not be tried again at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise UserError("standard output", "write", error.strerror,
                        "a reader, or a disk with room") from error


def run(name, function):
    """Exit status of function(), which returns whether all its checks passed (None: it has none)."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    try:
        return 1 if function() is False else 0
    except UserError as error:
        print(f"{name}: {error}", file=sys.stderr)
        return 2
    except CheckError as error:
        print(f"{name}: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        clear_line()
        print(f"{name}: interrupted", file=sys.stderr)
        return 130
