# SPDX-License-Identifier: Apache-2.0
"""Runs shards by Snakemake: side by side on this machine, or as jobs of Slurm.

A shard is a call without arguments that can be pickled, is worth seconds to minutes, and keeps what
it finds in a store under what that depends on. So a call that was killed is repeated with the shards
whose results are missing: the store alone says how far the work is.
"""

import contextlib
import getpass
import json
import os
import pathlib
import pickle
import shutil
import signal
import subprocess
import sys
import time

from toolbox import tools
from toolbox.errors import CheckError, Refused, UserError
from toolbox.pool import cores
from toolbox.program import whole

SNAKEFILE = pathlib.Path(__file__).with_name("Snakefile")
WAITING, DONE, FAILED = "waiting", "done", "failed"  # folders of a workflow
INSIDE = "TD_SHARD"  # set in a shard's process, which has one core

_PATIENCE_SECONDS = 30  # for Snakemake to take its jobs back
_POLL_SECONDS = 0.25

# The store says what is done, and the folder is of this call alone.
_OPTIONS = ("--nolock", "--rerun-triggers", "mtime", "--drop-metadata", "--nocolor", "--scheduler",
            "greedy")


def inside():
    """Whether this is a shard, which starts no others."""
    return INSIDE in os.environ


def add_options(parser, what="shards"):
    """The options of every command that runs shards."""
    parser.add_argument("--jobs", default=str(cores()), metavar="N",
                        help=f"{what} at once (default: processors)")
    parser.add_argument("--slurm", metavar="PARTITION",
                        help=f"{what} as jobs of Slurm in this partition, from a checkout that all "
                        "nodes share; default: on this machine")


def chosen(arguments):
    """The Engine that add_options() let a user choose."""
    return Engine(whole("--jobs", arguments.jobs, 1, 1024), arguments.slurm)


class Engine:
    """Where shards run: so many at once, in a partition of Slurm, or (None) on this machine."""

    def __init__(self, jobs=None, partition=None):
        self.jobs, self.partition = jobs or cores(), partition
        if partition is not None and shutil.which("sbatch") is None:
            raise UserError("command line", "--slurm", partition,
                            "a machine that sends jobs to Slurm, with its program sbatch")

    def run(self, shards, folder, watch=lambda: None):
        """Runs shards, name -> call, in the user's folder; tells watch() now and then. Keeps its own
        files in `folder`. The first error of a shard ends the others, and is raised here."""
        if not shards:
            return
        tools.remove_left(tools.make_folder(folder))
        place = pathlib.Path(folder).resolve() / f"workflow.{tools.unique()}.tmp"
        waiting = tools.make_folder(place / WAITING)
        for name, call in shards.items():
            with tools.writing(waiting):
                (waiting / name).write_bytes(pickle.dumps((os.getcwd(), call)))
        log = place / "snakemake.log"
        with tools.writing(log), open(log, "w", encoding="utf-8") as output:
            process = subprocess.Popen(self._command(), cwd=place, stdin=subprocess.DEVNULL,
                                       stdout=output, stderr=subprocess.STDOUT,
                                       env=self._environment(), start_new_session=True)
        try:
            while process.poll() is None and not _failed(place):
                watch()
                time.sleep(_POLL_SECONDS)
        finally:
            _end(process)
            watch()
        for status, said in _failed(place):
            raise Refused(said) if status == 2 else CheckError(said)
        missing = [name for name in shards if not (place / DONE / name).exists()]
        if missing or process.returncode != 0:
            _show(log)
            raise CheckError(f"{len(missing)} of {len(shards)} shards did not end well; all of "
                             f"Snakemake's output: {log}")
        tools.remove(place)

    def _command(self):
        where = ["--cores", str(self.jobs)]
        if self.partition is not None:
            # More than one check a second is taken for none said; a lost node is tried again.
            where = ["--slurm", "--jobs", str(self.jobs), "--max-status-checks-per-second", "1",
                     "--latency-wait", "60", "--retries", "2", "--default-resources",
                     f"slurm_partition={self.partition}"]
        path = os.pathsep.join(dict.fromkeys(part for part in map(os.path.realpath, sys.path)
                                             if part.startswith(f"{tools.ROOT}/")))
        # It ends with its launcher, and its shards with it; from Slurm it takes its jobs back first.
        end = "KILL" if self.partition is None else "TERM"
        return [tools.find("setpriv"), "--pdeathsig", end, tools.find("snakemake"), "--snakefile",
                str(SNAKEFILE), *_OPTIONS, *where, "--config", f"path={path}"]

    def _environment(self):
        """Slurm's executor of Snakemake wants to know the user."""
        return {"USER": getpass.getuser(), **os.environ}


def _failed(place):
    """(exit status, line) of each shard that has said why it failed."""
    with contextlib.suppress(FileNotFoundError):
        return [json.loads(path.read_text(encoding="utf-8"))
                for path in sorted((place / FAILED).iterdir()) if path.suffix != ".tmp"]
    return []


def _end(process):
    """Ends Snakemake with all that it has started; what Slurm runs it takes back itself."""
    for number in (signal.SIGTERM, signal.SIGKILL):
        if process.poll() is None:
            os.killpg(process.pid, number)
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(_PATIENCE_SECONDS)


def _show(log):
    lines = log.read_text(encoding="utf-8", errors="replace").splitlines()
    print("\n".join(lines[-30:]), file=sys.stderr)
