# SPDX-License-Identifier: Apache-2.0
"""Folders of results, named by a hash of all that they depend on: whole, or not there."""

import os
import pathlib

from toolbox import pool, tools


def into(folder, key, work):
    """Does work(temporary folder) unless folder/KEY is there, and then renames it to that. Returns
    folder/KEY."""
    done = folder / key
    if done.is_dir():
        return done
    temporary = folder / f"{key}.{os.getpid()}.tmp"
    tools.remove(temporary)
    tools.make_folder(temporary)
    with tools.writing(temporary):
        work(temporary)
        try:
            temporary.rename(done)
        except OSError:
            # Another run was faster with the same.
            if not done.is_dir():
                raise
            tools.remove(temporary)
    return done


def clean(folder):
    """Removes what killed runs left."""
    for left in folder.glob("*.tmp"):
        process = left.name.split(".")[-2]
        if process.isdigit() and not pathlib.Path(f"/proc/{process}").exists():
            tools.remove(left)


def run(kind, jobs, runner, what):
    """Does what is not done yet, all cores at work, the largest first: whatever is last should be
    short. A job has a key, a size and work(folder, runner). Returns key -> folder. An exception of
    one job ends the others."""
    folder = tools.make_folder(tools.PPA / kind)
    clean(folder)
    waiting = {job.key: job for job in jobs if not (folder / job.key).is_dir()}
    pool.for_each(lambda job: into(folder, job.key, lambda place: job.work(place, runner)),
                  sorted(waiting.values(), key=lambda job: -job.size), what, runner)
    return {job.key: folder / job.key for job in jobs}
