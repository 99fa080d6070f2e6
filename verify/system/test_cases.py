#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""tdjob's answers to the carried cases; and that the comparison finds what is wrong."""

import copy
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "verify"))

from system import compare, sources  # noqa: E402

TDJOB = sys.argv.pop(1)


class Cases(unittest.TestCase):
    """Every entry of fields.toml."""

    def test_within_tolerances(self):
        entries = compare.entries()
        self.assertGreater(len(entries), 0)
        for entry in entries:
            with self.subTest(entry=str(entry)):
                result = compare.judge(TDJOB, entry)
                self.assertEqual(result.faults, [])
                self.assertGreater(result.values, 0)
                print(f"{entry}: {result.cases} cases, {result.values} values, worst "
                      f"{100 * result.worst:.2g} % of the tolerance")

    def test_as_delivered(self):
        """With the expected fields in the file the answers are the same."""
        for entry in compare.entries()[:1]:
            path = compare.REFERENCE / entry.folder / entry.file
            lines = compare.answers(TDJOB, path.parent, path)
            cases = compare.load(path)
            self.assertEqual(compare.compare(lines, cases, entry.expected).faults, [])

    def test_carried_files_have_entries(self):
        """No section of a file is left out in silence."""
        listed = {(entry.folder, entry.file, entry.section) for entry in compare.entries()}
        for folder, file, section in sorted(listed):
            if section:
                root = compare.load(compare.REFERENCE / folder / file)[0]
                self.assertEqual(set(root), {one[2] for one in listed if one[:2] == (folder, file)})


class Comparison(unittest.TestCase):
    """What must be found."""

    CASES = [{"name": "a", "sizes": [1, 2], "points": [{"at": 1, "time_s": 2.5}], "kind": "gpu"}]
    EXPECTED = {"time_s": {"relative": 1e-9}, "kind": "exact"}

    def faults(self, change):
        """The faults of an answer that was changed."""
        ours = copy.deepcopy(self.CASES)
        change(ours[0])
        return len(compare.compare(ours, self.CASES, self.EXPECTED).faults)

    def test_equal(self):
        result = compare.compare(self.CASES, self.CASES, self.EXPECTED)
        self.assertEqual((result.cases, result.values, result.faults), (1, 2, []))

    def test_changes(self):
        self.assertEqual(self.faults(lambda one: one["points"][0].update(time_s=2.5 + 1e-10)), 0)
        self.assertEqual(self.faults(lambda one: one["points"][0].update(time_s=2.5 + 1e-8)), 1)
        self.assertEqual(self.faults(lambda one: one["points"][0].update(time_s=float("nan"))), 1)
        self.assertEqual(self.faults(lambda one: one["points"][0].pop("time_s")), 1)
        self.assertEqual(self.faults(lambda one: one.update(kind="cpu")), 1)
        self.assertEqual(self.faults(lambda one: one.update(sizes=[1, 3])), 1)
        self.assertEqual(self.faults(lambda one: one.pop("name")), 1)
        self.assertEqual(len(compare.compare([], self.CASES, self.EXPECTED).faults), 1)

    def test_nothing_compared(self):
        self.assertEqual(compare.compare([{"a": 1}], [{"a": 1}], self.EXPECTED).values, 0)

    def test_stripped(self):
        self.assertEqual(compare.strip(self.CASES, self.EXPECTED),
                         [{"name": "a", "sizes": [1, 2], "points": [{"at": 1}]}])


class Sources(unittest.TestCase):
    """No expected value stands in the source."""

    def test_none(self):
        files = {str(path.relative_to(ROOT)): path.read_text(encoding="utf-8")
                 for path in (ROOT / "sim" / "system").rglob("*") if path.is_file()}
        self.assertGreater(len(files), 10)
        expected = sources.expected_digits()
        self.assertGreater(len(expected), 10)
        self.assertEqual(list(sources.faults(files, expected)), [])

    def test_found(self):
        expected = {"123456789"}
        for text in ("x = 1.23456789;", "x = 123456789e-3;", "{0.123456}", "1'234'567"):
            self.assertEqual(len(list(sources.faults({"a.cpp": text}, expected))), 1, text)
        for text in ("1234", "0.5", "987654", "x123456789"):
            self.assertEqual(list(sources.faults({"a.cpp": text}, expected)), [], text)


class Refused(unittest.TestCase):
    """Bad input: one line, exit status 2, nothing on standard output."""

    def refuse(self, needle, *arguments):
        """Runs tdjob."""
        done = subprocess.run([TDJOB, *arguments], capture_output=True, text=True, check=False)
        self.assertEqual((done.returncode, done.stdout), (2, ""), done.stderr)
        self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
        self.assertIn(needle, done.stderr)

    def test_case(self):
        folder = compare.REFERENCE / "analytic"
        self.refuse("FOLDER = nofolder", "case", "nofolder", "cases.json")
        self.refuse("FILE = nofile", "case", folder, "nofile")
        self.refuse("legal: one of analytic/", "case", compare.HERE, "README.md")

    def test_broken_cases(self):
        """None of a file's lines is printed when the last one is bad."""
        folder = compare.REFERENCE / "analytic"
        lines = (folder / "pipeline_schedules.jsonl").read_text().splitlines()[:2]
        for change, needle in (('"devices":2', "devices = 0"), ('"transfer":0.25', "transfer = -1"),
                               ('"chunks":1', "chunks = 3"), ('"forward":[1.0,1.0]', "forward")):
            with tempfile.TemporaryDirectory() as name:
                path = pathlib.Path(name) / "pipeline_schedules.jsonl"
                value = {"devices": "0", "transfer": "-1", "chunks": "3", "forward": "[1.0]"}
                key = change.split('"')[1]
                path.write_text(f"{lines[0]}\n" + lines[1].replace(change, f'"{key}":{value[key]}'))
                self.refuse(needle, "case", folder, path)

    def test_experts_splits(self):
        """Every node on one device, and none that the graph has not."""
        case = {"graph": "bert24_inference", "level": "layer", "accelerators": 6, "cpus": 1,
                "method": "human_expert_split"}
        split = json.loads((compare.REFERENCE / "placement" / "human_experts" /
                            "bert24_inference_expert.json").read_text())
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            (folder / "human_experts").mkdir()
            compare.store(folder / "max_load.jsonl", [case])
            for nodes, needle in ((["none"], 'fpgas[0].nodes[0] = "none"'), ([9], "fpgas[1].nodes[0] = 9"),
                                  ([], "a device for every node")):
                split["fpgas"][0]["nodes"] = nodes
                (folder / "human_experts" / "bert24_inference_expert.json").write_text(json.dumps(split))
                self.refuse(needle, "case", compare.REFERENCE / "placement", folder / "max_load.jsonl")


if __name__ == "__main__":
    unittest.main()
