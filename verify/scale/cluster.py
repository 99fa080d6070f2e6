# SPDX-License-Identifier: Apache-2.0
"""A cluster of Slurm on this machine: munge, slurmctld and three slurmd with a configuration of their
own, which touch nothing of a Slurm that is there already."""

import os
import pathlib
import secrets
import signal
import socket
import subprocess
import time

from toolbox.errors import CheckError

NODES = ("n1", "n2", "n3")
PARTITION = "main"
_PATIENCE_SECONDS = 120

# Real clusters put a lost job back into the queue themselves; here Snakemake has to.
_CONFIGURATION = """\
ClusterName=scale
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={ports[0]}
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool-%n
SlurmdPidFile={folder}/slurmd-%n.pid
SlurmctldPidFile={folder}/slurmctld.pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SlurmdParameters=config_overrides
SlurmdTimeout=15
MinJobAge=86400
JobRequeue=0
ReturnToService=0
{nodes}
PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP
"""


def _free_ports(count):
    sockets = [socket.socket() for _ in range(count)]
    try:
        for one in sockets:
            one.bind(("127.0.0.1", 0))
        return [one.getsockname()[1] for one in sockets]
    finally:
        for one in sockets:
            one.close()


def until(condition, what):
    """Waits for something of the cluster; an error says what did not come."""
    for _ in range(_PATIENCE_SECONDS * 5):
        if found := condition():
            return found
        time.sleep(0.2)
    raise CheckError(f"{what}: not within {_PATIENCE_SECONDS} s")


class Cluster:
    """With all its files in a folder, until close()."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.configuration = self.folder / "slurm.conf"
        self.environment = {**os.environ, "SLURM_CONF": str(self.configuration)}
        self._daemons = {}

    def start(self):
        """Returns when all nodes are idle."""
        host, ports = socket.gethostname().split(".")[0], _free_ports(1 + len(NODES))
        nodes = "\n".join(f"NodeName={node} NodeHostname={host} NodeAddr=127.0.0.1 Port={port} CPUs=1 "
                          "RealMemory=2000" for node, port in zip(NODES, ports[1:]))
        self.configuration.write_text(_CONFIGURATION.format(host=host, ports=ports, nodes=nodes,
                                                            folder=self.folder), encoding="utf-8")
        (self.folder / "state").mkdir()
        key = self.folder / "munge.key"
        key.write_bytes(secrets.token_bytes(128))
        key.chmod(0o400)
        self._daemon("munged", "--foreground", "--force",
                     *(f"--{what}={self.folder}/munge.{name}" for what, name in
                       (("key-file", "key"), ("socket", "socket"), ("pid-file", "pid"),
                        ("log-file", "log"), ("seed-file", "seed"))))
        until(lambda: (self.folder / "munge.socket").exists(), "munged")
        self._daemon("slurmctld", "-D")
        for node in NODES:
            self._daemon(node, "-D", "-N", node, program="slurmd")
        until(lambda: set(self.states().values()) == {"idle"}, "three idle nodes")

    def _daemon(self, name, *arguments, program=None):
        with open(self.folder / f"{name}.log", "w", encoding="utf-8") as log:
            self._daemons[name] = subprocess.Popen(
                [program or name, *arguments], env=self.environment, stdin=subprocess.DEVNULL,
                stdout=log, stderr=log, cwd=self.folder, start_new_session=True)

    def ask(self, *command):
        """What a program of Slurm prints; "" when it fails."""
        done = subprocess.run(command, env=self.environment, stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL, text=True, check=False)
        return done.stdout.strip() if done.returncode == 0 else ""

    def states(self):
        """Node -> what slurmctld takes it for."""
        return dict(line.split() for line in
                    self.ask("sinfo", "-h", "-N", "-o", "%N %t").splitlines())

    def job_state(self, job):
        """Of a job that is running or over."""
        fields = self.ask("scontrol", "-o", "show", "job", job).split()
        return next((field.split("=")[1] for field in fields if field.startswith("JobState=")), "")

    def processes(self, node=None):
        """(pid, command line, environment) of all that belongs to the cluster, or runs on a node."""
        wanted = {f"SLURM_CONF={self.configuration}"} | ({f"SLURMD_NODENAME={node}"} if node else set())
        found = []
        for folder in pathlib.Path("/proc").glob("[0-9]*"):
            try:
                environment = (folder / "environ").read_bytes().decode(errors="replace").split("\0")
                command = (folder / "cmdline").read_bytes().decode(errors="replace").split("\0")
            except OSError:
                continue
            if wanted <= set(environment):
                found.append((int(folder.name), command, environment))
        return found

    def work(self, node):
        """The job of a shard that a node is working on right now, or None."""
        for _, command, environment in self.processes(node):
            if "workflows.shard" in command:
                return next(text.split("=")[1] for text in environment
                            if text.startswith("SLURM_JOB_ID="))
        return None

    def kill(self, node):
        """A node dies: its slurmd, and every process that runs on it. Returns how many those were."""
        self._daemons[node].kill()
        self._daemons[node].wait()
        jobs = self.processes(node)
        for pid, _, _ in jobs:
            _kill(pid)
            for parent in _steps_above(pid):
                _kill(parent)
        return len(jobs)

    def close(self):
        """Ends all that was started."""
        for daemon in reversed(self._daemons.values()):
            daemon.terminate()
        time.sleep(1)
        for pid, _, _ in self.processes():
            _kill(pid)
        for daemon in self._daemons.values():
            daemon.wait()
        if left := self.processes():
            raise CheckError(f"processes of the cluster are left: {[pid for pid, _, _ in left]}")


def _kill(pid):
    try:
        os.kill(pid, signal.SIGKILL)
    except ProcessLookupError:
        pass


def _steps_above(pid):
    """The slurmstepd that a process descends from."""
    found = []
    while pid > 1:
        try:
            status = pathlib.Path(f"/proc/{pid}/status").read_text(encoding="utf-8")
        except OSError:
            break
        fields = dict(line.split(":\t", 1) for line in status.splitlines() if ":\t" in line)
        if fields["Name"].startswith("slurmstepd"):
            found.append(pid)
        pid = int(fields["PPid"])
    return found
