#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""What plans make of a result of tdsim, computed here once more from the result alone."""

import csv
import itertools
import json
import math
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
SCENARIOS = ROOT / "sim" / "system" / "scenarios"
PRICES = ROOT / "verify" / "system" / "reference" / "spot" / "aws_us-east-1.csv"
TDJOB, TDSIM = sys.argv.pop(1), sys.argv.pop(1)
CYCLES = {"dense": "dense_memory_cycles", "tensordash": "memory_cycles"}


class Layer:
    """Seconds and bytes of one layer, on one kind of hardware."""

    def __init__(self, operations, hardware, clock_hz):
        seconds = {one["op"]: one[CYCLES[hardware]] / clock_hz for one in operations}
        self.forward = seconds["fwd"]
        self.backward = seconds.get("dgrad", 0) + seconds["wgrad"]
        by_op = {one["op"]: one["second_tensor_elements"] for one in operations}
        self.parameters = by_op["fwd"]
        self.activation_bytes = 2 * by_op["wgrad"]  # of bf16


class Plans(unittest.TestCase):
    """Of the late snapshot of the trace `plain`."""

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        for name, options in (("result", ()), ("alone", ("--compute-only",))):
            subprocess.run([TDSIM, "run", ROOT / "verify/traces/plain.safetensors", "--config",
                            "paper_bf16", "--snapshot", "late", *options, "--json",
                            cls.folder / f"{name}.json"], check=True, stdout=subprocess.DEVNULL)
        result = json.loads((cls.folder / "result.json").read_text())
        cls.operations, cls.clock_hz = result["operations"], result["technology"]["clock_MHz"] * 1e6
        cls.layers = cls.layers_of(result)
        cls.compute = {hardware: sum(one.forward + one.backward for one in layers)
                       for hardware, layers in cls.layers.items()}

    @staticmethod
    def layers_of(result):
        """By hardware."""
        clock_hz = result["technology"]["clock_MHz"] * 1e6
        groups = [list(group) for _, group in itertools.groupby(
            result["operations"], key=lambda one: one["layer"])]
        return {hardware: [Layer(group, hardware, clock_hz) for group in groups]
                for hardware in CYCLES}

    def run_plan(self, name, *settings):
        """tdjob on a scenario of the repository."""
        path = self.folder / name
        path.write_text(re.sub(r'"result_\d+.json"', '"result.json"', (
            SCENARIOS / name).read_text().replace('"../../..', f'"{ROOT}')))
        changes = [word for one in settings for word in ("--set", one)]
        return subprocess.run([TDJOB, "plan", path, "--json", *changes], capture_output=True,
                              text=True, check=False)

    def plan(self, name, *settings):
        """Its answer."""
        done = self.run_plan(name, *settings)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return json.loads(done.stdout)

    def equal(self, ours, theirs):
        """But for the order of sums."""
        self.assertTrue(math.isclose(ours, theirs, rel_tol=1e-9), f"{ours} is not {theirs}")

    def test_stalls(self):
        plan = self.plan("trace_stalls.toml", "cluster.accelerators=1", "plan.profile_batch=4")
        fetch = 1281167 / (146 * (0.35 / 10 + 0.65 * 1024 / 60))
        for hardware in CYCLES:
            rate = 4 / self.compute[hardware]
            self.equal(plan[f"{hardware} accelerator_samples_per_s"], rate)
            self.equal(plan[f"{hardware} fetch_samples_per_s"], fetch)
            self.equal(plan[f"{hardware} training_samples_per_s"], min(rate, 9000, fetch))
        slow = self.plan("trace_stalls.toml", "cluster.link_gbit_per_s=0.0001")
        self.assertLess(slow["dense accelerator_samples_per_s"],
                        0.01 * plan["dense accelerator_samples_per_s"])

    def test_checkpoints(self):
        plan = self.plan("trace_checkpoints.toml", "cluster.accelerators=1")
        for hardware, layers in self.layers.items():
            megabytes = 12e-6 * sum(one.parameters for one in layers)
            step = self.compute[hardware]
            self.equal(plan[f"{hardware} checkpoint_mb"], megabytes)
            self.equal(plan[f"{hardware} iteration_s"], step)
            overhead = megabytes / 100000
            interval = max(math.ceil(megabytes / 200 / step), math.ceil(overhead / 0.035 / step))
            self.assertEqual(plan[f"{hardware} interval_iterations"], interval)
        fewer = self.plan("trace_checkpoints.toml", "plan.without_weights=['conv1']")
        self.assertLess(fewer["dense checkpoint_mb"], plan["dense checkpoint_mb"])

    @staticmethod
    def loads(layers, ends):
        """Largest load of layers cut behind these, with what crosses a cut."""
        begin, loads = 0, []
        crossing = [one.activation_bytes / 12.5e9 for one in layers]
        for end in [*ends, len(layers)]:
            load = sum(one.forward + one.backward for one in layers[begin:end])
            # Each way over each cut, a gradient being as large as what it is of.
            load += 2 * (crossing[begin - 1] if begin else 0)
            load += 2 * (crossing[end - 1] if end < len(layers) else 0)
            loads.append(load)
            begin = end
        return max(loads)

    def test_placement(self):
        # A network whose largest layer gains most, so that sparse tiles want another split.
        result = json.loads((self.folder / "result.json").read_text())
        largest = max(result["operations"], key=lambda one: one["dense_memory_cycles"])["layer"]
        for one in result["operations"]:
            one["memory_cycles"] //= 16 if one["layer"] == largest else 1
        (self.folder / "uneven.json").write_text(json.dumps(result))
        layers = self.layers_of(result)
        plan = self.plan("trace_placement.toml", "cluster.accelerators=3", "plan.memory_gb=1",
                         "plan.profile='uneven.json'")
        count = len(layers["dense"])
        cuts = [cut for parts in (0, 1, 2)
                for cut in itertools.combinations(range(1, count), parts)]
        best = {hardware: min(cuts, key=lambda cut, on=hardware: self.loads(layers[on], cut))
                for hardware in CYCLES}
        self.assertNotEqual(best["dense"], best["tensordash"])
        for hardware, cut in best.items():
            self.equal(plan[f"{hardware} largest_load_s"], self.loads(layers[hardware], cut))
            parts = [int(one) for one in plan[f"{hardware} layers_of_devices"].split("-")]
            self.assertEqual(tuple(itertools.accumulate(parts))[:-1], cut)
        self.equal(plan["dense one_accelerator_s"], self.compute["dense"])
        self.equal(plan["tensordash largest_load_of_that_split_s"],
                   self.loads(layers["tensordash"], best["dense"]))

    def test_spot(self):
        steps = int(3600 / self.compute["dense"])
        plan = self.plan("trace_spot.toml", "cluster.accelerators=1", f"plan.steps={steps}")
        with PRICES.open(newline="") as file:
            rows = [row for row in csv.DictReader(file) if row["instance_type"] == "p3.2xlarge"]
        days = {}
        for row in rows:
            days.setdefault(row["time_utc"][:10], []).append(float(row["price_usd_per_hour"]))
        cheapest = [min(days[day]) for day in sorted(days)[-35:-5]]
        for hardware in CYCLES:
            hours = steps * self.compute[hardware] / 3600
            self.equal(plan[f"{hardware} job_hours"], hours)
            # Of jobs that end within a day.
            self.equal(plan[f"{hardware} cost_usd_baseline"], hours * sum(cheapest) / len(cheapest))
        self.equal(plan["tensordash price_at_par_baseline"],
                   self.compute["dense"] / self.compute["tensordash"])
        eight = self.plan("trace_spot.toml", f"plan.steps={steps}", "cluster.link_gbit_per_s=1e6")
        self.assertAlmostEqual(eight["dense cost_usd_packed"] / plan["dense cost_usd_packed"], 8,
                               delta=0.01)

    def test_allocation(self):
        jobs = [{"name": str(i), "profile": "result.json", "steps": 1000 * i, "priority": i,
                 "batch": i, "profile_batch": 4} for i in (1, 2, 3)]
        text = ", ".join("{" + ", ".join(f"{key} = {json.dumps(value)}"
                                         for key, value in job.items()) + "}" for job in jobs)
        plan = self.plan("mixed_cluster.toml", f"plan.jobs=[{text}]",
                         'plan.types=[{hardware="dense", count=1, usd_per_hour=1}, '
                         '{hardware="tensordash", count=0.5, usd_per_hour=2}]')
        policies = {name.split()[0] for name in plan}
        self.assertEqual((len(policies), len(plan)), (6, 6 * (1 + len(jobs))))
        for policy in policies:
            used = dict.fromkeys(CYCLES, 0)
            for job in jobs:
                line = plan[f"{policy} {job['name']}"]
                self.assertAlmostEqual(line["steps_per_s"], sum(
                    share * 4 / job["batch"] / self.compute[hardware]
                    for hardware, share in line["share"].items()), delta=1e-6 * line["steps_per_s"])
                for hardware, share in line["share"].items():
                    used[hardware] += share
            self.assertLessEqual(used["dense"], 1 + 1e-9, policy)
            self.assertLessEqual(used["tensordash"], 0.5 + 1e-9, policy)
        every = sum(plan[f"throughput_sum {i}"]["steps_per_s"] for i in (1, 2, 3))
        self.equal(plan["throughput_sum objective"], every)
        # The smallest batch has most steps a second, wherever it runs: it is never idle.
        self.assertAlmostEqual(sum(plan["throughput_sum 1"]["share"].values()), 1)

    def test_fusion(self):
        pair = ["conv5 fwd", "conv2 fwd"]
        chosen = [one for name in pair for one in self.operations
                  if f"{one['layer']} {one['op']}" == name]
        plan = self.plan("trace_fusion.toml", "plan.chunks=4096")
        for hardware, prefix in (("dense", "dense_"), ("tensordash", "")):
            busy = {name: [one[prefix + key] / self.clock_hz for one in chosen] for name, key in (
                ("reads", "bus_read_cycles"), ("tiles", "slowest_tile_steps"),
                ("writes", "bus_written_cycles"))}
            for i, (name, most) in enumerate(zip(pair, ("reads", "writes"), strict=True)):
                line = plan[f"{hardware} {name}"]
                self.assertEqual(line["bound_by"], most)
                for resource, times in busy.items():
                    self.equal(line[f"{resource}_s"], times[i])
                    self.assertLessEqual(times[i], busy[most][i])
                # The machine has more to do than its busiest part.
                self.assertLess(round(busy[most][i] * self.clock_hz), chosen[i][CYCLES[hardware]])
            # In fine chunks the slowest resource is never idle but at the ends.
            apart = sum(max(times) for times in zip(*busy.values()))
            self.assertAlmostEqual(plan[f"{hardware} one_after_the_other_s"] / apart, 1, delta=2e-3)
            least = max(map(sum, busy.values()))
            self.assertGreaterEqual(plan[f"{hardware} interleaved_s"], least)
            self.assertLessEqual(plan[f"{hardware} interleaved_s"], apart * (1 + 2e-3))
            self.equal(plan[f"{hardware} gain_percent"], 100 * (
                plan[f"{hardware} one_after_the_other_s"] / plan[f"{hardware} interleaved_s"] - 1))
        same = self.plan("trace_fusion.toml", 'plan.operations=["conv1 fwd", "conv1 fwd"]')
        self.assertLess(same["dense gain_percent"], 5)  # who waits for the same gains nothing

    def test_batch_size(self):
        """Lines through three results that are not on one: the sums of the squares, once more."""
        result = json.loads((self.folder / "result.json").read_text())
        sizes, factors = (1, 4, 16), (1.5, 5, 17)
        for size, factor in zip(sizes, factors):
            scaled = json.loads(json.dumps(result))
            for one in scaled["operations"]:
                one["second_tensor_elements"] *= size if one["op"] == "wgrad" else 1
                for key in CYCLES.values():
                    one[key] = round(one[key] * factor)
            (self.folder / f"batch_{size}.json").write_text(json.dumps(scaled))
        batches = ", ".join(f"{{batch={one}, profile='batch_{one}.json'}}" for one in sizes)
        plan = self.plan("trace_batch_size.toml", f"plan.batches=[{batches}]",
                         "plan.copies_of_parameters=3", "plan.samples=1000", "plan.batch=10")
        for hardware, layers in self.layers.items():
            times = [1e3 * factor * self.compute[hardware] for factor in factors]
            mean_size, mean_time = sum(sizes) / 3, sum(times) / 3
            slope = (sum((x - mean_size) * (y - mean_time) for x, y in zip(sizes, times))
                     / sum((x - mean_size) ** 2 for x in sizes))
            bias = mean_time - slope * mean_size
            for name, value in (("run_time_slope_ms", slope), ("run_time_bias_ms", bias)):
                self.assertAlmostEqual(plan[f"{hardware} {name}"], value, delta=1e-3 * value)
            slope, bias = (plan[f"{hardware} run_time_{name}_ms"] for name in ("slope", "bias"))
            of_sample = sum(one.activation_bytes for one in layers)
            of_weights = 12 * sum(one.parameters for one in layers)
            self.equal(plan[f"{hardware} memory_slope"], of_sample)
            self.equal(plan[f"{hardware} memory_bias"], of_weights)
            self.equal(plan[f"{hardware} batch_at_80_percent_of_max"], 4 * bias / slope)
            self.assertEqual(plan[f"{hardware} largest_batch"],
                             int((1e9 - of_weights) / of_sample))
            line = plan[f"{hardware} batch 10"]
            self.equal(line["iteration_ms"], 10 * slope + bias)
            self.equal(line["samples_per_s"], 1e4 / (10 * slope + bias))
            self.equal(line["percent_of_max"], 1e3 * slope / (10 * slope + bias))
            self.equal(line["hours"], (10 * slope + bias) / 10 / 3600)
            self.equal(line["peak_bytes"], 10 * of_sample + of_weights)
        # Memory for one sample: that of 80 % is not offered.
        small = self.plan("trace_batch_size.toml", f"plan.batches=[{batches}]", "plan.batch=1",
                          "plan.copies_of_parameters=3",
                          f"plan.memory_gb={1e-9 * (of_weights + 1.5 * of_sample)}")
        self.assertEqual(small["dense largest_batch"], 1)
        self.assertEqual({key for key in small if "e batch " in key},
                         {f"dense batch {one}" for one in sizes})
        fewer = self.run_plan("trace_batch_size.toml", "plan.batches=[{batch=4, "
                              "profile='batch_1.json'}, {batch=16, profile='batch_16.json'}]")
        self.assertEqual((fewer.returncode, fewer.stdout), (2, ""))
        self.assertIn("dense: times on a line", fewer.stderr)

    def test_scan(self):
        """Of two layers back-propagation is the second's dgrad; the scan is the same, a sample at a
        time: rows of 64 products with one vector, of 10 pairs, on 16 tiles of 4 rows."""
        plan = self.plan("trace_scan.toml", 'plan.snapshot="late"')
        (dgrad,) = [one for one in self.operations
                    if (one["layer"], one["op"]) == ("linear11", "dgrad")]
        line = plan["back_propagation"]
        self.assertEqual((line["dense_cycles"], line["cycles"], line["products"]),
                         (dgrad["dense_cycles"], dgrad["cycles"], 1))
        self.assertEqual(line["side_b_zero_percent"], 100 * dgrad["side_b_counted_zeros_ratio"])
        scan = plan["scan"]
        self.assertEqual((scan["products"], scan["matrix_products"], scan["dense_cycles"]),
                         (4, 0, 4))
        self.assertEqual(plan["dense_scan_times_back_propagation"], 4 / dgrad["dense_cycles"])
        self.assertLess(plan["largest_difference_of_gradients"], 1e-12)
        one_tile = self.plan("trace_scan.toml", "plan.tiles=1")
        self.assertEqual(one_tile["scan"]["dense_cycles"], 4 * 16)

    def test_inference(self):
        plan = self.plan("inference.toml", "plan.min_duration_s=0.05")
        for hardware, layers in self.layers.items():
            seconds = round(sum(one.forward for one in layers), 9)
            lines = {name.removeprefix(f"{hardware} "): value for name, value in plan.items()
                     if name.startswith(f"{hardware} ")}
            self.equal(lines["single_stream_latency_ms_of_90_percent"], 1e3 * seconds)
            self.equal(lines["single_stream_claimed_latency_ms"], 1e3 * seconds)
            self.assertEqual(lines["single_stream_queries"],
                             max(100, math.ceil(round(0.05 / seconds, 6))))
            self.assertTrue(lines["single_stream_valid"])
            rate = 32 / seconds  # batches of 1, 8 and 32 are one result here
            samples = max(24576, math.floor(1.1 * 0.05 * rate))
            self.assertEqual(lines["offline_samples"], samples)
            self.equal(lines["offline_samples_per_s"], samples / seconds / math.ceil(samples / 32))
            self.assertTrue(lines["server_valid"])
            self.assertGreater(lines["server_queries_per_s"], 0.2 * rate)
        few = self.plan("inference.toml", "plan.min_duration_s=0", "plan.min_queries=2")
        self.assertIsNone(few["dense multi_stream_claimed_latency_ms"])
        self.assertFalse(few["dense multi_stream_valid"])
        slow = self.plan("inference.toml", "plan.min_duration_s=0", "plan.server_bound_ms=1e-6")
        self.assertEqual(slow["dense server_queries_per_s"], 0)
        self.assertFalse(slow["dense server_valid"])

    def test_the_largest_rate_is_one(self):
        short = ("plan.min_duration_s=0.2", "plan.server_bound_ms=2")
        rate = self.plan("inference.toml", *short)["dense server_queries_per_s"]
        for factor, valid in ((1, True), (1.05, False)):
            asked = self.plan("inference.toml", *short,
                              f"plan.server_queries_per_s={factor * rate}")
            self.assertIs(asked["dense server_valid"], valid)

    def test_refused(self):
        for name, setting, needle in (
                ("inference.toml", "plan.min_duration_s=1e5", "plan.min_duration_s = 100000"),
                ("inference.toml", "plan.batches=[{batch=2, profile='result.json'}, "
                 "{batch=2, profile='result.json'}]", "plan.batches[1].batch = 2"),
                ("trace_stalls.toml", "plan.accelerator_samples_per_s=1", "no such key"),
                ("trace_stalls.toml", "plan.profile_batch=0", "plan.profile_batch = 0"),
                ("trace_checkpoints.toml", "plan.without_weights=['none']", "none is none"),
                ("trace_placement.toml", "plan.memory_gb=1e-6", "plan.memory_gb = 1e-06"),
                ("trace_placement.toml", "plan.cpus=1", "0 without cpu_times_slower"),
                ("trace_fusion.toml", "plan.operations=['conv1 fwd']", "two, each"),
                ("trace_fusion.toml", "plan.operations=['a', 'b']", "operations of the result"),
                ("trace_fusion.toml", "plan.hardware=['zero_free']", "hardware = zero_free"),
                ("trace_fusion.toml", "plan.profile='alone.json'", "latency_clocks = null"),
                ("trace_stalls.toml", "plan.profile='alone.json'", "latency_clocks = null"),
                ("trace_spot.toml", "plan.steps=0", "plan.steps = 0"),
                ("mixed_cluster.toml", "plan.types=[]", "plan.types"),
                ("trace_spot.toml", "plan.hardware=['gpu']", "hardware = gpu"),
                ("trace_scan.toml", "plan.layers='*'", "late/conv1 = conv2d"),
                ("trace_scan.toml", "plan.layers='linear11'", "two layers"),
                ("trace_scan.toml", "plan.snapshot='none'", "two layers"),
                ("trace_scan.toml", "plan.tiles=0", "plan.tiles = 0"),
                ("trace_scan.toml", "plan.levels=-1", "plan.levels = -1"),
                ("trace_scan.toml", "plan.config='none'", "plan.config = none"),
                ("trace_scan.toml", "plan.trace='none'", "none: ")):
            with self.subTest(setting=setting):
                done = self.run_plan(name, setting)
                self.assertEqual((done.returncode, done.stdout, done.stderr.count("\n")),
                                 (2, "", 1), done.stderr)
                self.assertIn(needle, done.stderr)


if __name__ == "__main__":
    unittest.main()
