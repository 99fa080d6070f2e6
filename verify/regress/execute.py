# SPDX-License-Identifier: Apache-2.0
"""Runs the tasks of a design that have no result yet, and keeps what each comes to."""

import re
import shlex
import signal
import time

from toolbox import tools
from toolbox.errors import CheckError, TimeLimit, UserError

from . import plan
from .store import ERROR, FAILED, PASSED, Result, Store

# A replay that hangs ends itself; this is for a program that does not.
LONGEST_SECONDS = 1800
RESULTS = "results"  # in the folder of a suite


def run(work, folder, build, deadline):
    """One shard: the open tasks of a design. folder: of the suite's results. build: what builds a
    program of a design. deadline: by time.time(), after which nothing starts."""
    _Executor(folder, build, deadline).run(work)


class _Executor:
    """Holds what every task needs."""

    def __init__(self, folder, build, deadline):
        self._store, self._command, self._deadline = Store(folder / RESULTS), build, deadline
        self._logs = tools.make_folder(folder / "logs")
        self._waves = tools.make_folder(folder / "waves")
        self._coverage = tools.make_folder(folder / "coverage")
        self._runner = tools.Runner()

    def _open(self, task):
        return self._store.get(task.key) is None

    def run(self, work):
        """The tasks of a design, in their order."""
        programs = {}
        for task in work.tasks:
            if time.time() > self._deadline:
                return
            if task.program == "build":
                # A result alone does not say that the program is still there.
                needed = any(self._open(other) for other in work.tasks
                             if other.program == task.options)
                if needed or self._open(task):
                    programs[task.options] = self._build(task)
            elif self._open(task) and task.program == "lint":
                self._store.add(self._judge(task, [str(tools.ROOT / plan.LINT), str(tools.TDGEN),
                                                   task.design.config]))
            elif self._open(task) and programs.get(task.program):
                self._store.add(self._judge(task, [programs[task.program],
                                                   *shlex.split(task.arguments),
                                                   *self._covered(task)]))
        results = [self._store.get(task.key) for task in work.tasks]
        if work.design.drawn and all(one and one.status == PASSED for one in results):
            tools.remove(tools.RTL / work.design.hash)

    def _build(self, task):
        """Path of the program, or None."""
        start, log = time.monotonic(), self._log(task)
        path, status = self._program(task.design.config, "fast", task.options, log)
        seconds = time.monotonic() - start
        if path is None:
            self._store.add(Result(task.key, ERROR, seconds, message=_said(log, status)))
            return None
        log.unlink()
        if self._open(task):
            self._store.add(Result(task.key, PASSED, seconds))
        return path

    def _program(self, config, variant, program, log):
        status = self._status([self._command, config, variant, program], log)
        return (_lines(log)[-1] if status == 0 else None), status

    def _judge(self, task, command):
        """The result of a check."""
        start, log = time.monotonic(), self._log(task)
        status = self._status(command, log)
        seconds = time.monotonic() - start
        text = log.read_text(encoding="utf-8", errors="replace")
        if status == 0:
            log.unlink()
            return Result(task.key, PASSED, seconds, _passes(text))
        if status == 2 and task.program != "lint":
            raise UserError(task.design.config, task.title, "exit status 2",
                            f"what the program takes; it said: {_said(log, status)}")
        mismatch = re.search(r"first mismatch: (.*)", text)
        message = mismatch.group(1) if mismatch else _said(log, status)
        wave = self._wave(task, text) if mismatch else ""
        return Result(task.key, FAILED if status == 1 else ERROR, seconds, message=message,
                      wave=wave)

    def _wave(self, task, text):
        """The failing run once more, by a program that writes waves; its file."""
        log = self._log(task).with_suffix(".wave.log")
        program, _ = self._program(task.design.config, "rtl", "tdreplay", log)
        wave = self._waves / f"{task.design.name}-{task.key[:8]}.fst"
        begin = re.search(r"--wave-from (\d+)", text)
        if program is None or begin is None:
            return ""
        self._status([program, *shlex.split(task.arguments), "--wave", str(wave), "--wave-from",
                      begin.group(1)], log)
        return str(wave.relative_to(tools.ROOT)) if wave.is_file() else ""

    def _status(self, command, log):
        """Exit status, None after too long; what was ended from outside is no result."""
        try:
            status = self._runner.status(command, log, tools.ROOT, LONGEST_SECONDS)
        except TimeLimit:
            return None
        if status in (-signal.SIGINT, -signal.SIGTERM):
            raise CheckError("interrupted; the same command continues")
        return status

    def _covered(self, task):
        """Options that keep a replay's functional coverage, for scripts/coverage."""
        if task.program != "tdreplay":
            return []
        return ["--coverage-file", str(self._coverage / f"{task.design.name}-{task.key[:8]}.json")]

    def _log(self, task):
        """Of this process alone: on a cluster, one that outlived its launcher may do the same."""
        return self._logs / f"{task.design.name}-{task.key[:8]}.{tools.unique()}.log"


def _lines(log):
    return log.read_text(encoding="utf-8", errors="replace").strip().splitlines()


def _said(log, status):
    """Why a program failed, in a line."""
    if status is None:
        return f"did not end within {LONGEST_SECONDS} s"
    lines = _lines(log) or ["no output"]
    return lines[-1] if status == 1 else f"ended with status {status}: {lines[-1]}"


def _passes(text):
    """Passes that a replay compared: the first column of figures in its last row."""
    total = re.search(r"^total +(\d+)/\d+ ", text, re.MULTILINE)
    return int(total.group(1)) if total else 0
