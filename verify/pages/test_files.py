#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Bad files make no page; timelines have the cycles of the result; passes those of the operation.

usage: test_files.py TDSIM [TEST…]
"""

import collections
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True

import results  # noqa: E402

TDSIM = None


class Folder(unittest.TestCase):
    """A folder for the files of a test."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def simulate(self, *arguments):
        """What tdsim writes with --json; with a timeline, both."""
        files = {option: self.folder / f"{option}.json" for option in ("json", "perfetto")}
        if arguments[0] == "pass":
            del files["perfetto"]
        given = [str(word) for option, path in files.items() for word in (f"--{option}", path)]
        subprocess.run([TDSIM, *map(str, arguments), *given], check=True, stdout=subprocess.DEVNULL)
        found = [json.loads(path.read_text()) for path in files.values()]
        return found if len(found) > 1 else found[0]


class BadFiles(Folder):
    """One line that names the file, exit status 2, and no page."""

    def refused(self, path, *texts):
        page = self.folder / "page.html"
        status, errors = results.run_page(path, "--out", page)
        self.assertEqual((status, len(errors)), (2, 1), errors)
        for text in (f"report: {path}: ", *texts):
            self.assertIn(text, errors[0])
        self.assertEqual([one.name for one in self.folder.iterdir() if "html" in one.name], [])

    def test_files(self):
        good = json.loads(results.measured(self.folder).read_text())
        without = {name: value for name, value in good.items() if name != "tiles"}
        for number, (text, *said) in enumerate((
                ("", "JSON ="), ("{", "JSON ="), ("7", "JSON = int"), ("[]", "entries = 0"),
                ('[{"run": 1}]', "entries = unknown"), ("{}", "format = missing"),
                ('{"format": "tensordash-result-1"}', 'format = "tensordash-result-1"', "legal: "),
                ("[" * 100000, "JSON ="), ('{"format": NaN}', "NaN is no number"),
                (json.dumps(without), "tiles = missing"),
                (json.dumps({**good, "tiles": {}}), "tiles = nothing"),
                (json.dumps({**good, "tiles": {"dense": {"area": 5}}}), "missing or of another kind"),
                (json.dumps({**good, "clock_ns": "x"}), "missing or of another kind"),
                ('[{"configuration": "a", "run": "b", "status": "fine", "passes": 1}]',
                 "status = fine", "passed, failed, error, not run"),
                (json.dumps({"command": "c", "cells": []}), "cells = nothing"))):
            with self.subTest(text=text[:60]):
                path = self.folder / f"{number}.json"
                path.write_text(text)
                self.refused(path, *said)

    def test_no_file(self):
        self.refused(self.folder / "none.json", "No such file")
        self.refused(self.folder, "Is a directory")
        path = self.folder / "bytes.json"
        path.write_bytes(b"\xff\xfe")
        self.refused(path, "no UTF-8")

    def test_points_without_numbers(self):
        path = results.explored(self.folder, 5)
        document = json.loads(path.read_text())
        document["points"][3]["objectives"]["area"] = "small"
        self.refused(results.write(path, document), "points[3].objectives.area = small", "a number")
        del document["points"][3]["objectives"]["area"]
        self.refused(results.write(path, document), "area")

    def test_points_of_other_networks(self):
        path = results.explored(self.folder, 5)
        document = json.loads(path.read_text())
        document["points"][3]["networks"].pop()
        self.refused(results.write(path, document), "points[3].networks = others")
        del document["points"][3]["networks"]
        self.refused(results.write(path, document), "networks = missing or of another kind")

    def test_accelerator_without_figures(self):
        path = results.accelerated(self.folder)
        document = json.loads(path.read_text())
        del document["operations"][4]["tensordash"]["other_wait_clocks"]
        self.refused(results.write(path, document), "other_wait_clocks = missing")
        del document["totals"]
        self.refused(results.write(path, document), "totals = missing")

    def test_batch_sizes(self):
        """A plan without what the slider counts with."""
        measured = {"batch": [1], "run_time_ms": [2], "peak_bytes": [3]}
        good = {"scenario": "s.toml", "batch": 1, "samples": 9, "memory_gb": 1, "largest_batch": 5,
                "run_time_slope_ms": 1, "run_time_bias_ms": 1, "memory_slope": 1, "memory_bias": 1,
                "max_samples_per_s": 1000, "batch_at_80_percent_of_max": 4, "measured": measured}
        path, page = self.folder / "plan.json", self.folder / "page.html"
        self.assertEqual(results.run_page(results.write(path, good), "--out", page), (0, []))
        page.unlink()
        for key in ("scenario", "memory_gb"):
            self.refused(results.write(path, {**good, key: None}), "missing or of another kind")
        for key in ("memory_slope", "measured", "max_samples_per_s"):
            self.refused(results.write(path, {one: value for one, value in good.items()
                                              if one != key}), f"{key} = missing")
        for key, value in (("memory_bias", "much"), ("largest_batch", True), ("samples", "many"),
                           ("measured", {**measured, "batch": [1, 2]})):
            self.refused(results.write(path, {**good, key: value}), "missing or of another kind")

    def test_points_without_configurations(self):
        path = results.explored(self.folder, 5)
        lost = self.folder / "points/p3.toml"
        lost.unlink()
        page = self.folder / "page.html"
        status, errors = results.run_page(path, "--out", page)
        self.assertEqual((status, len(errors), page.exists()), (2, 1, False))
        self.assertIn(f"report: {lost}: file = No such file", errors[0])

    def test_pages_that_cannot_be_written(self):
        good = results.regressed(self.folder)
        before = good.read_bytes()
        for out in (good, self.folder, self.folder / "none" / "page.html"):
            status, errors = results.run_page(good, "--out", out)
            self.assertEqual((status, len(errors)), (2, 1), errors)
            self.assertIn("--out", errors[0])
        self.assertEqual(good.read_bytes(), before)
        self.assertEqual(len(list(self.folder.iterdir())), 1)


