#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Functional coverage says what a run did and what it did not, and runs add up.

usage: test_coverage.py   (builds tiny if need be)
"""

import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "scripts"), str(ROOT / "verify")]

from coverage import code, functional, holes  # noqa: E402
from toolbox.errors import CheckError, UserError  # noqa: E402

PROGRAM = subprocess.run([ROOT / "scripts" / "replay", "--config", "tiny", "--build-only"],
                         stdout=subprocess.PIPE, text=True, check=True).stdout.strip()

STATES = ("idle", "filling the window", "stepping", "draining", "held, short of rows",
          "held, ready to step")
KINDS = ("+0", "-0", "+subnormal", "-subnormal", "+smallest normal", "-smallest normal", "+largest",
         "-largest", "+Inf", "-Inf", "quiet NaN", "signalling NaN", "+1", "-1")
SPECIALS = KINDS[2:]  # zeros and what else a run without specials draws

# What each kind of stimulus alone brings: the options with it, and the bins that need it.
NEEDS = {
    "stalls": [f"intake: side {side} starved while {state}"
               for side in "AB" for state in STATES] +
              [f"skid: output refused while {state}" for state in STATES] +
              ["skid: output refused"],
    "specials": [f"multiplier: side {side} {kind} multiplied"
                 for side in "AB" for kind in SPECIALS if kind not in ("+1", "-1")] +
                ["sequencer: nonfinite set", "window: Inf or NaN of side A dropped"],
    "resets": [f"reset: reset while {state}" for state in ("closed", *STATES)] +
              ["reset: asserted between two clock edges", "reset: asserted for one clock edge",
               "reset: asserted for several clock edges"],
    "modes": [f"intake: mode changes from {change}, {when}"
              for change in ("dense to dropping pairs", "dropping pairs to dense")
              for when in ("after a wait", "in consecutive clocks")] +
             ["multiplier: side B +0 multiplied", "multiplier: side B -0 multiplied",
              "intake: step of a stream dense"],
    "short streams": ["skid: 2 outputs in the buffer", "intake: control held, short of rows",
                      "intake: control held, ready to step"],
    "long streams": [f"scheduler: level {level} blocked by an earlier one: a lane {what}"
                     for level in (1, 2, 3) for what in ("takes a later option", "stays idle")] +
                    [f"intake: advance limited by tile row {row} alone" for row in (0, 1)] +
                    [f"intake: stream of {rows} rows" for rows in range(2, 7)],
}
PLAIN = "--random 300 --rows 20"
SHORT = "--random 1000 --rows 1 --streams 1"
ALL = ("--random 800 --rows 17 --specials 0.01 --dense 0.3 --stall 0.3",
       "--random 1500 --rows 1 --streams 1 --specials 0.05 --stall 0.5",
       "--random 1500 --rows 1 --streams 1 --stall 0.3 --pause 0.05 --resets 20",
       "--random 4000 --rows 6 --streams 2 --stall 0.2 --pause 0.03 --dense 0.1 --resets 200")


class Files(unittest.TestCase):
    """A folder for what a test writes."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def replay(self, name, options):
        """Path of the coverage of a replay of tiny."""
        path = self.folder / f"{name}.json"
        subprocess.run([PROGRAM, *options.split(), "--coverage-file", path], check=True,
                       stdout=subprocess.DEVNULL)
        return path

    def merge(self, *paths):
        """Exit status and output of the command."""
        done = subprocess.run([ROOT / "scripts" / "coverage", "--check", *paths], text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
        return done.returncode, done.stdout

    def refused(self, text, path, function, *arguments):
        """The function refuses a file in one line that has the text in it."""
        with self.assertRaises(UserError) as raised:
            function(*arguments)
        self.assertIn(str(path), str(raised.exception))
        self.assertIn(text, str(raised.exception))


class Holes(Files):
    """What a run does not do is a hole, and what it does is none."""

    def test_without(self):
        plain = functional.load(self.replay("plain", PLAIN))
        short = functional.load(self.replay("short", f"{SHORT} --stall 0.3"))
        for what, needed in NEEDS.items():
            run = short if what == "long streams" else plain
            for name in needed:
                self.assertIn(name, run.bins, what)
                self.assertEqual(run.bins[name], 0, f"without {what}: {name}")

    def test_with(self):
        files = [self.replay(str(i), options) for i, options in enumerate(ALL)]
        total = functional.merge(files)
        for what, needed in NEEDS.items():
            for name in needed:
                self.assertGreater(total.bins[name], 0, f"with {what}: {name}")
        status, output = self.merge(*files)
        self.assertEqual((status, total.holes()), (0, []), output)
        self.assertEqual(self.merge(files[0])[0], 1)

    def test_file_is_whole_or_absent(self):
        path = self.folder / "no" / "such" / "folder.json"
        done = subprocess.run([PROGRAM, *PLAIN.split(), "--coverage-file", path], text=True,
                              stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=False)
        self.assertEqual((done.returncode, len(done.stderr.splitlines())), (2, 1), done.stderr)


class Merging(Files):
    """Counts add up; files that do not belong together, or are none, are refused."""

    def write(self, name, **changes):
        """A file with one bin."""
        table = {"format": functional.FORMAT, "configuration": "one", "configuration_hash": "0123",
                 "bins": [{"name": "skid: full", "count": 2},
                          {"name": "skid: empty", "count": 0, "unreachable": "never"}]}
        path = self.folder / name
        path.write_text(json.dumps({**table, **changes}), encoding="utf-8")
        return path

    def test_adds(self):
        first = self.write("a")
        second = self.write("b", bins=[{"name": "skid: full", "count": 5},
                                       {"name": "skid: empty", "count": 0,
                                        "unreachable": "never"}])
        total = functional.merge([first, second])
        self.assertEqual(total.bins, {"skid: full": 7, "skid: empty": 0})
        self.assertEqual((total.holes(), total.reachable()), ([], 1))

    def test_contradiction(self):
        path = self.write("a", bins=[{"name": "skid: full", "count": 5, "unreachable": "never"}])
        status, output = self.merge(path)
        self.assertEqual(status, 1)
        self.assertIn("covered though out of reach: one: skid: full: never", output)

    def test_refused(self):
        first = self.write("a")
        other = self.write("b", configuration_hash="4567")
        self.refused("4567", other, functional.merge, [first, other])
        self.assertEqual(len(functional.merge_by_configuration([first, other])), 2)
        bins = self.write("c", bins=[{"name": "skid: none", "count": 1}])
        self.refused("bins", bins, functional.merge, [first, bins])
        for name, changes in {"count": {"bins": [{"name": "skid: full", "count": -1}]},
                              "name": {"bins": [{"name": "skid", "count": 1}]},
                              "configuration_hash": {"configuration_hash": 5},
                              "format": {"format": "tensordash-coverage-0"}}.items():
            path = self.write("d", **changes)
            self.refused(name, path, functional.load, path)
        bad = self.folder / "bad"
        for text in ("", "{", "[]", "{\"bins\": 1}", "\udcff"):
            bad.write_bytes(text.encode(errors="surrogateescape"))
            self.refused("", bad, functional.load, bad)
            self.assertEqual(self.merge(bad)[0], 2)
        self.refused("file", "absent", functional.load, self.folder / "absent")


class Code(Files):
    """Lines and toggles as Verilator writes them."""

    def counts(self, count):
        """One toggle and one branch of a block, the first hit so often."""
        source = self.folder / "td1_pe.v"
        source.write_text("module\n  if (a)\n", encoding="utf-8")
        line = ("C '\x01f\x02{}\x01l\x022\x01n\x023\x01page\x02{}/td1_pe__P1\x01o\x02{}"
                "\x01h\x02t' {}\n")
        path = self.folder / "dat"
        path.write_text("# SystemC::Coverage-3\n"
                        + line.format(source, "v_toggle", "q[3]", count)
                        + line.format(source, "v_toggle", "q[3]", 1)
                        + line.format(source, "v_branch", "else", 0), encoding="utf-8")
        return code.load(path, "one", lambda module: module.removeprefix("td1_"))

    def test_adds(self):
        counts = self.counts(4)
        code.add(counts, self.counts(0))
        found = {(point.block, point.kind, point.text()): n for point, n in counts.items()}
        self.assertEqual(found, {("pe", "toggle", "q[3]"): 6, ("pe", "branch", "if (a) (else)"): 0})
        bad = self.folder / "bad"
        bad.write_text("# SystemC::Coverage-3\nC 'x' 1\n", encoding="utf-8")
        self.refused("C 'x'", bad, code.load, bad, "one", str)

    def test_reasons(self):
        entry = {"configuration": "*", "block": "pe", "kind": "branch", "reason": "tied"}
        counts = self.counts(1)
        self.assertEqual(list(holes.explain(counts, []).values()), [None])
        explained = holes.explain(counts, [holes.Reason(what=["if (a)*"], **entry)])
        self.assertEqual(list(explained.values()), ["tied"])
        for what in (["if (b)*"], ["if (a)*", "q[3]"]):
            with self.assertRaises(CheckError):
                holes.explain(counts, [holes.Reason(what=what, **entry)])
        path = self.folder / "holes.toml"
        path.write_text("[[hole]]\nblock = \"pe\"\n", encoding="utf-8")
        self.refused("hole", path, holes.load, path)


if __name__ == "__main__":
    unittest.main()
