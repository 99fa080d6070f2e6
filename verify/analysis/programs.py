# SPDX-License-Identifier: Apache-2.0
"""Runs programs that were built to notice what they do wrong."""

import os
import pathlib
import re
import subprocess

from toolbox import tools
from toolbox.errors import CheckError

TRACE = tools.ROOT / "verify" / "traces" / "plain.safetensors"
# A finding ends the program; status 86 is used by nothing else.
_OPTIONS = {"ASAN_OPTIONS": "exitcode=86:detect_leaks=1:detect_stack_use_after_return=1",
            "UBSAN_OPTIONS": "exitcode=86:print_stacktrace=1"}
_UNIT = re.compile(r"test cases:\s+(\d+) \|\s+(\d+) passed \|\s+0 failed")


def configurations():
    """The files of all presets and of the configurations in verify/."""
    return [*sorted((tools.ROOT / "presets").glob("*.toml")),
            *sorted((tools.ROOT / "verify" / "configs").glob("*.toml"))]


def run(command, log, **environment):
    """Output of a program that must end well; it is kept in the file `log`."""
    done = subprocess.run([str(word) for word in command], stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          errors="replace", check=False,
                          env={**os.environ, **_OPTIONS, **environment})
    tools.write(log, done.stdout)
    if done.returncode != 0:
        what = [line for line in done.stdout.splitlines()
                if re.search(r"ERROR: .*Sanitizer|WARNING: ThreadSanitizer|runtime error:|FAILED|ERROR:", line)]
        raise CheckError(f"{pathlib.Path(command[0]).name}: status {done.returncode}: "
                         f"{what[0].strip() if what else 'no reason'}; all of its output: {log}")
    return done.stdout


def unit_tests(program, log, **environment):
    """How many unit tests passed; none at all is a failure."""
    counted = _UNIT.search(run([program], log, **environment))
    if counted is None or counted[1] != counted[2] or counted[1] == "0":
        raise CheckError(f"{program}: not all unit tests passed; all of its output: {log}")
    return int(counted[1])


def command_line(script, arguments, log, **environment):
    """How many checks of a command line passed."""
    said = run([tools.ROOT / "verify" / script, *arguments], log, **environment)
    counted = re.search(r"^cli: (\d+) checks passed$", said, re.MULTILINE)
    if counted is None or counted[1] == "0":
        raise CheckError(f"{script}: nothing was checked; all of its output: {log}")
    return int(counted[1])
