# SPDX-License-Identifier: Apache-2.0
"""clang-tidy on every file, once for each content."""

import functools
import json
import os
import re

from toolbox import pool, tools
from toolbox.errors import CheckError

CACHE = tools.BUILD / "tidy"
FOLDERS = ("base", "gen", "sim", "verify")
_INCLUDE = re.compile(r'^#include "([^"]+)"', re.MULTILINE)
_FINDING = re.compile(r"^(/.*?):(\d+):(\d+): (?:warning|error): (.*)$", re.MULTILINE)


@functools.lru_cache(maxsize=None)
def _includes(path):
    """Our files that one includes, however deep, itself among them."""
    found = {path}
    for name in _INCLUDE.findall(path.read_text(encoding="utf-8")):
        if (tools.ROOT / name).is_file():
            found |= _includes(tools.ROOT / name)
    return frozenset(found)


def _commands(build):
    """File -> how it is compiled, for the files of FOLDERS that are written by hand."""
    listed = json.loads((build / "compile_commands.json").read_text(encoding="utf-8"))
    commands = {}
    for entry in listed:
        path = (tools.ROOT / entry["directory"] / entry["file"]).resolve()
        # What needs headers compiled ahead is one file without a line of code, for their sake.
        ahead = "cmake_pch" in entry["command"]
        if not ahead and any(path.is_relative_to(tools.ROOT / folder) for folder in FOLDERS):
            commands.setdefault(path, entry["command"])
    return commands


def _key(path, command):
    config = tools.file_digest(tools.ROOT / ".clang-tidy")
    parts = [str(one.relative_to(tools.ROOT)) + tools.file_digest(one)
             for one in sorted(_includes(path))]
    return tools.digest(tools.version("clang-tidy", "--version", line=1), config,
                        command.replace(str(tools.ROOT), "."), *parts)


def _look(path, build, runner):
    """Findings in a file and in what it includes: place and text."""
    log = CACHE / f"{str(path.relative_to(tools.ROOT)).replace('/', '_')}.log"
    status = runner.status(["clang-tidy", "--quiet", "-p", str(build), str(path)], log, tools.ROOT)
    findings = [f"{os.path.relpath(file, tools.ROOT)}:{line}:{column}: {text}"
                for file, line, column, text in _FINDING.findall(log.read_text(encoding="utf-8"))]
    if status != 0 and not findings:
        raise CheckError(f"clang-tidy: {path}: status {status}; all of its output: {log}")
    return findings


def _findings(path, command, build, runner):
    kept = CACHE / f"{_key(path, command)}.json"
    if not kept.is_file():
        tools.write(kept, json.dumps(_look(path, build, runner)))
    return json.loads(kept.read_text(encoding="utf-8"))


def run(build):
    """Folder -> files looked at, and all findings, each once."""
    commands = _commands(build)
    files = {folder: sum(path.is_relative_to(tools.ROOT / folder) for path in commands)
             for folder in FOLDERS}
    if not all(files.values()):
        raise CheckError(f"{build}/compile_commands.json: not every folder has files: {files}")
    tools.make_folder(CACHE)
    runner = tools.Runner()
    found = pool.for_each(lambda item: _findings(*item, build, runner), sorted(commands.items()),
                          "files", runner)
    return files, sorted(set().union(*found))
