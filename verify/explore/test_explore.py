#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""scripts/explore and tdsim explore: interrupted, on cores, on mistakes, and what tdgen and tdsim say
of what they found. Usage: test_explore.py BUILD [TEST…]"""

import json
import pathlib
import signal
import subprocess
import sys
import tempfile
import time
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(sys.argv.pop(1)).resolve()
BASE = 'base = "wide4_bf16"'
SPACE = "verify/explore/small.toml"
TRACE, PRUNED = "verify/traces/resnet.safetensors", "verify/traces/resnet_pruned.safetensors"
OTHER = f'trace = "{PRUNED}"'
FIT = "constraints/fit/osu018_7ns.json"
NETWORK = """name = "two_layers"
input = [8, 8, 8]
layers = [
  { name = "first", type = "conv2d", in = 8, out = 16, kernel = 3, padding = 1, size = 8 },
  { name = "second", type = "conv2d", in = 16, out = 8, kernel = 1, size = 8, from = ["first"] },
]
"""
RESULTS = ("table.json", "table.txt", "points/small_0.toml", "points/small_3.toml")


def tdsim(*words, **options):
    return subprocess.run([BUILD / "tdsim", *words], cwd=ROOT, capture_output=True, text=True,
                          check=False, **options)


class Explore(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        holder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(holder.cleanup)
        cls.folder = pathlib.Path(holder.name)
        cls.whole = cls.folder / "whole"
        done = tdsim("explore", SPACE, "--out", cls.whole)
        assert done.returncode == 0, done.stderr

    def check_same(self, out):
        for name in RESULTS:
            self.assertEqual((out / name).read_bytes(), (self.whole / name).read_bytes(), name)

    def test_killed(self):
        """With -9, once some shards are there; what was half written is not taken for a result."""
        out = self.folder / "killed"
        with subprocess.Popen([BUILD / "tdsim", "explore", SPACE, "--out", out], cwd=ROOT,
                              stdout=subprocess.DEVNULL) as process:
            while len(list(out.glob("shards/search_*.json"))) < 3:
                self.assertIsNone(process.poll(), "it ended before it could be killed")
                time.sleep(0.001)
            process.send_signal(signal.SIGKILL)
        self.assertFalse((out / "table.json").exists())
        waiting = tdsim("explore", SPACE, "--out", out, "--list").stdout.split()
        self.assertGreater(len(waiting), 0)
        self.assertLess(len(waiting), 24)
        self.assertEqual(tdsim("explore", SPACE, "--out", out).returncode, 0)
        self.check_same(out)

    def test_cores(self):
        """Shards side by side, in whatever order: the same table."""
        out = self.folder / "cores"
        done = subprocess.run([ROOT / "scripts" / "explore", SPACE, "--out", out, "--jobs", "2"],
                              cwd=ROOT, capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("front", done.stdout)
        self.check_same(out)

    def test_seed(self):
        """Another seed draws other patterns."""
        other = self.folder / "other.toml"
        text = (ROOT / SPACE).read_text(encoding="utf-8")
        other.write_text(text.replace("[search]", "[search]\nseed = 2"), encoding="utf-8")
        done = tdsim("explore", other, "--out", self.folder / "seed")
        self.assertEqual(done.returncode, 0, done.stderr)
        names = [{path.name for path in (folder / "shards").glob("search_*")}
                 for folder in (self.whole, self.folder / "seed")]
        self.assertFalse(names[0] & names[1])

    def test_seed_is_of_the_search_alone(self):
        """A search draws the same numbers whatever stands around the tile: no parameter of the
        accelerator, nor a release, changes what it finds."""
        other = self.folder / "tiles.toml"
        text = (ROOT / SPACE).read_text(encoding="utf-8")
        other.write_text(text.replace("values = [1]", "values = [1, 2]"), encoding="utf-8")
        shards = [tdsim("explore", space, "--out", self.folder / "listed", "--list").stdout.split()
                  for space in (SPACE, other)]
        self.assertEqual(len(shards[0]), 24)
        self.assertEqual(*shards)

    def test_spaces(self):
        """The spaces that documents show are legal: their fit is over tiles with their registers."""
        for space in sorted((ROOT / "sim/explore/spaces").glob("*.toml")):
            with self.subTest(space=space.name):
                done = tdsim("explore", space, "--out", self.folder / "listed", "--list")
                self.assertEqual(done.returncode, 0, done.stderr)

    def test_points(self):
        """tdgen takes each point, and tdsim run finds the speed-up that stands in the table."""
        table = json.loads((self.whole / "table.json").read_text(encoding="utf-8"))
        self.assertEqual(len(table["points"]), 4)
        self.assertTrue(any(point["on_front"] for point in table["points"]))
        for point in table["points"]:
            with self.subTest(point=point["name"]):
                path = self.whole / point["configuration"]
                emitted = subprocess.run([BUILD / "tdgen", "--config", path, "--out",
                                          self.folder / point["name"]], check=False,
                                         capture_output=True, text=True)
                self.assertEqual(emitted.returncode, 0, emitted.stderr)
                run = tdsim("run", TRACE, "--config", path, "--dealing", point["dealing"],
                            "--json", "-")
                result = json.loads(run.stdout)
                self.assertEqual(result["configuration"]["hash"], point["hash"])
                found = point["networks"][0]["found"]
                total = result["totals"]["all"]
                self.assertEqual(found["total_ratio"], total["total_speedup_ratio"])
                self.assertEqual(found["data_ratio"], total["data_speedup_ratio"])
                self.assertIsNone(found["memory_ratio"])  # no objective asks for it

    def test_fp8(self):
        """Tensors have their power of two, as in tdsim run: a factor of one would make zeros."""
        text = (ROOT / SPACE).read_text(encoding="utf-8")
        for old, new in ((BASE, 'base = "paper_fp8"'), ('"area", ', ""), ("patterns = 300", "patterns = 3"),
                         ("values = [2, 3]", "values = [3]")):
            self.assertIn(old, text)
            text = text.replace(old, new)
        path = self.folder / "fp8.toml"
        path.write_text(text, encoding="utf-8")
        done = tdsim("explore", path, "--out", self.folder / "fp8")
        self.assertEqual(done.returncode, 0, done.stderr)
        for point in json.loads((self.folder / "fp8" / "table.json").read_text(encoding="utf-8"))["points"]:
            run = tdsim("run", TRACE, "--config", self.folder / "fp8" / point["configuration"], "--dealing",
                        point["dealing"], "--json", "-")
            self.assertEqual(point["networks"][0]["found"]["total_ratio"],
                             json.loads(run.stdout)["totals"]["all"]["total_speedup_ratio"])

    def machine_space(self, name, *changes):
        """The space with clocks from memory to memory in place of levels, of a small network."""
        text = (ROOT / SPACE).read_text(encoding="utf-8")
        network = self.folder / "network.toml"
        network.write_text(NETWORK, encoding="utf-8")
        for old, new in (('"levels"]', '"memory_clocks"]'), *changes,
                         (OTHER, f'network = "{network}"\nsparsity = "half"'),
                         (f'trace = "{TRACE}"', f'network = "{network}"\nsparsity = "relu"')):
            self.assertIn(old, text)
            text = text.replace(old, new)
        path = self.folder / f"{name}.toml"
        path.write_text(text, encoding="utf-8")
        return tdsim("explore", path, "--out", self.folder / name)

    def test_memory(self):
        """The accelerator is simulated for an objective that asks for it, as tdsim synth does."""
        natural = ('["natural", "best"]', '["natural"]')
        small = ("[pattern]", '[[axes]]\nparameter = "accelerator.sram.bank_bytes"\n'
                 "values = [32768]\n\n[pattern]")
        done = self.machine_space("memory", natural, small)
        self.assertEqual(done.returncode, 0, done.stderr)
        table = json.loads((self.folder / "memory" / "table.json").read_text(encoding="utf-8"))
        self.assertEqual(len(table["points"]), 2)
        for point in table["points"]:
            clocks = []
            for network, sparsity in zip(point["networks"], ("relu", "half"), strict=True):
                run = tdsim("synth", "--network", self.folder / "network.toml", "--sparsity", sparsity,
                            "--batch", "4", "--config",
                            self.folder / "memory" / point["configuration"], "--json", "-")
                total = json.loads(run.stdout)["totals"]["all"]
                self.assertEqual(network["found"]["memory_ratio"], total["total_memory_speedup_ratio"])
                self.assertEqual(network["found"]["memory_clocks"], total["memory_cycles"])
                clocks.append(total["memory_cycles"])
            self.assertAlmostEqual(point["objectives"]["memory_clocks"],
                                   (clocks[0] * clocks[1]) ** 0.5, delta=1e-3)
        for changes, said in (([small], "dealing = best is illegal; legal: natural for memory_clocks"),
                              ([natural], "accelerators that are built; small_0: accelerator.sram")):
            refused = self.machine_space("refused", *changes)
            self.assertEqual((refused.returncode, refused.stderr.count("\n")), (2, 1), refused.stderr)
            self.assertIn(said, refused.stderr)
            self.assertFalse((self.folder / "refused").exists())

    def energy_space(self, name, *changes):
        """The space on tiles of a size whose energies were measured, by these."""
        text = (ROOT / SPACE).read_text(encoding="utf-8")
        for old, new in (('"levels"]', '"total_efficiency", "power"]'), ("values = [8]", "values = [16]"),
                         ('rows"\nvalues = [2]', 'rows"\nvalues = [4]'),
                         ('columns"\nvalues = [2]', 'columns"\nvalues = [4]'),
                         ('["natural", "best"]', '["natural"]'), ("patterns = 300", "patterns = 3"),
                         *changes):
            self.assertIn(old, text)
            text = text.replace(old, new)
        path = self.folder / f"{name}.toml"
        path.write_text(text, encoding="utf-8")
        return tdsim("explore", path, "--out", self.folder / name)

    def synthesis(self, point):
        """A file for tdsim --synthesis of what the fit says of a point."""
        energies = json.loads((ROOT / FIT).read_text(encoding="utf-8"))["energies"]
        sizes = {"1": 1, "depth": point["depth_rows"], "options": len(point["options"])}
        dense, sparse = energies["dense_pJ"], {
            part: sum(pJ * sizes[term] for term, pJ in terms.items())
            for part, terms in energies["sparse_pJ"].items()}
        path = self.folder / f"{point['name']}.synthesis.json"
        path.write_text(json.dumps({
            "format": "tensordash-synthesis-4", "name": point["name"], "configuration": point["hash"],
            "clock_MHz": 100, "library": "cells", "corner": "typical", "trace": energies["traces"],
            "dense_step_pJ": 1e4, "components": {
                # A step costs something there.
                way: {part: max(pJ / 1e4, 1e-12) for part, pJ in costs.items()}
                for way, costs in (("dense", dense), ("zero_gated", dense), ("gated", dense), ("sparse", sparse))}}),
            encoding="utf-8")
        return path

    def test_energy(self):
        """Efficiency and power are those of tdsim run with the fit's energies."""
        done = self.energy_space("energy")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("total_efficiency, power: compute alone", done.stdout)
        table = json.loads((self.folder / "energy" / "table.json").read_text(encoding="utf-8"))
        self.assertEqual(table["not_estimated"], ["clock"])
        self.assertEqual(len(table["points"]), 2)
        for point in table["points"]:
            efficiencies, speedups = [], []
            for network, trace in zip(point["networks"], (TRACE, PRUNED), strict=True):
                run = tdsim("run", trace, "--config", self.folder / "energy" / point["configuration"],
                            "--synthesis", self.synthesis(point), "--compute-only", "--json", "-")
                self.assertEqual(run.returncode, 0, run.stderr)
                total = json.loads(run.stdout)["totals"]["all"]
                self.assertAlmostEqual(network["found"]["efficiency_ratio"],
                                       total["total_compute_efficiency_ratio"], places=9)
                efficiencies.append(total["total_compute_efficiency_ratio"])
                speedups.append(total["total_speedup_ratio"])
            efficiency = (efficiencies[0] * efficiencies[1]) ** 0.5
            self.assertAlmostEqual(point["objectives"]["total_efficiency"], efficiency, places=9)
            self.assertAlmostEqual(point["objectives"]["power"],
                                   (speedups[0] * speedups[1]) ** 0.5 / efficiency, places=9)

    def test_energy_is_measured(self):
        """Of sizes that were measured alone, and by a fit that has energies."""
        bare = self.folder / "bare.json"
        fitted = json.loads((ROOT / FIT).read_text(encoding="utf-8"))
        del fitted["energies"]
        bare.write_text(json.dumps(fitted), encoding="utf-8")
        for changes, said in (
                ([("values = [16]", "values = [8]")],
                 "tile.lanes = 8 is illegal; legal: 16..16 for total_efficiency by"),
                ([(FIT, str(bare))], "legal: one with energies, for the objective total_efficiency")):
            refused = self.energy_space("unmeasured", *changes)
            self.assertEqual((refused.returncode, refused.stderr.count("\n")), (2, 1), refused.stderr)
            self.assertIn(said, refused.stderr)

    def test_mistakes(self):
        text = (ROOT / SPACE).read_text(encoding="utf-8")
        for old, new, said in (
                ('name = "small"', 'name = "small"\nspeed = 1', "speed = 1"),
                ('name = "small"', 'name = "Small"', "name = "),
                (BASE, 'base = "nope"', "base = nope"),
                (BASE, 'base = "dense_bf16"', "base = "),
                # What the fit of areas was not over: registers of the base, and sizes.
                ("[pattern]", '[[axes]]\nparameter = "tile.pipeline.adder"\nvalues = [2, 1]\n\n'
                 "[pattern]", "tile.pipeline.adder = 1 is illegal; legal: 2 for area by"),
                (BASE, 'base = "tiny"', "tile.numerics.accumulators = 1 is illegal; legal: 4 for"),
                ("values = [8]", "values = [8, 4]", "tile.lanes = 4 is illegal; legal: 8..16 for"),
                ("values = [2, 3]", "values = [3, 7]", "depth = 7 is illegal; legal: 2..6 for area by"),
                ("values = [2, 3]", "values = [3, 0]", "axes[1].values"),
                ("values = [2, 3]", "values = [3, 9]", "axes[1].values"),
                ("values = [2, 3]", "values = [3, 3]", "each value once"),
                ('"tile.interconnect.depth"', '"tile.depth"', "axes[1].parameter"),
                ("options = [4]", "options = [17]", "pattern.options"),
                ("options = [4]", "options = [16]", "pattern.options = 16"),
                ("options = [4]", "options = [4]\nlevels = 2", "pattern.levels = 2"),
                ('named = ["step_first"]', 'named = ["nope"]', "pattern.named"),
                ('["natural", "best"]', '["worst"]', "dealing"),
                ('"levels"]', '"clock"]', "--confirm"),
                ('fit = "constraints', '#fit = "constraints', "fit = (absent)"),
                ("patterns = 300", "patterns = 0", "search.patterns = 0"),
                ("patterns = 300", "patterns = 99999999999", "search.patterns"),
                ("chains = 2", "chains = -1", "search.chains = -1"),
                (f'"{TRACE}"', '"nofile"', "nofile: "),
                (OTHER, f'{OTHER}\nuse = "test"', "networks[1].use"),
                (OTHER, f'{OTHER}\nbatch = 2', "networks[1].batch"),
                (OTHER, 'network = "alexnet"\nsparsity = "nope"', "nope"),
                (f"[[networks]]\n{OTHER}", f"[[network]]\n{OTHER}", "network = "),
                (f"[[networks]]\n{OTHER}", "", "leave_one_out")):
            with self.subTest(new=new):
                self.assertIn(old, text)
                path = self.folder / "bad.toml"
                path.write_text(text.replace(old, new), encoding="utf-8")
                done = tdsim("explore", path, "--out", self.folder / "bad")
                self.assertEqual(done.returncode, 2, done.stderr)
                self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
                self.assertIn(said, done.stderr)
                self.assertFalse((self.folder / "bad").exists())


if __name__ == "__main__":
    unittest.main()
