# SPDX-License-Identifier: Apache-2.0
"""The command line of scripts/scale-test."""

import getpass
import os
import pathlib
import subprocess
import sys
import tempfile
import time

from toolbox import tools
from toolbox.errors import CheckError, UserError
from toolbox.program import Parser, prepare, print_lines, run

from . import cluster

SWEEP = [tools.ROOT / "scripts" / "tdsim", "sweep", "--network", "alexnet", "squeezenet", "--sparsity", "half",
         "relu", "--config", "tiny", "paper_bf16", "paper_fp32", "wide4_bf16", "odd_fp16",
         "--seeds", "10", "--batch", "2", "--points", "10", "--compute-only"]
POINTS = 200
VICTIM = cluster.NODES[1]


def _arguments():
    return Parser("scripts/scale-test",
                  description="Starts munge, slurmctld and three slurmd on this machine, as root, with "
                  "a configuration of their own; runs a sweep of 200 points on them; kills a node while "
                  "it works, and compares all results with a run on two cores, byte by byte."
                  ).parse_args()


class _Clock:
    """Says things with the seconds since the start."""

    def __init__(self):
        self._start = time.monotonic()

    def say(self, text):
        """One line."""
        print_lines([f"{time.monotonic() - self._start:6.0f} s  {text}"])


def _serial(folder, clock):
    """The sweep on two cores."""
    clock.say("on two cores: scripts/tdsim sweep --jobs 2")
    subprocess.run([*SWEEP, "--jobs", "2", "--out", folder], check=True, stdout=subprocess.DEVNULL)
    clock.say(f"on two cores: {len(_bytes(folder))} files")


def _done(folder):
    """Results that are there."""
    return len(list((folder / "points").glob("*.json")))


def _clustered(machines, folder, clock):
    """The sweep on three nodes, of which one dies; returns the job that was lost."""
    log = machines.folder / "sweep.log"
    clock.say(f"on the cluster: scripts/tdsim sweep --jobs 3 --slurm {cluster.PARTITION}")
    with open(log, "w", encoding="utf-8") as output:
        sweep = subprocess.Popen([*SWEEP, "--jobs", "3", "--slurm", cluster.PARTITION, "--out", folder],
                                 env=machines.environment, stdout=output, stderr=output)
    try:
        cluster.until(lambda: _done(folder) >= POINTS // 5 or sweep.poll() is not None, "results")
        job = cluster.until(lambda: machines.work(VICTIM) or sweep.poll() is not None,
                            f"work for {VICTIM}")
        if sweep.poll() is not None:
            raise CheckError(f"the sweep ended before a node could be killed:\n{log.read_text()}")
        count, done = machines.kill(VICTIM), _done(folder)
        clock.say(f"killed {VICTIM}: slurmd and {count} processes of job {job}, a shard among them; "
                  f"{done} of {POINTS} points were there")
        if count == 0 or not 0 < done < POINTS:
            raise CheckError("the node was not killed in the middle of its work")
        lost = cluster.until(lambda: machines.job_state(job) not in ("RUNNING", "COMPLETING") and
                             machines.job_state(job), "slurmctld's notice")
        clock.say(f"slurmctld: job {job} {lost}, nodes {machines.states()}")
        if lost != "NODE_FAIL":
            raise CheckError(f"job {job} ended as {lost}, not with its node")
        if sweep.wait() != 0:
            raise CheckError(f"the sweep failed:\n{log.read_text()}")
    finally:
        if sweep.poll() is None:
            sweep.terminate()
            sweep.wait()
    clock.say(f"on the cluster: {len(_bytes(folder))} files; nodes {machines.states()}; "
              f"{log.read_text().splitlines()[0]}")


def _bytes(folder):
    """Name -> contents of the table and of every result."""
    return {str(file.relative_to(folder)): file.read_bytes()
            for file in [folder / "table.csv", *(folder / "points").glob("*.json")]}


def _compare(serial, clustered):
    left, right = _bytes(serial), _bytes(clustered)
    if len(left) != POINTS + 1 or left.keys() != right.keys():
        raise CheckError(f"{len(left)} and {len(right)} files, not {POINTS} results and a table each")
    wrong = [name for name in left if left[name] != right[name]]
    if wrong:
        raise CheckError(f"{len(wrong)} of {len(left)} files differ, {wrong[0]} among them")
    return sum(map(len, left.values()))


def _run():
    _arguments()
    if os.getuid() != 0:
        raise UserError("command line", "user", getpass.getuser(), "root, who may start Slurm")
    prepare()
    clock = _Clock()
    with tempfile.TemporaryDirectory(prefix="td-scale-", dir="/tmp") as name:
        folder = pathlib.Path(name)
        serial, clustered = folder / "serial", folder / "clustered"
        _serial(serial, clock)
        machines = cluster.Cluster(folder)
        try:
            machines.start()
            clock.say(f"cluster: {machines.ask('sinfo', '--version')}, {machines.states()}")
            _clustered(machines, clustered, clock)
        finally:
            machines.close()
        clock.say(f"equal: {POINTS} results and their table, {_compare(serial, clustered)} bytes")


def main():
    """Exit status."""
    return run("scale-test", _run)


if __name__ == "__main__":
    sys.exit(main())
