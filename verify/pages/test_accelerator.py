#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Two layers of a training step through an accelerator's Verilog: the result file adds up, has the
documented fields and makes a page; on the timeline engines do one thing at a time, as long as the
hardware counts.

usage: test_accelerator.py TDACCEL [TEST…]
"""

import collections
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True

import results  # noqa: E402

TDACCEL = None
SELECTED = ("--snapshot", "late", "--layer", "linear1?")
MODES = ("dense", "tensordash")
OFF = 0.02  # of the clocks, where pairs are dropped


def run(*arguments, selected=SELECTED):
    """Of tdaccel step: what has ended."""
    return subprocess.run([TDACCEL, "step", *selected, "--trace", str(results.TRACE),
                           *map(str, arguments)], capture_output=True, text=True,
                          check=False)


def documented():
    """Members of the document, of an operation, and of a mode, as docs/accelerator.md has them."""
    text = (results.ROOT / "docs/accelerator.md").read_text(encoding="utf-8")
    table = text.split("## The result file")[1].split("\n## ")[0]
    names = [name for line in re.findall(r"(?m)^\| (`.*?) \|", table)
             for name in re.findall(r"`(.*?)`", line)]
    first = names.index("operations[].snapshot")
    mode = names.index("clocks")
    return ({*names[:first], "operations", "totals"},
            {*(name.replace("operations[].", "") for name in names[first:mode]), *MODES},
            set(names[mode:]))


class Step(unittest.TestCase):
    """One run, in all its forms."""

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        cls.file = cls.folder / "step.json"
        done = run("--json", cls.file, "--perfetto", cls.folder / "timeline.json")
        if done.returncode:
            raise AssertionError(done.stderr)
        cls.printed = done.stdout
        cls.result = json.loads(cls.file.read_text())
        cls.timeline = json.loads((cls.folder / "timeline.json").read_text())["traceEvents"]

    def modes(self):
        """(name, mode, its figures), sums as well."""
        for one in self.result["operations"]:
            for mode in MODES:
                yield f"{one['layer']}/{one['op']}/{mode}", mode, one[mode]
        for mode in MODES:
            yield f"total/{mode}", mode, self.result["totals"][mode]

    # ---- The result file ----

    def test_fields(self):
        root, operation, mode = documented()
        by_hand = json.loads(results.accelerated(self.folder).read_text())
        for document in (self.result, by_hand):
            self.assertEqual(set(document), root)
            for one in document["operations"]:
                self.assertEqual(set(one), operation)
                for name in MODES:
                    self.assertEqual(set(one[name]), mode)
                    self.assertEqual(set(document["totals"][name]), mode)
        self.assertEqual(len(self.result["operations"]), 6)

    def test_every_clock_once(self):
        for name, mode, figures in self.modes():
            with self.subTest(name):
                parts = [figures[f"{part}_clocks"]
                         for part in ("stepped", "fill_wait", "other_wait", "no_compute")]
                self.assertEqual(sum(parts), figures["clocks"])
                self.assertEqual(min(0, *parts), 0)
                self.assertEqual(sum(figures["tiles_steps"]), figures["stepped_clocks"])
                alone = sum(figures[f"timeline_{part}_clocks"]
                            for part in ("load_alone", "store_alone", "no_engine"))
                if mode == "dense":
                    self.assertEqual(figures["timeline_clocks"], figures["clocks"])
                    self.assertEqual(alone, figures["no_compute_clocks"])
                self.assertAlmostEqual(alone, figures["no_compute_clocks"],
                                       delta=OFF * figures["clocks"])

    def test_totals(self):
        for mode in MODES:
            total = self.result["totals"][mode]
            operations = [one[mode] for one in self.result["operations"]]
            for name, value in total.items():
                with self.subTest(mode=mode, name=name):
                    if name == "tiles_steps":
                        value, summed = value[0], sum(one[name][0] for one in operations)
                    else:
                        summed = sum(one[name] for one in operations)
                    self.assertAlmostEqual(value, summed, delta=1e-9 * abs(value))
            energies = [value for name, value in total.items() if name.endswith("_energy_pJ")]
            self.assertAlmostEqual(sum(energies), total["energy_pJ"], delta=1e-9 * total["energy_pJ"])

    def test_printed(self):
        """The tables show the same totals."""
        clocks, *tables = [line.split() for line in self.printed.splitlines()
                           if line.startswith("total")]
        total = [self.result["totals"][mode] for mode in MODES]
        self.assertEqual(clocks[1:3], [str(one["clocks"]) for one in total])
        self.assertEqual(clocks[4:6], [str(one["stepped_clocks"]) for one in total])
        for row, one in zip(tables[:2], total, strict=True):
            self.assertEqual(row[2:], [str(value) for name, value in one.items()
                                       if name.endswith("_bytes")])
        for row, one in zip(tables[2:], total, strict=True):
            self.assertEqual(row[2:9], [f"{value / 1000:.1f}" for name, value in one.items()
                                        if name.endswith("energy_pJ")])

    def test_plans(self):
        """Those of the step behind another one, whose tensors lie elsewhere, are the same."""
        def plans(text):
            found = re.findall(r"(?m)^(late/\S+) +\d.* ([0-9a-f]{16}) ([0-9a-f]{16})$", text)
            return {name: plan for name, *plan in found}
        every = plans(self.printed)
        behind = plans(run(selected=SELECTED[2:]).stdout)
        self.assertEqual(len(every), len(self.result["operations"]))
        self.assertEqual(behind, every)

    def test_page(self):
        page = self.folder / "page.html"
        self.assertEqual(results.run_page(self.file, "--out", page), (0, []))
        self.assertIn(f'<data value="{self.result["totals"]["dense"]["clocks"]}">', page.read_text())

    # ---- The timeline ----

    def tracks(self, process):
        """{name: its spans, which do not overlap}"""
        names = {event["tid"]: event["args"]["name"] for event in self.timeline
                 if event["pid"] == process and event["name"] == "thread_name"}
        tracks, ends = collections.defaultdict(list), collections.Counter()
        for event in self.timeline:
            if event["pid"] != process or event["ph"] != "X":
                continue
            track, args = names[event["tid"]], event["args"]
            self.assertGreaterEqual(args["begin_cycle"], ends[track], event)
            self.assertGreater(args["cycles"], 0, event)
            clock_MHz = self.result["technology"]["clock_MHz"]
            self.assertEqual((event["ts"], event["dur"]),
                             (args["begin_cycle"] / clock_MHz, args["cycles"] / clock_MHz))
            ends[track] = args["begin_cycle"] + args["cycles"]
            tracks[track].append(event)
        return tracks, max(ends.values())

    def test_engines_do_one_thing_at_a_time(self):
        for process, mode in enumerate(MODES):
            tracks, end = self.tracks(process)
            total = self.result["totals"][mode]
            self.assertEqual(set(tracks), {"operations", "load", "fill", "compute", "store", "tile 0"})
            self.assertEqual(end, total["timeline_clocks"])
            self.assertEqual([event["args"]["clocks"] for event in tracks["operations"]],
                             [one[mode]["clocks"] for one in self.result["operations"]])
            self.assertEqual([sum(event["args"]["steps"] for event in tracks["tile 0"])],
                             total["tiles_steps"])
            self.assertEqual(len(tracks["compute"]), len(tracks["fill"]))

    def test_engines_work_as_long_as_the_hardware_counts(self):
        tracks, end = self.tracks(MODES.index("dense"))
        total = self.result["totals"]["dense"]
        self.assertEqual(end, total["clocks"])
        for engine in ("compute", "store"):
            self.assertEqual(sum(event["args"]["cycles"] for event in tracks[engine]),
                             total[f"{engine}_clocks"], engine)

    # ---- A layer of a given shape ----

    def test_layer(self):
        file, page = self.folder / "layer.json", self.folder / "layer.html"
        subprocess.run([TDACCEL, "layer", "--channels", "4", "--filters", "8", "--size", "4",
                        "--zeros", "0", "--op", "wgrad", "--json", str(file)], check=True,
                       stdout=subprocess.DEVNULL)
        layer = json.loads(file.read_text())
        self.assertEqual(layer.keys(), self.result.keys())
        (one,) = layer["operations"]
        # Three rows meet four, but for one at each edge; columns, too.
        self.assertEqual((one["op"], one["useful_macs"]), ("wgrad", 4 * 8 * (3 * 4 - 2) ** 2))
        self.assertEqual(one["dense"], layer["totals"]["dense"])
        self.assertEqual(results.run_page(file, "--out", page), (0, []))

    # ---- Bad input ----

    def test_refused(self):
        used = self.folder / "used.json"
        for arguments, text in ((("--json", used, "--perfetto", used), "--json, --perfetto"),
                                (("--json", results.TRACE), "--json, --perfetto"),
                                (("--json", self.folder / "none" / "x.json"), "none"),
                                (("--json", used, "--rate"), "--rate")):
            done = run(*arguments)
            self.assertEqual((done.returncode, len(done.stderr.splitlines())), (2, 1), done.stderr)
            self.assertIn(text, done.stderr)
            self.assertEqual(done.stdout, "")
        self.assertFalse(used.exists())


if __name__ == "__main__":
    TDACCEL = sys.argv.pop(1)
    unittest.main()
