#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A wave has the clocks that were asked for, and the files beside it say what is in it: GTKWave's
save file and tables, and which pass is where.

usage: test_wave.py TDVCD
"""

import csv
import pathlib
import re
import struct
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "scripts"), str(ROOT / "verify" / "replay")]

from toolbox.manifest import Manifest  # noqa: E402
from wave_dump import Dump, traces  # noqa: E402

PERIOD = 10_000  # ps
LANES, DEPTH, WIDTH = 4, 3, 16  # of tiny
TDVCD = ""


def run(*command, status=0):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True,
                          check=False)
    if done.returncode != status:
        sys.exit(f"{command[0]}: status {done.returncode}\n{done.stdout[-2000:]}{done.stderr}")
    return done


def table_of(path):
    with open(path, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def field(value, index, bits):
    return value >> index * bits & (1 << bits) - 1


class Wave(unittest.TestCase):
    """One replay with stalls, in full."""

    @classmethod
    def setUpClass(cls):
        cls.tdreplay = run(ROOT / "scripts" / "replay", "--config", "tiny",
                           "--build-only").stdout.strip()
        holder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(holder.cleanup)
        cls.folder = pathlib.Path(holder.name)
        cls.said = run(cls.tdreplay, "--random", 40, "--stall", 0.3, "--wave",
                       cls.folder / "tiny.fst").stdout
        cls.dump = Dump(run(TDVCD, cls.folder / "tiny.fst").stdout)
        design = pathlib.Path(cls.tdreplay).parents[1] / "rtl"
        cls.manifest = Manifest(design / "tiny.json")
        cls.traces = traces((cls.folder / "tiny.gtkw").read_text())

    def path(self, end):
        """The path of the wave that ends so."""
        found = [path for path in self.dump.ranges if re.sub(r"\[\d+:0\]$", "", path) == end]
        self.assertEqual(len(found), 1, end)
        return found[0]

    def probe(self, name, **indices):
        return self.path(f"tile.{self.manifest.top}.{self.manifest.probe(name, **indices)}")

    def port(self, name):
        return self.path(f"tile.{self.manifest.top}.{name}")

    def table(self, trace):
        lines = (self.folder / trace.filters[""]).read_text().splitlines()
        return {int(value, 2): text for value, text in (line.split(" ", 1) for line in lines)}

    def of_group(self, *names):
        return [trace for trace in self.traces if trace.groups[:len(names)] == names]

    def test_whole(self):
        clocks = int(re.search(r"(\d+) clocks", self.said)[1])
        first, last = self.dump.times
        self.assertEqual(first, 0)
        self.assertTrue((clocks - 2) * PERIOD <= last <= clocks * PERIOD, (last, clocks))
        self.assertGreater(len(self.dump.ranges), 300)
        self.assertIn(f"gtkwave {self.folder / 'tiny.gtkw'}", self.said)

    def test_from(self):
        run(self.tdreplay, "--random", 20, "--wave", self.folder / "late.fst", "--wave-from", 50)
        first, _ = Dump(run(TDVCD, self.folder / "late.fst").stdout).times
        self.assertTrue(49 * PERIOD <= first <= 51 * PERIOD, first)
        self.assertTrue((self.folder / "late.clocks.csv").is_file())

    def test_refused(self):
        done = run(self.tdreplay, "--random", 20, "--wave", self.folder / "no" / "such.fst",
                   status=2)
        self.assertRegex(done.stderr, r"\A[^\n]*--wave[^\n]*\n\Z")
        done = run(self.tdreplay, "--random", 20, "--clocks", self.folder / "no" / "such.csv",
                   status=2)
        self.assertRegex(done.stderr, r"\A[^\n]*such.csv[^\n]*\n\Z")

    def test_save_file(self):
        """What it names is in the wave, and it names what it should."""
        text = (self.folder / "tiny.gtkw").read_text()
        self.assertIn('[dumpfile] "tiny.fst"', text)
        self.assertIn('[savefile] "tiny.gtkw"', text)
        for trace in self.traces:
            for path in trace.paths:
                self.assertIn(path, self.dump.ranges)
                for bit in trace.bits or ():
                    self.assertLess(bit, self.dump.ranges[path], trace.label)
        # Of 2x2 PEs: windows and columns of 3 slots, choices of 4 lanes.
        self.assertEqual(sum("window" in trace.groups for trace in self.traces), 4 * DEPTH)
        self.assertEqual(sum("effectual" in trace.groups for trace in self.traces), 2 * DEPTH)
        self.assertEqual(sum("choice (step, offset)" in trace.groups for trace in self.traces),
                         2 * LANES)
        self.assertEqual(len([trace for trace in self.of_group("outputs")
                              if trace.label.startswith("output ")]), 4)

    def test_choices(self):
        """A choice's text says where in the window the lane's operand stands."""
        checked, seen_texts = 0, set()
        for row in range(2):
            slots = [self.probe("row_slot", row=row, slot=slot) for slot in range(DEPTH)]
            choices = self.of_group(f"tile row {row}", "choice (step, offset)")
            operands = [self.probe("b_operand", row=row, lane=lane) for lane in range(LANES)]
            effectual, opened = self.probe("effectual", row=row), self.probe("open")
            paths = [*slots, *operands, effectual, opened, *(trace.paths[0] for trace in choices)]
            for seen in self.dump.clocks(paths, PERIOD).values():
                if not seen[opened]:
                    continue  # registers hold anything until reset has been there
                for lane, trace in enumerate(choices):
                    self.assertEqual(trace.label, f"lane {lane}")
                    text = self.table(trace)[seen[trace.paths[0]]]
                    seen_texts.add(text)
                    if text == "idle":
                        self.assertEqual(seen[operands[lane]], 0)
                        continue
                    step, offset = map(int, re.fullmatch(r"\((\d+), (-?\d+)\)", text).groups())
                    source = (lane + offset) % LANES
                    loaded = seen[effectual] >> (step * LANES + source) & 1  # a zero is not
                    element = field(seen[slots[step]], source, WIDTH) * loaded
                    self.assertEqual(seen[operands[lane]], element, text)
                    checked += 1
        self.assertGreater(checked, 300)
        self.assertEqual(seen_texts, {"idle", *(f"({step}, {offset})" for step, offset in
                                                self.manifest.json["options"])})

    def test_effectual(self):
        """Each slot's bits are of its elements, the last lane first: none that is there is a zero."""
        for row in range(2):
            shown = self.of_group(f"tile row {row}", "effectual")
            slots = [self.probe("row_slot", row=row, slot=slot) for slot in range(DEPTH)]
            effectual, opened = self.probe("effectual", row=row), self.probe("open")
            for seen in self.dump.clocks([*slots, effectual, opened], PERIOD).values():
                if not seen[opened]:
                    continue  # registers hold anything until reset has been there
                for slot, trace in enumerate(shown):
                    held = sum((field(seen[slots[slot]], lane, WIDTH) & 0x7fff != 0) << lane
                               for lane in range(LANES))
                    self.assertEqual(trace.value(seen, LANES * DEPTH) & ~held, 0)

    def test_outputs(self):
        """Each shows its PE's bits, and the program makes them a number."""
        data, valid = self.port("out_data_o"), self.port("out_valid_o")
        shown = [trace for trace in self.of_group("outputs") if trace.label.startswith("output ")]
        program = {trace.filters[">"] for trace in shown}
        self.assertEqual(len(program), 1)
        values = []
        for seen in self.dump.clocks([data, valid], PERIOD).values():
            for index, trace in enumerate(shown):
                self.assertEqual(trace.label, f"output {index // 2}, {index % 2}")
                value = trace.value(seen, 128)
                self.assertEqual(value, field(seen[data], index, 32))
                if seen[valid]:
                    values.append(value)
        cases = [*(f"{value:08x}" for value in values), "3f80", "c2f1", "7fc00000", "ff800000",
                 "xxxxxxxx"]
        done = subprocess.run([program.pop()], input="".join(f"{case}\n" for case in cases),
                              capture_output=True, text=True, check=True)
        numbers = done.stdout.splitlines()
        self.assertEqual(numbers[-5:], ["1", "-120.5", "nan", "-inf", "xxxxxxxx"])
        self.assertGreater(len(values), 100)
        for value, number in zip(values, numbers):
            exact = struct.unpack(">f", struct.pack(">I", value))[0]
            self.assertAlmostEqual(float(number), exact, delta=abs(exact) * 1e-6)

    def test_advance(self):
        trace = next(trace for trace in self.traces if trace.label == "advance")
        self.assertEqual(self.table(trace), {0: "none", 1: "1 row", 2: "2 rows", 4: "3 rows"})

    def test_clocks(self):
        """The table's clocks are those in which rows and outputs move in the wave."""
        passes = table_of(self.folder / "tiny.clocks.csv")
        self.assertEqual([line["pass"] for line in passes], [str(n) for n in range(40)])
        names = [self.port(name) for name in ("a_valid_i", "a_ready_o", "b_valid_i", "b_ready_o",
                                              "out_valid_o", "out_ready_i")]
        names += [self.probe("step"), self.probe("final_step")]
        ends = [0]
        for line in passes:
            ends.append(ends[-1] + int(line["rows"]))
        moved, rows, steps, outputs = [[], []], [0, 0], [], []
        for clock, seen in self.dump.clocks(names, PERIOD).items():
            signals = [seen[name] for name in names]
            for side in range(2):
                moved[side] += [clock] * min(signals[2 * side], signals[2 * side + 1])
            if signals[6]:
                steps.append((clock, signals[7]))
            if signals[4] and signals[5]:
                outputs.append(clock)
        finals = [index for index, (_, final) in enumerate(steps) if final]
        begins = [0, *(index + 1 for index in finals)]
        expected = [[min(side[first] for side in moved), max(side[end - 1] for side in moved),
                     steps[begins[index]][0], steps[finals[index]][0], outputs[index]]
                    for index, (first, end) in enumerate(zip(ends, ends[1:]))]
        self.assertEqual(len(outputs), 40)
        self.assertEqual([[int(line[f"{event}_clock"]) for event in (
            "first_row", "last_row", "first_step", "last_step", "output")] for line in passes],
                         expected)
        for line in passes:
            for event in ("first_row", "output"):
                self.assertEqual(int(line[f"{event}_ns"]), 10 * (int(line[f"{event}_clock"]) - 1))

    def test_resets(self):
        """What a reset drops has no clocks behind it; the passes after it have their own."""
        run(self.tdreplay, "--random", 200, "--stall", 0.3, "--resets", 5, "--wave",
            self.folder / "reset.fst")
        dump = Dump(run(TDVCD, self.folder / "reset.fst").stdout)
        names = [self.port(name) for name in ("rst_ni", "out_valid_o", "out_ready_i")]
        outputs = [clock for clock, seen in dump.clocks(names, PERIOD).items()
                   if all(seen.values())]
        passes = table_of(self.folder / "reset.clocks.csv")
        came = [int(line["output_clock"]) for line in passes if line["output_clock"]]
        self.assertEqual(came, outputs)
        self.assertEqual(len(passes), 200)
        self.assertLess(len(came), 200)
        for line in passes:
            clocks = [line[f"{event}_clock"] for event in ("first_row", "first_step", "last_step",
                                                           "output")]
            known = [int(clock) for clock in clocks if clock]
            self.assertEqual(known, sorted(known))
            self.assertEqual(clocks[len(known):], [""] * (4 - len(known)))


if __name__ == "__main__":
    TDVCD = sys.argv.pop(1)
    unittest.main()
