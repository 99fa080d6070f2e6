#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""scripts/regress as a command: interrupted, out of time, with runs and builds that fail.

Scripts stand in for the programs that a run needs, so that they fail and end as a test wants; the
Verilog comes from the real tdgen.
"""

import contextlib
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import time
import unittest
import xml.etree.ElementTree as xml

sys.dont_write_bytecode = True
ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts"))

from toolbox import tools  # noqa: E402

# Stands in for verify/regress/build.sh: prints the path of what stands in for a program.
FAKE_BUILD = """#!/bin/sh
[ "$1" = verify/configs/depth1.toml ] && { echo "cannot be built"; exit 1; }
echo "$(dirname "$0")/program"
"""

# Stands in for tdreplay: counts its calls; the number of passes says what becomes of them.
FAKE_PROGRAM = """#!/bin/sh
echo "$*" >> "$(dirname "$0")/calls"
case "$*" in
  *"--random 666 "*--wave*) for word; do case $word in *.fst) : > "$word" ;; esac; done; exit 1 ;;
  *"--random 666 "*) echo "first mismatch: clock 7: <not \\001 this>"
                     echo "to see it: tdreplay --wave mismatch.fst --wave-from 3"; exit 1 ;;
  *"--random 222 "*) echo "--random: no"; exit 2 ;;
  *"--random 999 "*) kill -SEGV $$ ;;
esac
# A call that a test holds back ends with the one who started it, or not at all.
while [ -e "$(dirname "$0")/hold" ] && [ "$(wc -l < "$(dirname "$0")/calls")" -gt 5 ]; do
  sleep 0.05
