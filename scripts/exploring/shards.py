# SPDX-License-Identifier: Apache-2.0
"""Shards of tdsim explore: what it lists is run, until it lists nothing."""

import functools
import pathlib
import subprocess

from toolbox import tools
from toolbox.errors import CheckError, Refused
from toolbox.progress import Progress

TDSIM = tools.BUILD / "tdsim"


def _tdsim(space, out, *words):
    """What tdsim explore prints; its errors are ours."""
    done = subprocess.run([TDSIM, "explore", space, "--out", out, *words], check=False,
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True)
    if done.returncode == 2:
        raise Refused(done.stderr.strip())
    if done.returncode != 0:
        raise CheckError(f"tdsim ended with status {done.returncode}: {done.stderr.strip()}")
    return done.stdout


def _one(space, out, name):
    """One shard."""
    _tdsim(space, out, "--shard", name)


def run(space, out, engine):
    """Runs everything that has no result yet; returns the table as text."""
    folder = pathlib.Path(out) / "shards"
    while waiting := _tdsim(space, out, "--list").split():
        progress = Progress("shards", len(waiting))
        try:
            engine.run({name: functools.partial(_one, space, out, name) for name in waiting}, out,
                       lambda names=waiting, line=progress: line.set(
                           sum((folder / name).exists() for name in names)))
        finally:
            progress.finish()
    return _tdsim(space, out)
