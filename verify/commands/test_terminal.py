#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""What commands show on a terminal: how far a build is, and what Ctrl-C leaves behind. Builds are made
by the real Ninja, of programs that stand in for ours."""

import os
import pathlib
import pty
import subprocess
import sys
import tempfile
import time
import unittest
import uuid

import checkout

SYNTH = ("synth", "--network", "alexnet", "--sparsity", "half", "--config", "tiny")
# %s: the command of the last step. The first is said when it begins, with none done, as CMake's
# look for new files is.
STEPS = """rule first
  command = touch $out
  pool = console
rule touch
  command = touch $out
rule last
  command = %s
build zero: first
build one: touch zero
build two: touch one
build tdsim: last two
build tdgen: last two
"""
CLEAR = "\r\x1b[K"


class Terminal:
    """A command on a terminal of its own; said: what it has shown."""

    def __init__(self, command, **variables):
        self.mark, self.said = str(uuid.uuid4()), ""
        self._process, self.screen = pty.fork()
        if self._process == 0:
            os.execve(command[0], [str(word) for word in command],
                      {**os.environ, "TERM": "xterm", "TD_MARK": self.mark, **variables})

    def until(self, text):
        """Reads until it has shown a text; False if it ends before."""
        while text not in self.said:
            data = self._read() or self._read()
            if not data:
                return False
            self.said += data.decode()
        return True

    def _read(self):
        """What it shows next; nothing at its end, or what looks so: Linux may tell the end before the
        last write, if both come while it looks for them, and gives that to who asks again."""
        try:
            return os.read(self.screen, 4096)
        except OSError:  # so a terminal ends
            return b""

    def press_control_c(self):
        """As a user does."""
        os.write(self.screen, b"\x03")

    def finish(self):
        """Exit status, after all that it shows."""
        self.until("\0")
        os.close(self.screen)
        return os.waitstatus_to_exitcode(os.waitpid(self._process, 0)[1])

    def path(self):
        """Of the terminal, as a file."""
        return os.readlink(f"/proc/{self._process}/fd/2")


def running(mark):
    """Command lines of the processes with a mark in their environment."""
    found = []
    for path in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            if mark.encode() in (path / "environ").read_bytes():
                found.append((path / "cmdline").read_text().replace("\0", " "))
        except OSError:  # ended meanwhile, or another user's
            pass
    return found


def has_terminals():
    """Whether a terminal can be opened: a chroot may have none."""
    try:
        for end in os.openpty():
            os.close(end)
    except OSError:
        return False
    return True


@unittest.skipUnless(has_terminals(), "no pseudo-terminal can be opened here: mount /dev/pts")
class Folder(unittest.TestCase):
    """With a checkout in it that has a build folder."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.root = checkout.copy(folder.name)
        (self.root / "build").mkdir()

    def steps(self, last):
        """Sets the command of the last step."""
        (self.root / "build" / "build.ninja").write_text(STEPS % last)

    def wait_for(self, file):
        """Until something has made it; it is taken away."""
        while not file.exists():
            time.sleep(0.1)
        file.unlink()

    def script(self, name, *arguments):
        """A command line of the checkout."""
        return [self.root / "scripts" / name, *arguments]

    def check_interrupted(self, terminal, name):
        """Ctrl-C: one line on a clean one, status 130, and nothing runs on."""
        terminal.press_control_c()
        self.assertEqual(terminal.finish(), 130, terminal.said)
        said = terminal.said.replace("^C", "")
        self.assertTrue(said.endswith(f"{CLEAR}{name}: interrupted\r\n"), terminal.said)
        self.assertEqual(said.count("interrupted"), 1, terminal.said)
        self.assertEqual(running(terminal.mark), [])


