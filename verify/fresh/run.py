# SPDX-License-Identifier: Apache-2.0
"""Runs command lines in a copy of the checkout, each from an empty build folder, and says what it took."""

import dataclasses
import json
import os
import pathlib
import shutil
import subprocess
import time

from toolbox import tools

LIMIT = 3600  # seconds of a command


@dataclasses.dataclass(frozen=True)
class Cost:
    """wall, cpu: seconds, of all processes; memory: of the largest process, MB; status: exit."""

    wall: float
    cpu: float
    memory: int
    status: int


def copy(folder, names):
    """Files of the root with these names, in a folder."""
    tools.remove(folder)
    for name in names:
        tools.make_folder((folder / name).parent)
        shutil.copy2(tools.ROOT / name, folder / name, follow_symlinks=False)


def measured(line, folder, log):
    """Cost of a command line of the shell there; what it prints is in the file `log`."""
    start = time.monotonic()
    with open(log, "w", encoding="utf-8") as output:
        process = subprocess.Popen(["timeout", str(LIMIT), "bash", "-o", "pipefail", "-c", line],
                                   cwd=folder, stdin=subprocess.DEVNULL, stdout=output,
                                   stderr=subprocess.STDOUT)
        try:
            _, status, usage = os.wait4(process.pid, 0)
        except BaseException:
            process.terminate()
            raise
    process.returncode = os.waitstatus_to_exitcode(status)
    return Cost(time.monotonic() - start, usage.ru_utime + usage.ru_stime, usage.ru_maxrss // 1024,
                process.returncode)


class Runs:
    """What has been run of one state of the checkout, in a folder that keeps it."""

    def __init__(self, folder, names, files):
        self.folder = tools.make_folder(folder)
        self.checkout = self.folder / "checkout"
        self._store = self.folder / "runs.json"
        state = tools.digest(*(part for name in names
                               for part in (name, tools.file_digest(tools.ROOT / name))))
        kept = json.loads(self._store.read_text(encoding="utf-8")) if self._store.exists() else {}
        self._costs = kept.get("costs", {}) if kept.get("state") == state else {}
        self._state = state
        if not self._costs:
            copy(self.checkout, names)
            for name, text in files.items():
                tools.write(self.checkout / name, text)

    def of(self, line):
        """The cost of a command line: of an earlier run that passed, or of one now."""
        if line in self._costs:
            return Cost(**self._costs[line])
        tools.remove(self.checkout / "build")
        cost = measured(line, self.checkout, self.log(line))
        if cost.status == 0:
            self._costs[line] = dataclasses.asdict(cost)
            tools.write(self._store, json.dumps({"state": self._state, "costs": self._costs}))
        return cost

    def log(self, line):
        """The file with what a command line has printed."""
        return pathlib.Path(self.folder / f"{tools.digest(line)}.log")
