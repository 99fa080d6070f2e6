# SPDX-License-Identifier: Apache-2.0
"""clang-tidy on every file, once for each content."""

import concurrent.futures
import functools
import json
import os
import re
import subprocess

from toolbox import tools
from toolbox.errors import CheckError
from toolbox.progress import Progress

CACHE = tools.BUILD / "tidy"
FOLDERS = ("gen", "sim", "verify")
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
        if any(path.is_relative_to(tools.ROOT / folder) for folder in FOLDERS):
            commands.setdefault(path, entry["command"])
    return commands


def _key(path, command):
    config = tools.file_digest(tools.ROOT / ".clang-tidy")
    parts = [str(one.relative_to(tools.ROOT)) + tools.file_digest(one)
             for one in sorted(_includes(path))]
    return tools.digest(tools.version("clang-tidy", "--version", line=1), config,
                        command.replace(str(tools.ROOT), "."), *parts)


def _look(path, build):
    """Findings in a file and in what it includes: place and text."""
    done = subprocess.run([tools.find("clang-tidy"), "--quiet", "-p", build, path],
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True, check=False)
    findings = [f"{os.path.relpath(file, tools.ROOT)}:{line}:{column}: {text}"
                for file, line, column, text in _FINDING.findall(done.stdout)]
    if done.returncode != 0 and not findings:
        raise CheckError(f"clang-tidy: {path}: status {done.returncode}: {done.stderr[-300:]}")
    return findings


def _findings(path, command, build):
    kept = CACHE / f"{_key(path, command)}.json"
    if not kept.is_file():
        tools.write(kept, json.dumps(_look(path, build)))
    return json.loads(kept.read_text(encoding="utf-8"))


def run(build, jobs, names):
    """Folder -> files looked at, and all findings, each once. names: files, or all when empty."""
    commands = _commands(build)
    if names:
        wanted = {(tools.ROOT / name).resolve() for name in names}
        commands = {path: command for path, command in commands.items() if path in wanted}
    tools.make_folder(CACHE)
    progress = Progress("files", len(commands))
    findings = set()
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        looks = [pool.submit(_findings, path, command, build)
                 for path, command in sorted(commands.items())]
        for look in concurrent.futures.as_completed(looks):
            findings.update(look.result())
            progress.step()
    progress.finish()
    files = {folder: sum(path.is_relative_to(tools.ROOT / folder) for path in commands)
             for folder in FOLDERS}
    return files, sorted(findings)
