# SPDX-License-Identifier: Apache-2.0
"""What every program in Python does at its edges: arguments, errors in one line, exit status."""

import argparse
import os
import re
import signal
import sys

from .errors import CheckError, UserError


class Parser(argparse.ArgumentParser):
    """Arguments whose mistakes are errors like all others. prog: the script that a user types."""

    def __init__(self, prog, **options):
        super().__init__(prog=prog, allow_abbrev=False, **options)

    def error(self, message):
        raise UserError("command line", "arguments", f"\"{' '.join(sys.argv[1:])}\"",
                        f"{message}; see {self.prog} --help")


def whole(option, text, least, most):
    """The whole number that a user gave an option."""
    if not re.fullmatch(r"\d{1,19}", text) or not least <= int(text) <= most:
        raise UserError("command line", option, text, f"{least}..{most}")
    return int(text)


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
        return 130
