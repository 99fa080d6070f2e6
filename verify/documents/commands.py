# SPDX-License-Identifier: Apache-2.0
"""Every command in the documents exists, and its --help knows each of its options."""

import functools
import re
import subprocess

from toolbox import tools

_COMMAND = re.compile(r"(?:\$ )?((?:scripts|build)/[\w./-]+)(.*)")
_OPTION = re.compile(r"(?<![\w-])--[a-z][a-z-]*")
# Subcommands that the --help of their command does not list.
UNLISTED = {"scripts/tdsim": "sweep", "scripts/judge": "testfloat"}


@functools.lru_cache(maxsize=None)
def _help(command, subcommand):
    words = [tools.ROOT / command, *([subcommand] if subcommand else []), "--help"]
    done = subprocess.run(words, check=False, capture_output=True, text=True)
    return done.stdout if done.returncode == 0 else None


def _subcommand(command, rest):
    """The first word, if it is one: the command's help lists it at the beginning of a line."""
    word = re.match(r" ([a-z]+)(?![\w./-])", rest)
    if word and (word[1] == UNLISTED.get(command)
                 or re.search(rf"^ {{2,4}}{word[1]} ", _help(command, "") or "", re.M)):
        return word[1]
    return ""


def _calls(document):
    """(command, the words behind it, up to a pipe) of code spans and code blocks."""
    lines = [line for block in document.blocks() for line in block]
    for text in [*document.spans(), *lines]:
        found = _COMMAND.match(text)
        if found and found[1].count("/") == 1:
            yield found[1], found[2].split(" | ")[0]


def faults(document):
    for command, rest in _calls(document):
        path = tools.ROOT / command
        # Programs there are named td…; the rest is there once something has run.
        made = command.startswith("build/") and not command.startswith("build/td")
        if not path.exists() and not made:
            yield f"{document.path}: command = {command}: no such file"
        if not path.is_file() or path.suffix == ".md":
            continue
        options = _OPTION.findall(rest)
        subcommand = _subcommand(command, rest) if options else ""
        text = _help(command, subcommand) if options else ""
        if text is None:
            yield f"{document.path}: command = {command} {subcommand} --help: it failed"
            continue
        for option in options:
            if option not in _OPTION.findall(text):
                yield f"{document.path}: command = {command}{rest}: {option} is not in its --help"