class Build(Folder):
    """Programs are built before they run."""

    def setUp(self):
        super().setUp()
        checkout.stand_in(self.root / "build" / "source", "echo ran")

    def test_shown_on_a_terminal(self):
        self.steps("cp source $out")
        terminal = Terminal(self.script("tdsim", *SYNTH))
        self.assertEqual(terminal.finish(), 0, terminal.said)
        for done in (2, 3, 4):
            self.assertRegex(terminal.said, rf"\x1b\[Ktdsim: building programs: {done}/4 steps, "
                                            r"\d+/min, \d+ s left")
        self.assertTrue(terminal.said.endswith(f"{CLEAR}ran\r\n"), terminal.said)
        self.assertEqual(terminal.said.count("\n"), 1, terminal.said)

    def test_quiet_in_a_pipe(self):
        self.steps("cp source $out")
        done = subprocess.run(self.script("tdsim", *SYNTH), capture_output=True, text=True,
                              check=False)
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "ran\n", ""))

    def test_failure_is_shown(self):
        self.steps("echo broken; false")
        terminal = Terminal(self.script("tdsim", *SYNTH))
        self.assertEqual(terminal.finish(), 1, terminal.said)
        self.assertIn("broken\r\n", terminal.said.rpartition(CLEAR)[2])
        self.assertIn("tdsim: ninja failed; all of its output: ", terminal.said)

    def started(self, name, *arguments):
        """A command whose build has come to its last step."""
        (self.root / "build" / "zero").unlink(missing_ok=True)
        terminal = Terminal(self.script(name, *arguments))
        self.assertTrue(terminal.until("3/4 steps"), terminal.said)
        self.wait_for(self.root / "build" / "begun")
        return terminal

    def test_interrupted(self):
        self.steps("touch begun; exec sleep 1000")
        for name, arguments in (("tdsim", SYNTH), ("lint", ())):
            with self.subTest(name=name):
                self.check_interrupted(self.started(name, *arguments), name)

    def test_killed(self):
        self.steps("touch begun; sleep 300; touch survived")
        mark = str(uuid.uuid4())
        with subprocess.Popen(self.script("tdsim", *SYNTH), stderr=subprocess.DEVNULL,
                              env={**os.environ, "TD_MARK": mark}) as process:
            self.wait_for(self.root / "build" / "begun")
            process.terminate()
        while running(mark):  # Ninja ends its steps first
            time.sleep(0.1)
        self.assertFalse((self.root / "build" / "survived").exists())


class Install(Folder):
    """Packages are installed before that."""

    def test_shown_and_interrupted(self):
        checkout.stand_in(self.folder / "dpkg-query", "exit 1")
        checkout.stand_in(self.folder / "sudo", 'exec "$@"')
        checkout.stand_in(self.folder / "apt-get", "echo pmstatus:yosys:44.4:Unpacking yosys; "
                                                   "exec sleep 1000")
        for name, arguments in (("tdsim", SYNTH), ("setup", ())):
            with self.subTest(name=name):
                terminal = Terminal(self.script(name, *arguments),
                                    PATH=f"{self.folder}:{os.environ['PATH']}")
                self.assertTrue(terminal.until("44 %, Unpacking yosys"), terminal.said)
                for_whom = "test" if name == "setup" else name
                self.assertTrue(terminal.said.startswith(f"setup: installing for {for_whom}: g++ "))
                self.check_interrupted(terminal, "setup")


class Campaign(Folder):
    """Programs in Python, and many shards of work."""

    def test_interrupted_without_progress(self):
        program = ("import sys, time; sys.path.insert(0, 'scripts'); from toolbox import program; "
                   "sys.exit(program.run('here', lambda: print('begun') or time.sleep(1000)))")
        terminal = Terminal(["/usr/bin/env", "-C", self.root, "/usr/bin/python3", "-uBc", program])
        self.assertTrue(terminal.until("begun"), terminal.said)
        self.check_interrupted(terminal, "here")

    def test_interrupted(self):
        started = self.folder / "started"
        checkout.stand_in(self.root / "build" / "source", f"touch {started}; sleep 1000")
        self.steps("cp source $out")
        terminal = Terminal(self.script("tdsim", "sweep", *SYNTH[1:], "--out",
                                        self.folder / "swept"))
        self.assertTrue(terminal.until("0/1 points"), terminal.said)
        self.wait_for(started)
        self.check_interrupted(terminal, "sweep")


class Replay(Folder):
    """Programs that run long, themselves."""

    def replay(self, passes):
        """A command line of the tile tiny."""
        program = subprocess.run([checkout.ROOT / "scripts" / "replay", "--config", "tiny",
                                  "--build-only"], stdout=subprocess.PIPE, text=True, check=True)
        return [program.stdout.strip(), "--random", str(passes)]

    def test_interrupted(self):
        terminal = Terminal(self.replay(10**9))
        self.assertTrue(terminal.until("/1000000000 random passes"), terminal.said)
        self.check_interrupted(terminal, "tdreplay")

    def test_two_do_not_share_a_line(self):
        terminal = Terminal(self.replay(10**9))
        self.assertTrue(terminal.until("/1000000000 random passes"), terminal.said)
        second = self.replay(300)
        with open(terminal.path(), "w", encoding="utf-8") as screen:
            subprocess.run(second, stdout=subprocess.DEVNULL, stderr=screen, check=True)
        terminal.press_control_c()
        terminal.finish()
        self.assertNotIn("/300 random passes", terminal.said)
        alone = Terminal(second)
        self.assertEqual(alone.finish(), 0)
        self.assertIn("/300 random passes", alone.said)


if __name__ == "__main__":
    sys.dont_write_bytecode = True
    unittest.main()
