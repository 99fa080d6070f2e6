#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Every scenario of sim/system/scenarios runs, its timeline is whole, and bad ones are refused."""

import csv
import json
import math
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
SCENARIOS = ROOT / "sim" / "system" / "scenarios"
TDJOB, TDSIM = sys.argv.pop(1), sys.argv.pop(1)

TASKS = """name = "two"
[graph]
kind = "tasks"
resources = [{ name = "device" }, { name = "link", kind = "link" }]
tasks = [{ name = "a", resource = "device", seconds = 1.5, phase = "forward" },
         { name = "b", resource = "link", seconds = 2, after = ["a"] }]
"""


class Scenario(unittest.TestCase):
    """A folder for scenarios."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def write(self, text):
        """A scenario of this text."""
        path = self.folder / "s.toml"
        path.write_text(text)
        return path

    def run_tdjob(self, *arguments):
        """Exit status, standard output and error."""
        done = subprocess.run([TDJOB, *arguments], capture_output=True, text=True, check=False)
        return done.returncode, done.stdout, done.stderr


class Carried(Scenario):
    """Those of the repository."""

    def test_each(self):
        for path in sorted(SCENARIOS.glob("*.toml")):
            with self.subTest(scenario=path.name):
                text = path.read_text().replace("min_duration_s = 60", "min_duration_s = 0.1")
                for name in sorted(set(re.findall(r'"(result\w*\.json)"', text))):
                    path = self.write(text.replace('"../../..', f'"{ROOT}'))
                    result = self.folder / name
                    size = re.search(r"_(\d+)", name)
                    source = (["synth", "--network", "alexnet", "--layer", "features.8",
                               "--sparsity", "half", "--batch", size.group(1)] if size else
                              ["run", ROOT / "verify/traces/plain.safetensors", "--snapshot", "late"])
                    subprocess.run([TDSIM, *source, "--config", "paper_bf16", "--json", result],
                                   check=True, stdout=subprocess.DEVNULL)
                command = "plan" if "[plan]" in text else "compare"
                status, out, error = self.run_tdjob(command, path, "--json")
                self.assertEqual((status, error), (0, ""))
                lines = [json.loads(line) for line in out.splitlines()]
                if command == "compare":
                    self.assertGreaterEqual(len(lines), text.count("[[transformation]]") + 1)
                    self.assertTrue(all(line["seconds"] > 0 for line in lines))
                else:
                    self.assertEqual(len(lines), 1)

    def test_sparse_is_faster_than_dense(self):
        path = self.write((SCENARIOS / "trace.toml").read_text())
        subprocess.run([TDSIM, "run", ROOT / "verify/traces/plain.safetensors", "--config",
                        "accel_quad", "--json", self.folder / "result.json"], check=True,
                       stdout=subprocess.DEVNULL)
        seconds = {line["hardware"]: line["seconds"] for line in map(
            json.loads, self.run_tdjob("compare", path, "--json")[1].splitlines())
                   if line["what"] == "as it is"}
        result = json.loads((self.folder / "result.json").read_text())
        last = result["operations"][-1]["snapshot"]
        cycles = {name: sum(one[key] for one in result["operations"] if one["snapshot"] == last)
                  for name, key in (("dense", "dense_memory_cycles"),
                                    ("tensordash", "memory_cycles"))}
        for name, count in cycles.items():
            self.assertAlmostEqual(seconds[name], count / result["technology"]["clock_MHz"] / 1e6,
                                   delta=1e-12)
        self.assertLess(seconds["tensordash"], seconds["dense"])

    def test_changes(self):
        text = TASKS + "[cluster]\nlink_gbit_per_s = 1\n"
        status, out, _ = self.run_tdjob(
            "run", self.write(text), "--set", "cluster.accelerators=8", "--set",
            "graph.tasks=[{name='c', resource='link', seconds=7}]")
        self.assertEqual(status, 0)
        self.assertIn("1 tasks, 7 s", out)
        path = self.write((SCENARIOS / "data_parallel.toml").read_text())
        profile = ROOT / "verify/system/reference/pipedream/profile_alexnet.json"
        rows = []
        for settings in (("graph.iterations=4",), ("graph.batch=6", "graph.profile_batch=2")):
            changes = [word for one in settings for word in ("--set", one)]
            out = self.run_tdjob("compare", path, "--json", "--profile", profile, *changes)[1]
            rows.append(json.loads(out.splitlines()[0])["seconds"])
        self.assertGreater(rows[0], 0)
        self.assertAlmostEqual(rows[1], 3 * rows[0])

    def test_timeline(self):
        timeline = self.folder / "t.json"
        status, out, _ = self.run_tdjob("run", self.write(TASKS), "--timeline", timeline)
        self.assertEqual(status, 0)
        self.assertIn("2 tasks, 3.5 s", out)
        events = json.loads(timeline.read_text())["traceEvents"]
        self.assertEqual([(one["name"], one["ts"], one["dur"]) for one in events
                          if one["ph"] == "X"], [("a", 0, 1.5e6), ("b", 1.5e6, 2e6)])


class Written(Scenario):
    """tdjob plan --write: the file has the new value and is otherwise the same, byte by byte."""

    def batch_size(self):
        return self.write((SCENARIOS / "batch_size.toml").read_text())

    def written(self, path, *settings):
        words = [word for one in settings for word in ("--set", one)]
        return self.run_tdjob("plan", path, "--write", *words)

    def test_values(self):
        """Behind text of two bytes a letter, in other lines, in a link's file."""
        path = self.batch_size()
        text = path.read_text().replace("[plan]", "[plan] # größer\r").replace(
            "batch = 32   ", "batch =\t32 ").replace("samples = 1", "'samples' = 1")
        path.write_bytes(text.encode())
        link = self.folder / "link.toml"
        link.symlink_to(path)
        batches = ("[{batch=2, run_time_ms=30, peak_mb=1},\n  # three\n"
                   " {batch=3, run_time_ms=40.50, peak_mb=2}]")
        status, out, error = self.written(link, "plan.batch=7", f"plan.batches={batches} ",
                                          "plan.samples=1e6", "plan.batch=0x8")
        self.assertEqual((status, error), (0, ""))
        begin = text.index("batches = ") + len("batches = ")
        wanted = text[:begin] + batches + text[text.rindex("]") + 1:]
        wanted = wanted.replace("batch =\t32", "batch =\t0x8").replace("115305030", "1e6")
        self.assertEqual(path.read_bytes().decode(), wanted)
        self.assertTrue(link.is_symlink())
        self.assertIn("batch: 8\n", out)
        self.assertEqual(sorted(one.name for one in self.folder.iterdir()), ["link.toml", "s.toml"])

    def test_inline(self):
        path = self.write('name = "x"\nplan = {kind="batch_size", hardware=["größe"], batch=1, samples=9, '
                          '"memory_gb"=1, batches=[{batch=2, run_time_ms=30, peak_mb=1}, '
                          '{batch=3, run_time_ms=40, peak_mb=2}]} # end')
        text = path.read_text()
        self.assertEqual(self.written(path, "plan.batch=2", "plan.memory_gb=0.5")[0], 0)
        self.assertEqual(path.read_text(), text.replace("batch=1,", "batch=2,").replace(
            '"memory_gb"=1', '"memory_gb"=0.5'))

    def test_tables_of_their_own(self):
        """Values that stand in many places cannot be replaced by one."""
        one = "\n[[plan.batches]]\nbatch = %d\nrun_time_ms = %d\npeak_mb = %d\n"
        path = self.write('name = "x"\n[plan]\nkind = "batch_size"\nbatch = 2\nsamples = 9\n'
                          "memory_gb = 1\n" + one % (2, 30, 1) + one % (3, 40, 2))
        before = path.read_text()
        batches = "[{batch=4, run_time_ms=30, peak_mb=1}, {batch=5, run_time_ms=35, peak_mb=2}]"
        status, out, error = self.written(path, f"plan.batches={batches}")
        self.assertEqual((status, out, error.count("\n")), (2, "", 1), error)
        self.assertIn("whose value stands behind it", error)
        self.assertEqual(path.read_text(), before)
        self.assertEqual(self.written(path, "plan.batch=4")[0], 0)
        self.assertEqual(path.read_text(), before.replace("\nbatch = 2\ns", "\nbatch = 4\ns"))

    def test_refused(self):
        path = self.batch_size()
        before = path.read_bytes()
        for setting, needle in (
                ("plan.batch=335", "plan.batch = 335 is illegal; legal: 1..334"),
                ("plan.batch=0", "plan.batch = 0"), ("plan.batch=-1", "plan.batch = -1"),
                ("plan.batch=4.5", "plan.batch = 4.5"), ("plan.batch='8'", "plan.batch = '8'"),
                ("plan.memory_gb=1.25", "plan.memory_gb = 1.25"), ("plan.memory_gb=2.5", "1..25,"),
                ("plan.copies_of_parameters=4", "plan.copies_of_parameters = (absent)"),
                ("cluster.accelerators=2", "cluster.accelerators = (absent)"),
                ("plan.batches=[{batch=2, run_time_ms=30, peak_mb=1}]", "two samples"),
                ("plan.batches=[{batch=2, run_time_ms=3, peak_mb=1}, "
                 "{batch=3, run_time_ms=4, peak_mb=1}]", "memory that grows"),
                ("plan.batches=[{batch=2, run_time_ms=3, peak_mb=1}, "
                 "{batch=3, run_time_ms=5, peak_mb=2}]", "times on a line"),
                ("plan.batches=[{batch=2, run_time_ms=3, peak_mb=1}, "
                 "{batch=2, run_time_ms=5, peak_mb=2}]", "plan.batches[1].batch = 2")):
            with self.subTest(setting=setting):
                status, out, error = self.written(path, setting)
                self.assertEqual((status, out, error.count("\n")), (2, "", 1), error)
                self.assertIn(needle, error)
                self.assertEqual(path.read_bytes(), before)
        self.assertEqual([one.name for one in self.folder.iterdir()], ["s.toml"])
        for words, needle in (((), "--write requires --set"),
                              (("--set", "plan.batch=8", "--profile", "p"), "excludes")):
            status, out, error = self.run_tdjob("plan", path, "--write", *words)
            self.assertEqual((status, out, error.count("\n")), (2, "", 1), error)
            self.assertIn(needle, error)
        (self.folder / "s.toml").rename(self.folder / "t.toml")
        self.assertEqual(self.written(path, "plan.batch=8")[0], 2)