done
sleep 0.15
echo "total      5/5    1  1"
"""

# The real program, with its folders and the build stood in for.
DRIVER = """
import pathlib, sys
from regress import __main__ as program, plan
folder = pathlib.Path(sys.argv.pop(1))
program.FOLDER = folder / "results"
plan.BUILD_DESIGN = str(folder / "build.sh")
sys.exit(program.main())
"""


class Program(unittest.TestCase):
    """The command, with programs that do as they are told."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory(dir=tools.BUILD, prefix="regress-test-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        for name, text in (("build.sh", FAKE_BUILD), ("program", FAKE_PROGRAM)):
            (self.folder / name).write_text(text, encoding="utf-8")
            (self.folder / name).chmod(0o755)
        self.suite = self.folder / "s.toml"

    def start(self, *options):
        environment = {**os.environ, "PYTHONPATH": f"{ROOT}/scripts:{ROOT}/verify"}
        return subprocess.Popen([sys.executable, "-B", "-c", DRIVER, self.folder, "--suite", self.suite,
                                 "--jobs", "2", *options], env=environment, text=True,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=ROOT)

    def call(self, status, *options):
        """Output and errors of a call that ends with that status."""
        process = self.start(*options)
        output, errors = process.communicate(timeout=600)
        self.assertEqual(process.returncode, status, output + errors)
        return output, errors

    def declare(self, *options, configs="['tiny', 'odd_fp16']"):
        self.suite.write_text(f"[[run]]\nconfig = {configs}\noptions = {list(options)}\n",
                              encoding="utf-8")

    def calls(self):
        with contextlib.suppress(FileNotFoundError):
            return (self.folder / "calls").read_text(encoding="utf-8").splitlines()
        return []

    def junit(self):
        return xml.parse(self.folder / "results" / "s-1" / "junit.xml").getroot()

    def processes(self):
        """How many there are that belong to this test."""
        count = 0
        for line in pathlib.Path("/proc").glob("[0-9]*/cmdline"):
            with contextlib.suppress(OSError):
                count += str(self.folder).encode() in line.read_bytes()
        return count

    def results(self):
        """The bytes of the results."""
        return (self.folder / "results" / "s-1" / "results.json").read_bytes()

    def test_resumes_after_kill(self):
        """Killed in the middle, it takes everything with it; then no result is lost, none is made
        twice but those that were cut short, and the end is the one of an uninterrupted run."""
        self.declare(*(f"--random {passes}" for passes in range(1, 11)))
        (self.folder / "hold").touch()
        process = self.start()
        while len(self.calls()) < 6:
            self.assertIsNone(process.poll())
            time.sleep(0.01)
        process.send_signal(signal.SIGKILL)
        process.communicate()
        for _ in range(1200):
            if not self.processes():
                break
            time.sleep(0.05)
        self.assertEqual(self.processes(), 0)
        (self.folder / "hold").unlink()
        before = len(self.calls())
        self.assertIn(before, (6, 7))  # of 20
        output, _ = self.call(0)
        self.assertRegex(output, r"(?m)^[5-9] of 22 results are there from earlier calls")
        calls = self.calls()
        self.assertEqual(len(set(calls)), 20)
        self.assertLessEqual(len(calls), 22)  # two ran at once when it was killed
        suites = self.junit()
        self.assertEqual(suites.get("tests"), "22")
        self.assertEqual(len(suites.findall("testsuite")), 2)
        self.assertEqual(len(suites.findall("testsuite/testcase")), 22)
        self.assertEqual(len(suites.findall("testsuite/testcase/*")), 0)
        interrupted = self.results()
        self.call(0)
        self.assertEqual(len(self.calls()), len(calls))
        self.call(0, "--fresh")
        self.assertEqual(len(self.calls()), len(calls) + 20)
        self.assertEqual(self.results(), interrupted)
        self.assertEqual(interrupted.count(b'"passed"'), 22)

    def test_failure(self):
        """A failing run says how to do it again, and keeps its wave; also when it is looked up."""
        self.declare("--random 1", "--random 666", "--random 999")
        for _ in range(2):
            output, errors = self.call(1)
            again = re.search(r"FAILED tiny: .*clock 7: <not . this>\n  again: (.*)\n  wave: (.*)\n",
                              output)
            self.assertRegex(again.group(1), r"^scripts/replay --config tiny --random 666 --seed \d+$")
            self.assertTrue((ROOT / again.group(2)).is_file())
            self.assertRegex(output, r"ERROR tiny: tdreplay --random 999 .*: ended with status -11")
            self.assertIn("4 of 8 runs failed", errors)
        suites = self.junit()
        self.assertEqual([suites.get(key) for key in ("tests", "failures", "errors", "skipped")],
                         ["8", "2", "2", "0"])
        failure = suites.find("testsuite/testcase/failure")
        self.assertIn(again.group(1), failure.text)
        self.assertIn("<not ? this>", failure.get("message"))
        # A mismatch stands; what broke off is tried again.
        self.assertEqual(sum("--random 666" in call and "--wave" not in call for call in self.calls()), 2)
        self.assertEqual(sum("--random 999" in call for call in self.calls()), 4)

    def test_time_is_up(self):
        """What was not run is not a pass."""
        self.declare(*(f"--random {passes}" for passes in range(1, 41)))
        output, errors = self.call(1, "--time", "2s")
        left = re.search(r"INCOMPLETE: (\d+) of 82 runs", errors)
        self.assertGreater(int(left.group(1)), 0)
        suites = self.junit()
        self.assertEqual(suites.get("skipped"), left.group(1))
        self.assertEqual(len(suites.findall("testsuite/testcase/skipped")), int(left.group(1)))
        self.assertRegex(output, r"total +82 +\d+ +0 +0 +" + left.group(1))

    def test_build_fails(self):
        """A design that cannot be built is an error, and its runs are not passes."""
        self.declare("--random 1", configs="['verify/configs/depth1.toml', 'tiny']")
        output, errors = self.call(1)
        self.assertIn("ERROR depth1: build tdreplay: cannot be built\n"
                      f"  again: {self.folder.relative_to(ROOT)}/build.sh verify/configs/depth1.toml fast tdreplay",
                      output)
        self.assertIn("INCOMPLETE: 1 of 4", errors)

    def test_refused(self):
        """One line, status 2."""
        self.declare("--random 222")
        cases = [((), "exit status 2"), (("--jobs", "0"), "--jobs"), (("--time", "x"), "--time"),
                 (("--seed", "-1"), "--seed"), (("--no-such",), "--no-such")]
        for options, said in cases:
            _, errors = self.call(2, *options)
            self.assertEqual(len(errors.splitlines()), 1, errors)
            self.assertIn(said, errors)


if __name__ == "__main__":
    unittest.main()