class Timelines(Folder):
    """Of a run: what stands on each track, and that it adds up."""

    def events(self, *arguments):
        """(result, {(hardware, track): events})"""
        result, timeline = self.simulate("run", results.TRACE, *arguments)
        names, tracks = {}, collections.defaultdict(list)
        for event in timeline["traceEvents"]:
            place = (event["pid"], event["tid"])
            if event["ph"] == "M" and event["name"] == "thread_name":
                names[place] = event["args"]["name"]
            elif event["ph"] == "X":
                tracks[event["pid"], names[place]].append(event)
        return result, tracks

    def check_track(self, events, clock_MHz):
        """Sorted, none over the next, and the same in µs as in cycles."""
        self.assertTrue(events)
        end = 0
        for event in events:
            begin, cycles = event["args"]["begin_cycle"], event["args"]["cycles"]
            self.assertGreaterEqual(begin, end)
            self.assertGreater(cycles, 0)
            self.assertEqual((event["ts"], event["dur"]), (begin / clock_MHz, cycles / clock_MHz))
            end = begin + cycles

    def test_sums(self):
        for clock in (500, 143):  # whole and broken numbers of µs
            result, tracks = self.events("--config", "paper_bf16", "--clock", str(clock))
            sums = {key: sum(event["args"]["cycles"] for event in events)
                    for key, events in tracks.items()}
            self.assertEqual(sums, {
                (process, track): sum(one[prefix + field] for one in result["operations"])
                for process, prefix in enumerate(("", "dense_"))
                for track, field in (("operations", "memory_cycles"),
                                     ("slowest tile", "slowest_tile_steps"),
                                     ("bus, reads", "bus_read_cycles"),
                                     ("bus, writes", "bus_written_cycles"))})
            for events in tracks.values():
                self.check_track(events, clock)

    def test_compute_alone(self):
        """What is always served takes its tiles' cycles, and waits for no bus."""
        result, tracks = self.events("--config", "paper_bf16", "--compute-only")
        total = result["totals"]["all"]
        sums = {key: sum(event["args"]["cycles"] for event in events)
                for key, events in tracks.items()}
        self.assertEqual(sums, {(process, track): total[field]
                                for process, field in enumerate(("cycles", "dense_cycles"))
                                for track in ("operations", "slowest tile")})

    def test_causes(self):
        result, tracks = self.events("--config", "paper_bf16", "--snapshot", "late")
        self.assertEqual([event["name"] for event in tracks[0, "slowest tile"]],
                         [f"late/{one['layer']} {one['op']}" for one in result["operations"]])
        for event, one in zip(tracks[0, "slowest tile"], result["operations"]):
            causes = {name: value for name, value in event["args"].items()
                      if name not in ("begin_cycle", "cycles")}
            self.assertAlmostEqual(sum(causes.values()), one["cycles"])
            for name, value in causes.items():
                field = "ideal_cycles" if name == "effectual_cycles" else f"lost_{name}"
                self.assertAlmostEqual(value, one[field], msg=name)


class Passes(Folder):
    """What lanes do in a pass."""

    def test_lanes(self):
        document = self.simulate("pass", results.TRACE, "--config", "paper_bf16", "--snapshot", "late")
        lanes, depth = (document["configuration"][name] for name in ("lanes", "depth_rows"))
        self.assertGreater(len(document["passes"]), 20)
        for one in document["passes"]:
            self.assertEqual(len(one["steps"]), one["cycles"])
            self.assertEqual(sum(step["advance_rows"] for step in one["steps"]), one["dense_cycles"])
            for step in one["steps"]:
                self.assertEqual([len(text) for text in step["lanes"]], [lanes] * 4)
                self.assertLessEqual(set("".join(step["lanes"])), {".", *map(str, range(depth))})

    def test_dense_tiles_take_their_row(self):
        document = self.simulate("pass", results.TRACE, "--config", "dense_bf16", "--layer", "conv2",
                                 "--snapshot", "late", "--op", "fwd")
        (one,) = document["passes"]
        self.assertEqual({text for step in one["steps"] for text in step["lanes"]}, {"0" * 16})
        self.assertEqual(one["cycles"], one["dense_cycles"])

    def test_another_seed_is_another_pass(self):
        numbers = [[one["number"] for one in self.simulate(
            "pass", results.TRACE, "--config", "paper_bf16", "--seed", seed)["passes"]]
            for seed in (1, 1, 2)]
        self.assertEqual(numbers[0], numbers[1])
        self.assertNotEqual(numbers[0], numbers[2])


if __name__ == "__main__":
    TDSIM = sys.argv.pop(1)
    unittest.main()
