# SPDX-License-Identifier: Apache-2.0
"""Finding and running tools, and files that are whole or not there."""

import contextlib
import errno
import fcntl
import functools
import hashlib
import os
import pathlib
import shutil
import signal
import subprocess
import threading

from .errors import CheckError, Refused, TimeLimit, UserError

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = ROOT / "build"
RTL = BUILD / "designs"
PPA = BUILD / "ppa"
TDGEN = BUILD / "tdgen"
_HOST = os.uname().nodename
TDGATE = BUILD / "tdgate"
TDPOWER = BUILD / "tdpower"
TDLIBERTY = BUILD / "tdliberty"
TDPLACE = BUILD / "tdplace"


def digest(*parts):
    """SHA-256 of texts, each with its length in front, as 32 hexadecimal digits."""
    total = hashlib.sha256()
    for part in parts:
        data = part.encode()
        total.update(f"{len(data)}:".encode() + data)
    return total.hexdigest()[:32]


@functools.lru_cache(maxsize=None)
def file_digest(path, legal="a readable file"):
    """SHA-256 of a file's bytes, as digest() writes it."""
    try:
        with open(path, "rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()[:32]
    except OSError as error:
        raise UserError(path, "file", error.strerror, legal) from error


def sources(*folders):
    """Names of the files in folders of the root that git knows; of an archive, all."""
    if not (ROOT / ".git").exists():
        paths = (path for folder in folders for path in (ROOT / folder).rglob("*") if path.is_file())
        return sorted(str(path.relative_to(ROOT)) for path in paths)
    listed = subprocess.run(["git", "ls-files", "-z", "--", *folders], cwd=ROOT, check=True,
                            stdout=subprocess.PIPE, text=True).stdout
    return sorted(name for name in listed.split("\0") if name and (ROOT / name).is_file())


def find(tool):
    """Path of a tool; says how to get it."""
    path = shutil.which(tool)
    if path is None:
        raise UserError(tool, "program", "(not found)", "an installed tool: run scripts/setup")
    return path


@functools.lru_cache(maxsize=None)
def version(tool, *flags, line=0):
    """What a tool says about its version, in that line of those that are not blank."""
    done = subprocess.run([find(tool), *(flags or ("-V",))], stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    said = [text.strip() for text in done.stdout.splitlines() if text.strip()]
    return said[line] if said else "unknown"


def abc_version():
    """Of ABC, which echoes the command first."""
    return version("berkeley-abc", "-c", "version", line=-1)


def _end(process):
    """Ends a tool and what it has started itself, such as a solver."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGTERM)
    process.wait()


def _supervised(command, limit):
    """A tool that ends with this process, even when that is killed: the kernel tells `timeout`, which
    tells what the tool has started, too. limit: seconds of a processor after which the kernel ends
    each process of it, or None."""
    limited = [] if limit is None else [find("prlimit"), f"--cpu={limit}:{limit + 60}"]
    return [find("setpriv"), "--pdeathsig", "TERM", *limited, find("timeout"), "0",
            find(command[0]), *command[1:]]


def answer(program, *arguments):
    """What one of our programs prints; what it refuses is Refused."""
    done = subprocess.run([program, *arguments], stdin=subprocess.DEVNULL, capture_output=True,
                          text=True, check=False)
    if done.returncode == 2:
        raise Refused(done.stderr.strip())
    if done.returncode != 0:
        raise CheckError(f"{program.name} {' '.join(map(str, arguments))}: {done.stderr.strip()}")
    return done.stdout


class Runner:
    """Runs tools; `stop` ends those that run. engine: what runs the shards of the same work, or None
    for the default; calls: how many tools and shards were started."""

    def __init__(self, engine=None):
        self.engine, self.calls = engine, 0
        self._lock = threading.Lock()
        self._running = set()
        self._stopped = False

    def run(self, command, log, cwd, limit=None):
        """A tool that fails is a CheckError with its last error."""
        status = self.status(command, log, cwd, limit)
        if status != 0:
            self._failed(command[0], status, log)

    def status(self, command, log, cwd, limit=None):
        """Exit status of a tool, whose output goes to the file `log`; one that takes more than
        `limit` seconds of a processor is a TimeLimit: a verdict does not depend on what else runs
        here. One that only waits has ten times as long."""
        with writing(log), open(log, "w", encoding="utf-8") as output:
            with self._lock:
                if self._stopped:
                    raise CheckError(f"{command[0]}: stopped")
                process = subprocess.Popen(_supervised(command, limit), cwd=cwd,
                                           stdin=subprocess.DEVNULL, stdout=output,
                                           stderr=subprocess.STDOUT, start_new_session=True)
                self.calls += 1
                self._running.add(process)
            try:
                status = process.wait(None if limit is None else 10 * limit)
            except subprocess.TimeoutExpired:
                status = -signal.SIGXCPU
            finally:
                if process.poll() is None:
                    _end(process)
                with self._lock:
                    self._running.discard(process)
            if status == -signal.SIGXCPU:
                raise TimeLimit(f"{command[0]}: not done after {limit} s; its output: {log}")
            return status

    def stop(self):
        """Ends the tools that run, and starts no more."""
        with self._lock:
            self._stopped = True
            for process in self._running:
                _end(process)

    def _failed(self, tool, status, log):
        text = pathlib.Path(log).read_text(encoding="utf-8", errors="replace")
        if status == 2 and pathlib.Path(tool).parent == BUILD and text.strip():
            raise Refused(text.strip().splitlines()[-1])
        if "No space left on device" in text:
            raise no_space(pathlib.Path(log).parent)
        errors = [line for line in text.splitlines() if line.startswith("ERROR")]
        what = errors[-1] if errors else f"ended with status {status}"
        raise CheckError(f"{tool}: {what}; all of its output: {log}")


def no_space(folder):
    """The error for a full disk."""
    return UserError(folder, "free space", "none", "a disk with room")


@contextlib.contextmanager
def writing(path):
    """Turns what the system says about a file that cannot be written into one line."""
    try:
        yield
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            raise no_space(pathlib.Path(path).parent) from error
        raise UserError(error.filename or path, "write", error.strerror,
                        "a checkout on a writable disk with room") from error


def unique():
    """Part of a temporary name: this process, on this machine of those that share a folder."""
    return f"{_HOST}.{os.getpid()}"


def remove_left(folder):
    """Removes the temporary folders that killed processes of this machine have left in a folder."""
    for left in pathlib.Path(folder).glob(f"*.{_HOST}.*.tmp"):
        process = left.name.split(".")[-2]
        if process.isdigit() and not pathlib.Path(f"/proc/{process}").exists():
            remove(left)


def make_folder(folder):
    """A folder with its parents, there already or not."""
    with writing(folder):
        pathlib.Path(folder).mkdir(parents=True, exist_ok=True)
    return pathlib.Path(folder)


def shown(path, folder=None):
    """A path as a message names it: from where the user is (or a folder), if it is below that."""
    path, folder = pathlib.Path(path), pathlib.Path(folder or pathlib.Path.cwd())
    return path.relative_to(folder) if path.is_relative_to(folder) else path


def write(path, text):
    """Writes a whole file or none: a temporary one, renamed."""
    path = pathlib.Path(path)
    temporary = path.with_name(f"{path.name}.{unique()}.tmp")
    with writing(path):
        try:
            temporary.write_text(text, encoding="utf-8")
            temporary.replace(path)
        finally:
            temporary.unlink(missing_ok=True)


def remove(folder):
    """Removes a folder with all that is in it."""
    shutil.rmtree(folder, ignore_errors=True)


@contextlib.contextmanager
def lock(folder):
    """One process at a time in a folder; the scripts in bash take the same lock."""
    with writing(folder):
        file = open(make_folder(folder) / ".lock", "w", encoding="utf-8")
    with file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield
