#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""A whole job's answer is the other commands' answers, put together: each part is asked of the command
that is for it, and the sum is made here."""

import json
import pathlib
import re
import subprocess
import sys
import tempfile
import tomllib
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
SCENARIO = ROOT / "sim/system/scenarios/job.toml"
PROFILE = ROOT / "verify/system/reference/pipedream/profile_resnet50.json"
TDJOB = sys.argv.pop(1)
PLAN = tomllib.loads(SCENARIO.read_text())["plan"]
ACCELERATORS, HOUR, BYTES_OF_PARAMETER = 8, 3600, 4
PARAMETERS = sum(node[5] for node in json.loads(PROFILE.read_text())["nodes"]) / BYTES_OF_PARAMETER

# Keys of a job that cost nothing where they are not there.
SPOT = ("spot_usd_per_hour", "mean_between_preemptions_s")
LOSSES = ("mean_between_failures_s", *SPOT, "restart_s", "seed", "state_bytes_per_parameter", "free_gpu_mb",
          "cpu_copy_mb_per_s", "gpu_copy_mb_per_s", "disk_mb_per_s", "bound_percent")
INPUT = ("dataset_gib", "memory_gib_per_s", "disk_mib_per_s", "preprocess_samples_per_s", "cache_percent")


def toml(table):
    return "".join(f"{key} = {json.dumps(value)}\n" for key, value in table.items())


class Scenario(unittest.TestCase):
    """A file for one."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = pathlib.Path(folder.name) / "s.toml"


class Job(Scenario):
    """On PipeDream's profile of ResNet-50."""

    def ask(self, command, tables, accelerators=ACCELERATORS):
        """Lines that tdjob prints for tables, name -> table."""
        cluster = {"accelerators": accelerators, "link_gbit_per_s": 10}
        text = 'name = "x"\n' + "".join(f"{name}\n{toml(table)}" for name, table in
                                        {"[cluster]": cluster, **tables}.items())
        self.path.write_text(text)
        done = subprocess.run([TDJOB, command, self.path, "--json"], capture_output=True, text=True, check=False)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return [json.loads(line) for line in done.stdout.splitlines()]

    def job(self, without=(), **others):
        """Its answer."""
        table = {key: value for key, value in {**PLAN, "profile": str(PROFILE), "memory_gb": 1e6, **others}.items()
                 if key not in without}
        return self.ask("plan", {"[plan]": table})[0]

    @staticmethod
    def whole(**others):
        """What other commands know of the network, on accelerators that have all of it."""
        return {"profile": str(PROFILE), "batch": PLAN["batch"], "profile_batch": PLAN["profile_batch"],
                "bucket_mib": PLAN["bucket_mib"], **others}

    def near(self, one, other, places=9):
        self.assertAlmostEqual(one / other, 1, places)

    def test_data_parallel(self):
        job = self.job(LOSSES + INPUT, stages=1, microbatches=1)
        profile = {key: value for key, value in self.whole().items() if key != "bucket_mib"}
        rows = self.ask("compare", {"[graph]": {"kind": "training", "iterations": 4, **profile},
                                    "[[transformation]]": {"kind": "all_reduce", "bucket_mib": PLAN["bucket_mib"]}})
        self.near(job["step_s"], rows[-1]["seconds"])
        self.assertEqual((job["accelerators"], job["samples_of_step"]), (8, 512))
        self.near(job["percent_of_time"]["compute"] / 100, rows[0]["seconds"] / rows[-1]["seconds"])
        steps = -(-PLAN["samples"] * PLAN["epochs"] // job["samples_of_step"])
        self.near(job["hours"] * HOUR, steps * job["step_s"])

    def test_pipeline(self):
        for stages, microbatches in ((8, 8), (8, 16), (8, 32)):
            job = self.job(LOSSES + INPUT, stages=stages, microbatches=microbatches)
            schedule = re.fullmatch(rf"1 x {stages} stages, (\w+), microbatches: {microbatches}", job["composition"])
            others = {}
            for name in ("1f1b_flush", "interleaved", "2bw"):
                graph = {"kind": "pipeline", "profile": str(PROFILE), "batch": PLAN["batch"] * stages,
                         "profile_batch": PLAN["profile_batch"], "microbatches": microbatches, "schedule": name}
                others[name] = self.ask("compare", {"[graph]": graph}, stages)[0]["seconds"]
            self.near(job["step_s"], others[schedule[1]])
            self.near(job["step_s"], min(others.values()))  # it is the best, too

    def test_input(self):
        for disk in (20, 500, 1e6):
            job = self.job(LOSSES, stages=1, microbatches=1, disk_mib_per_s=disk)
            used = job["accelerators"]  # as few as the disk can feed
            stalls = self.ask("plan", {"[plan]": self.whole(
                kind="data_stalls", samples=PLAN["samples"], batch=job["samples_of_step"] // used,
                **{key: PLAN[key] for key in INPUT if key != "disk_mib_per_s"}, disk_mib_per_s=disk)}, used)[0]
            # But for the last step, which need not be full.
            self.near(job["samples_per_s"], stalls["training_samples_per_s"], 5)
            self.assertAlmostEqual(job["percent_of_time"]["input"], stalls["stall_percent"], 6)

    def test_failures(self):
        job = self.job(SPOT, stages=1, microbatches=1,
                       mean_between_failures_s=1e5)
        megabytes = PARAMETERS * PLAN["state_bytes_per_parameter"] / 1e6
        snapshot = {"gpu": megabytes / PLAN["gpu_copy_mb_per_s"], "cpu": megabytes / PLAN["cpu_copy_mb_per_s"]}
        kind = "gpu" if megabytes <= PLAN["free_gpu_mb"] else "cpu"
        failures = self.ask("plan", {"[plan]": {
            "kind": "failures", "iteration_s": job["samples_of_step"] / self.job(LOSSES, stages=1, microbatches=1)[
                "samples_per_s"], "checkpoint_mb": megabytes, "free_gpu_mb": PLAN["free_gpu_mb"],
            "gpu_snapshot_s": snapshot["gpu"], "cpu_snapshot_s": snapshot["cpu"],
            "full_checkpoint_s": snapshot[kind] + megabytes / PLAN["disk_mb_per_s"],
            "bound_percent": PLAN["bound_percent"], "restart_s": PLAN["restart_s"], "seed": PLAN["seed"],
            "iterations": -(-PLAN["samples"] * PLAN["epochs"] // job["samples_of_step"]),
            "mean_between_failures_s": 1e5 / ACCELERATORS}})[0]
        self.assertGreater(failures["failures"], 2)
        self.near(job["hours"] * HOUR, failures["seconds"], 5)

    def test_losses_cost(self):
        never = self.job(LOSSES, stages=1, microbatches=1)["hours"]
        rare, often = (self.job(stages=1, microbatches=1, mean_between_failures_s=mean)["hours"]
                       for mean in (1e9, 3e4))
        self.assertTrue(never < rare < often, (never, rare, often))

    def test_split(self):
        node = {"of_node": 4, "inner_gbit_per_s": 1200}
        one, many, best = (self.job(**others) for others in ({}, {"shards": 1, **node}, node))
        for field in set(one) - {"considered"}:
            self.assertEqual(one[field], many[field], field)
        self.assertGreater(best["considered"], many["considered"])
        self.assertLessEqual(best["hours"], many["hours"])
        split = self.job(shards=4, **node)
        self.assertGreater(split["percent_of_time"]["split"], 0)
        slow = self.job(shards=4, of_node=4, inner_gbit_per_s=1)
        self.assertGreater(slow["hours"], split["hours"])

    def test_front(self):
        answers = {objective: self.job(objective=objective) for objective in ("time", "cost")}
        front = answers["time"]["front"]
        self.assertEqual(front, answers["cost"]["front"])
        self.assertGreater(len(front), 2)
        for one, other in zip(front, front[1:]):
            self.assertTrue(one["hours"] < other["hours"] and one["usd"] > other["usd"], front)
        for objective, end in (("time", front[0]), ("cost", front[-1])):
            answer = answers[objective]
            self.assertEqual({key: answer[key] for key in end}, end)
            self.assertAlmostEqual(sum(answer["percent_of_time"].values()), 100, 9)
            price = PLAN["usd_per_hour" if answer["offering"] == "on_demand" else "spot_usd_per_hour"]
            self.near(answer["usd"], answer["hours"] * answer["accelerators"] * price)
            self.near(answer["samples_per_s"] * answer["hours"] * HOUR, PLAN["samples"] * PLAN["epochs"])

    def test_energy(self):
        """What is drawn follows from the parts of the time; the best for it draws least."""
        for objective in ("time", "cost", "energy"):
            answer = self.job(objective=objective, watts=400, idle_watts=100)
            busy = answer["percent_of_time"]["compute"] / 100
            self.near(answer["kwh"], answer["hours"] * answer["accelerators"] * (400 * busy + 100 * (1 - busy)) / 1000)
            self.near(answer["samples_per_joule"] * answer["kwh"] * 3.6e6, PLAN["samples"] * PLAN["epochs"])
        least = answer["kwh"]
        self.assertEqual(self.job(objective="energy", watts=400)["accelerators"], 1)  # none waits for another
        for stages in (1, 2, 8):
            self.assertGreaterEqual(self.job(stages=stages, watts=400, idle_watts=100)["kwh"], least)
        self.assertGreater(self.job(watts=400)["kwh"], self.job(watts=400, idle_watts=0)["kwh"])
        self.assertNotIn("kwh", self.job(("watts", "idle_watts")))

    def test_memory(self):
        before = 0
        for gigabytes in (0.5, 1, 4, 16, 64):
            answer = self.job(memory_gb=gigabytes)
            self.assertLessEqual(answer["memory_gb"], gigabytes)
            rate = answer["samples_per_s"]
            self.assertGreaterEqual(rate, before)
            before = rate
        self.assertGreater(answer["samples_per_s"], self.job(memory_gb=0.5)["samples_per_s"])


class Refused(Scenario):
    """What is wrong, in one line."""

    def run_with(self, without=(), **others):
        table = {key: value for key, value in {**PLAN, "profile": str(PROFILE), **others}.items() if key not in without}
        self.path.write_text(f'name = "x"\n[cluster]\naccelerators = 8\n[plan]\n{toml(table)}')
        return subprocess.run([TDJOB, "plan", self.path], capture_output=True, text=True, check=False)

    def refuse(self, needle, without=(), **others):
        """The line that says so."""
        done = self.run_with(without, **others)
        self.assertEqual((done.returncode, done.stdout, done.stderr.count("\n")), (2, "", 1), done.stderr)
        self.assertIn(needle, done.stderr)
        return done.stderr

    def test_each(self):
        self.refuse("plan.memory_gb = 0.1", memory_gb=0.1)
        least = re.search(r"legal: ([\d.]+) or more", self.refuse("plan.memory_gb", memory_gb=0.2))[1]
        self.refuse("plan.memory_gb", memory_gb=float(least) - 0.002)
        self.assertEqual(self.run_with(memory_gb=float(least)).returncode, 0)
        self.refuse("plan.stages = 3", stages=3)
        self.refuse("plan.microbatches = 7", microbatches=7)
        self.refuse("plan.objective", objective="both")
        self.refuse("plan.usd_per_hour", ("usd_per_hour", *SPOT), objective="cost")
        self.refuse("plan.watts", ("watts", "idle_watts"), objective="energy")
        self.refuse("without watts", ("watts",))
        self.refuse("plan.watts = 0", watts=0)
        self.refuse("plan.spot_usd_per_hour", ("usd_per_hour",))
        self.refuse("plan.mean_between_preemptions_s", ("mean_between_preemptions_s",))
        self.refuse("plan.mean_between_failures_s", SPOT, mean_between_failures_s=60)
        self.refuse("without of_node", inner_gbit_per_s=100)
        self.refuse("plan.inner_gbit_per_s", of_node=4)
        self.refuse("plan.shards = 3", of_node=4, inner_gbit_per_s=100, shards=3)
        self.refuse("without spot_usd_per_hour", ("spot_usd_per_hour",))
        self.refuse("without dataset_gib", ("dataset_gib",))
        self.refuse("without mean_between_failures_s or", SPOT + ("mean_between_failures_s",))
        self.refuse("plan.disk_mib_per_s", ("disk_mib_per_s",))
        self.refuse("plan.restart_s", ("restart_s",))
        self.refuse("plan.epochs", epochs=1e12)
        self.refuse("plan.batch", batch=0)


if __name__ == "__main__":
    unittest.main()
