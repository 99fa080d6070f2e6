# SPDX-License-Identifier: Apache-2.0
"""Folders of results, named by a hash of all that they depend on: whole, or not there."""

import functools

from toolbox import tools
from toolbox.progress import Progress
from workflows import engine


def into(folder, key, work):
    """Does work(temporary folder) unless folder/KEY is there, and then renames it to that. Returns
    folder/KEY."""
    done = folder / key
    if done.is_dir():
        return done
    temporary = folder / f"{key}.{tools.unique()}.tmp"
    tools.remove(temporary)
    tools.make_folder(temporary)
    with tools.writing(temporary):
        try:
            work(temporary)
            temporary.rename(done)
        except OSError:
            # Another run was faster with the same.
            if not done.is_dir():
                raise
            tools.remove(temporary)
        except (KeyboardInterrupt, SystemExit):
            tools.remove(temporary)
            raise
    return done


def _shard(folder, job):
    into(folder, job.key, lambda place: job.work(place, tools.Runner()))


def run(kind, jobs, runner, what):
    """Does what is not done yet, a shard each. A job can be pickled and has a key and work(folder,
    runner). Returns key -> folder."""
    folder = tools.make_folder(tools.PPA / kind)
    tools.remove_left(folder)
    waiting = {job.key: job for job in jobs if not (folder / job.key).is_dir()}
    if engine.inside():
        for job in waiting.values():
            into(folder, job.key, lambda place, job=job: job.work(place, runner))
    else:
        runner.calls += len(waiting)
        progress = Progress(what, len(waiting))
        try:
            (runner.engine or engine.Engine()).run(
                {key: functools.partial(_shard, folder, job) for key, job in waiting.items()},
                tools.PPA / "workflows", lambda: progress.set(sum(
                    (folder / key).is_dir() for key in waiting)))
        finally:
            progress.finish()
    return {job.key: folder / job.key for job in jobs}