class Refused(Scenario):
    """One line on standard error, exit status 2, nothing written."""

    def refuse(self, needle, text, command="run"):
        """A scenario that is refused."""
        timeline = self.folder / "t.json"
        options = ("--timeline", timeline) if command == "run" else ()
        status, out, error = self.run_tdjob(command, self.write(text), *options)
        self.assertEqual((status, out, error.count("\n")), (2, "", 1), error)
        self.assertIn(needle, error)
        self.assertFalse(timeline.exists())

    def test_graphs(self):
        self.refuse("edges = b -> a -> b", TASKS.replace('phase = "forward"', 'after = ["b"]'))
        self.refuse("graph.tasks[0].resource = 'disk'",
                    TASKS.replace('"a", resource = "device"', '"a", resource = "disk"'))
        self.refuse("graph.tasks[1].seconds = -2", TASKS.replace("seconds = 2", "seconds = -2"))
        self.refuse("graph.tasks[1].seconds = nan", TASKS.replace("seconds = 2", "seconds = nan"))
        self.refuse("graph.tasks[1].after", TASKS.replace('after = ["a"]', 'after = ["z"]'))
        self.refuse("a name that no other task has", TASKS.replace('name = "b"', 'name = "a"'))
        self.refuse("hardware", 'hardware = ["dense"]\n' + TASKS)
        self.refuse("graph.kind = 'task'", TASKS.replace('"tasks"', '"task"'))
        self.refuse("graph = (absent)", 'name = "x"')
        self.refuse("no such key", 'nome = "x"\n' + TASKS)

    def test_machines(self):
        self.refuse("cluster.link_gbit_per_s = 0", TASKS + "[cluster]\nlink_gbit_per_s = 0\n")
        self.refuse("cluster.accelerators = 0", TASKS + "[cluster]\naccelerators = 0\n")

    def test_what_ifs(self):
        change = '[[transformation]]\nkind = "scale"\nfactor = %s\n'
        self.refuse("transformation[0].factor = -1", TASKS + change % "-1")
        self.refuse("transformation[0].kind", TASKS + change.replace("scale", "shrink") % "1")

    def test_inserted(self):
        """Where a resource takes its tasks in a fixed order, behind the last one that it waits for there."""
        tasks = TASKS.replace('"device" }', '"device", policy = "fixed" }').replace(
            "after = [\"a\"] }]", 'after = ["a"] },\n{ name = "d", resource = "device", seconds = 4, rank = 1 }]')
        change = ('[[transformation]]\nkind = "insert"\nname = "c"\nresource = "device"\nseconds = 1\nafter = ["a"]\n'
                  'before = ["d"]\n')
        status, out, error = self.run_tdjob("compare", self.write(tasks + change), "--json")
        self.assertEqual((status, [json.loads(line)["seconds"] for line in out.splitlines()]), (0, [5.5, 6.5]), error)

    def test_one_clock_for_all_rows(self):
        """A what-if that leaves no second iteration is not set beside the time of one."""
        text = (SCENARIOS / "data_parallel.toml").read_text().replace('"../../..', f'"{ROOT}')
        self.refuse("legal: one that leaves the backward passes of two iterations",
                    text + '\n[[transformation]]\nkind = "remove"\nphase = "backward"\n', "compare")

    def test_what_ifs_without_tasks(self):
        """What changes nothing is a mistake."""
        change = '[[transformation]]\nkind = "%s"\n%s\n'
        none = 'phase = "nosuch*"'
        self.refuse('phase "nosuch*", resource "*" is illegal; legal: patterns that match tasks',
                    TASKS + change % ("scale", "factor = 2\n" + none))
        self.refuse("patterns that match tasks", TASKS + change % ("remove", none))
        self.refuse("patterns that leave a task", TASKS + change % ("remove", ""))
        added = 'name = "c"\nresource = "device"\nseconds = 1\nafter = ["a"]\nbefore = ["b"]'
        for what, wrong in (("resource", 'resource = "e"'), ("after", 'after = ["e"]'), ("before", 'before = ["e"]')):
            self.refuse(f"{what} = e is illegal; legal: the name of one of the graph",
                        TASKS + change % ("insert", re.sub(f"(?m)^{what} = .*", wrong, added)))
        self.refuse("transformation.name = a is illegal; legal: a name that no other task has",
                    TASKS + change % ("insert", added.replace('"c"', '"a"')))
        fixed = TASKS.replace('"device" }', '"device", policy = "fixed" }')
        self.refuse("legal: one of device, which keeps an order",
                    fixed + change % ("insert", added.replace('["a"]\nbefore = ["b"]', '["b"]\nbefore = ["a"]')))
        machines = "[cluster]\naccelerators = 2\nlink_gbit_per_s = 1\n"
        for kind in ("all_reduce", "parameter_servers"):
            self.refuse(f"kind = {kind} is illegal; legal: a what-if for this graph, whose tasks have no "
                        "gradients", TASKS + machines + change % (kind, ""))
        updates = (SCENARIOS / "fused_updates.toml").read_text().replace('"../../..', f'"{ROOT}')
        without = re.sub("update_(bytes|launch).*", "", updates)
        self.assertNotEqual(without, updates)
        self.refuse("kind = fused_updates is illegal; legal: a what-if for this graph, whose tasks have no "
                    "updates", without, "compare")
        self.refuse("update_launch_s", re.sub("update_bytes.*", "", updates), "compare")

    def test_plans(self):
        self.refuse("plan = (absent)", TASKS, "plan")
        text = (SCENARIOS / "checkpoints.toml").read_text()
        self.refuse("plan.iteration_s = 0", text.replace("iteration_s = 0.26", "iteration_s = 0"),
                    "plan")

    def test_changes(self):
        for setting in ("x", "x=1", ".x=1", "x.=1", "graph.x", "graph.kind='a'\nb=1"):
            path = self.write(TASKS)
            status, out, error = self.run_tdjob("run", path, "--set", setting)
            self.assertEqual((status, out, error.count("\n")), (2, "", 1), error)
            self.assertIn("TABLE.KEY=VALUE" if "\n" not in setting else "one key", error)
        for option, value, needle in (("--set", "graph.x=1", "graph.x"),
                                      ("--set", "graph.kind=[", "--set"),
                                      ("--set", "graph.kind=tasks", "text in quotes, as 'tasks'"),
                                      ("--set", "graph.kind=true", "graph.kind = true"),
                                      ("--profile", "p.json", "profile = p.json")):
            status, out, error = self.run_tdjob("run", self.write(TASKS), option, value)
            self.assertEqual((status, out, error.count("\n")), (2, "", 1), error)
            self.assertIn(needle, error)

    def plan_with(self, name, old, new, needle):
        """A carried plan with one change, which is refused."""
        text = (SCENARIOS / name).read_text().replace('"../../..', f'"{ROOT}').replace(
            '"exchange_losses', f'"{SCENARIOS}/exchange_losses')
        self.assertIn(old, text)
        self.refuse(needle, text.replace(old, new), "plan")

    def test_clusters_in_rounds(self):
        name = "cluster_rounds.toml"
        self.plan_with(name, "counts = [36, 36, 36]", "counts = [36]", "plan.counts")
        self.plan_with(name, '"fifo_perf"', '"lifo"', "plan.policies")
        self.plan_with(name, "jobs_per_hour = 3.6", "jobs_per_hour = 0", "plan.jobs_per_hour = 0")
        self.plan_with(name, "jobs_per_hour = 3.6", "jobs_per_hour = []", "plan.jobs_per_hour")
        self.plan_with(name, "jobs = [1000, 1500]", "jobs = [1500, 1000]", "plan.jobs")
        self.plan_with(name, 'reference = "v100"', 'reference = "a100"', "plan.reference")
        self.plan_with(name, '"k80"', '"h100"', "h100_steps_per_s")
        trace = self.folder / "t.csv"
        for rows, needle in (("", "one or more jobs"), ("A3C,1,5,100\nA3C,1,4,100", "arrival_s"),
                             ("A3C,2,0,100", "A3C with scale_factor 2"), ("A3C,1,0,0", "steps")):
            trace.write_text("job_type,scale_factor,arrival_s,steps\n" + rows)
            self.plan_with(name, "jobs_per_hour = 3.6", f'trace = "{trace}"\n#', "no such key")
            text = (SCENARIOS / name).read_text().replace('"../../..', f'"{ROOT}')
            self.refuse(needle, text.split("jobs_per_hour")[0] + f'trace = "{trace}"', "plan")

    def test_a_trace(self):
        """Two jobs of an hour on one accelerator: one after the other, or in turns."""
        (self.folder / "rates.csv").write_text("job_type,scale_factor,ours_steps_per_s\nx,1,10\n")
        (self.folder / "t.csv").write_text(
            "job_type,scale_factor,arrival_s,steps\nx,1,0,36000\nx,1,0,36000\n")
        status, out, error = self.run_tdjob("plan", self.write(
            'name = "x"\n[plan]\nkind = "cluster_rounds"\nthroughputs = "rates.csv"\n'
            'types = ["ours"]\ncounts = [1]\npolicies = ["fifo", "max_min_fairness"]\n'
            'trace = "t.csv"\nbetween_s = 0\n'), "--json")
        self.assertEqual((status, error), (0, ""))
        plan = json.loads(out)
        self.assertEqual(plan["fifo average_completion_hours"], 1.5)
        self.assertEqual(plan["max_min_fairness average_completion_hours"], 1.95)
        self.assertEqual(plan["fifo busy_percent"], 100)

    def test_a_drawn_trace(self):
        """Jobs are those that Python's own generators draw."""
        text = (SCENARIOS / "cluster_rounds.toml").read_text().replace('"../../..', f'"{ROOT}')
        head = re.sub(r"(?m)^policies = .*", 'policies = ["fifo"]', text.split("jobs_per_hour")[0])
        table = ROOT / "verify/system/reference/gavel/isolated_throughputs.csv"
        rates = list(csv.DictReader(table.read_text().splitlines()))
        rate = {(row["job_type"], int(row["scale_factor"])): float(row["v100_steps_per_s"]) for row in rates}
        names = list(dict.fromkeys(row["job_type"] for row in rates))
        for several in (False, True):
            jobs, arrivals, now, lines = random.Random(9), random.Random(10), 0.0, []
            for _ in range(200):
                draw = jobs.uniform(0, 1)
                workers = next(n for below, n in ((0.7, 1), (0.8, 2), (0.95, 4), (1, 8)) if draw <= below)
                exponent = jobs.uniform(3, 4) if jobs.random() >= 0.8 else jobs.uniform(1.5, 3)
                kind = (None, None)
                while kind not in rate:
                    kind = (jobs.choice(names), workers if several else 1)
                lines.append(f"{kind[0]},{kind[1]},{now},{60 * 10 ** exponent * rate[kind]}")
                now -= math.log(1 - arrivals.random()) * 3600 / 1.5
            (self.folder / "t.csv").write_text("job_type,scale_factor,arrival_s,steps\n" + "\n".join(lines))
            keys = (f'trace = "{self.folder}/t.csv"\n', 'jobs_per_hour = 1.5\nreference = "v100"\nseeds = [7]\n'
                    f"jobs = [0, 200]\nseveral_workers = {str(several).lower()}\n")
            read, drawn = (json.loads(self.run_tdjob("plan", self.write(head + one), "--json")[1]) for one in keys)
            self.assertAlmostEqual(read["fifo average_completion_hours"],
                                   drawn["fifo average_completion_hours"]["1.5/h"], delta=0.02)

    def test_other_plans(self):
        self.plan_with("cache.toml", "jobs = 8", "jobs = 8\nservers = 2", "plan.jobs")
        self.plan_with("cache.toml", "cache_percent = 50", "cache_percent = 101", "cache_percent")
        self.plan_with("failures.toml", "restart_s = 20", "restart_s = -1", "plan.restart_s = -1")
        self.plan_with("failures.toml", "mean_between_failures_s = 28800",
                       "mean_between_failures_s = 60", "plan.mean_between_failures_s = 60")
        self.plan_with("bert.toml", "sequence = 128", "sequence = 1024", "plan.sequence = 1024")
        self.plan_with("bert.toml", "accumulation = 4", "accumulation = 0", "plan.accumulation = 0")
        name = "model_parallel.toml"
        for old, new in (("shards = 8", "shards = 3"), ("shards = 8", "shards = 16"), ("stages = 64", "stages = 65"),
                         ("chunks = 2", "chunks = 3"), ("batch = 3072", "batch = 3071"), ("batch = 3072", "batch = 6")):
            self.plan_with(name, "\n" + old, "\n" + new,
                           "microbatches = 1" if new == "batch = 6" else f"plan.{new}")
        name = "exchange_interval.toml"
        self.plan_with(name, "[1, 2, 5, 10, 20, 50]", "[5, 2, 1]", "plan.intervals")
        self.plan_with(name, "[1, 2, 5, 10, 20, 50]", "[1, 3]", "interval 3 at decision 1")

    def test_profiles(self):
        text = 'name = "x"\n[graph]\nkind = "training"\nprofile = "p.json"\n'
        self.refuse("p.json: cannot be read", text)
        for profile, needle in (("{", "JSON"), ("[]", "an object"), ("{}", "model is missing"),
                                ('{"format": "x"}', 'format = "x"')):
            (self.folder / "p.json").write_text(profile)
            self.refuse(needle, text)


if __name__ == "__main__":
    unittest.main()
