# SPDX-License-Identifier: Apache-2.0
"""P3, CheckFreq, data stalls, Skyline, BERT, SkewScout: what machines and links make of a job."""

import math
import pathlib
import statistics
import tempfile

from system import compare
from system.figures import stored
from system.figures.row import SCENARIOS, Row

CASES = "cases.json"


def _gains_of_slices(job, network):
    """Of parameter servers' slices over whole layers, %, by Gbit/s."""
    rates = (0.25, 1, 2, 3, 4, 5, 6, 8, 10, 15, 30, 60)
    lines = job.ask("analytic", "p3_model_cases.json", [{"model": network, "gbit_per_s": rate} for rate in rates])
    return {rate: line["gain_percent"] for rate, line in zip(rates, lines)}


def _priority_slices(job):
    """P3 (arXiv:1905.03960)."""
    yield from job.entry_rows("P3", "steady iteration", "analytic", "p3_model_cases.json")
    gains = _gains_of_slices(job, "vgg16")
    yield Row("P3", "largest gain of slices over bandwidths, VGG-16, %", 106.0,
              "same model, stated with three digits, at 6 Gbit/s", max(gains.values()), 0.01)
    yield Row("P3", "gain on a fast link (60 Gbit/s), VGG-16, %", 0.0, "shape of the paper",
              gains[60], 0.01)
    yield Row("P3", "bandwidth of the largest gain, VGG-16, Gbit/s", 6.0, "same model",
              max(gains, key=gains.get), 0.0)
    for network, percent, profile, ours in (("ResNet-50", 25.0, "resnet50", "its own"),
                                            ("Sockeye", 38.0, "gnmt", "GNMT's"), ("VGG-19", 66.0, "vgg16", "VGG-16's")):
        yield Row("P3", f"largest gain of {network} over bandwidths, %; ours: {ours} profile of a V100", percent,
                  "paper, on the authors' machines", max(_gains_of_slices(job, profile).values()))


def _checkpoints(job):
    """CheckFreq (FAST 2021)."""
    yield from job.entry_rows("CheckFreq", "interval", "analytic", CASES, "checkfreq")
    yield from job.entry_rows("CheckFreq", "adaptive", "analytic", CASES, "checkfreq_adaptive")
    plan = job.plan("checkpoints.toml")
    yield Row("CheckFreq", "overhead of an executed job planned with a bound, %", 3.5,
              "paper, a bound", plan["executed_overhead_percent"], at_most=True)
    failing, slower = job.plan("failures.toml"), job.plan("failures_slow_disk.toml")
    yield Row("CheckFreq", f"the same of a job that fails {failing['failures']} times, %", 3.5,
              "paper, a bound", failing["overhead_percent"], at_most=True)
    yield Row("CheckFreq", "the same once the interval has adapted to a slower disk, %", 3.5,
              "paper, a bound", slower["overhead_of_second_half_percent"], at_most=True)
    yield Row("CheckFreq", "work lost by a failure, worst, s", plan["worst_lost_work_s"],
              "formula: two intervals", failing["worst_lost_s"], at_most=True)


def _stalls(job):
    """DS-Analyzer and CoorDL (arXiv:2007.06775)."""
    yield from job.entry_rows("data stalls", "rates over the cache", "analytic", CASES, "data_stalls")
    yield from _caches(job)


def _caches(job):
    """Simulated caches beside what they are expected to hit."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "one_job.toml"
        text = (SCENARIOS / "cache.toml").read_text(encoding="utf-8")
        path.write_text(text.replace("jobs = 8", "jobs = 1").replace("cache_percent = 50",
                                                                     "cache_percent = 35"))
        alone = job.plan(path)
    rest = 0.65
    yield Row("data stalls", "hits of a cache of 35 % that replaces nothing, %", 35.0,
              "formula: what it holds", alone["fill_once"]["hit_percent"], 1e-9)
    yield Row("data stalls", "hits of a cache of 35 % that replaces the oldest, %",
              100 * (1 - rest + rest * math.log(rest)), "formula c + (1-c) ln(1-c)",
              alone["least_recently_used"]["hit_percent"], 0.05)
    jobs, servers = job.plan("cache.toml"), job.plan("cache_servers.toml")
    yield Row("data stalls", "reads of the disk by eight jobs, each for itself / for all", 8.0,
              "formula: the jobs", jobs["fill_once"]["disk_gib_per_epoch"]
              / jobs["coordinated"]["disk_gib_per_epoch"], 1e-9)
    yield Row("data stalls", "training faster on one server, up to; ours: eight jobs, half of the data cached",
              5.0, "paper", jobs["coordinated"]["speed_up"])
    fast = job.plan("cache.toml", plan_accelerator_samples_per_s=2000, plan_preprocess_samples_per_s=16000)
    yield Row("data stalls", "the same of accelerators that train with 2,000 images a second, as AlexNet's", 5.0,
              "paper", fast["coordinated"]["speed_up"])
    yield Row("data stalls", "hits of four servers' caches of 35 % as one, %", 100.0,
              "formula: at most all", servers["partitioned"]["hit_percent"], 1e-9)


def _batches(job):
    """Skyline (arXiv:2008.06798)."""
    yield from job.entry_rows("Skyline", "three samples", "analytic", CASES, "skyline")


def _pretraining(job):
    """BERT on an academic cluster (arXiv:2008.00177)."""
    plan = job.plan("bert.toml")
    for switch in ("mixed_precision", "fused_kernels", "overlap", "accumulation"):
        yield Row("BERT", f"time with {switch} over that without", 1.0, "direction, paper",
                  1 / plan[f"gain_of_{switch}"], at_most=True)
    yield Row("BERT", "days of pre-training, ours of a million steps of 256 sequences of 128", 12.0, "paper",
              plan["days"])


def _exchange_intervals(job):
    """SkewScout (arXiv:1910.00189) on losses that change at decision 20."""
    chosen = job.plan("exchange_interval.toml")["intervals_in_turn"]
    losses = compare.load(SCENARIOS / "exchange_losses.csv")
    for first, last in ((0, 20), (20, len(chosen))):
        objective = {row["interval"]: 50 * max(0, row["loss_percent"] - 5) / 100
                     + 1 / row["interval"] for row in losses if row["from_decision"] == first}
        yield Row("SkewScout", f"interval most chosen in decisions {first} to {last - 1}",
                  float(min(objective, key=objective.get)), "least of the objective",
                  statistics.mode(chosen[first:last]), 0.0)
    skewed = r"^\w+ +(?:50|100) .*SkewScout's interval .* ([\d.]+)$"
    saved = [float(one) for one in stored.values("skew", skewed)]
    yield Row("SkewScout", "communication saved, up to; ours: on skewed Fashion-MNIST, measured apart", 34.1, "recalled",
              max(saved))


def rows(job):
    """All of these systems."""
    for part in (_priority_slices, _checkpoints, _stalls, _batches, _pretraining,
                 _exchange_intervals):
        yield from part(job)
