# SPDX-License-Identifier: Apache-2.0
"""Pipelines: PipeDream-2BW (arXiv:2006.09503) and interleaving (arXiv:2104.04473)."""

import statistics

from system import compare
from system.figures.row import Row

FILE = "pipeline_schedules.jsonl"
# Table 1 of arXiv:2104.04473. The rate of matrix products is fitted to one of its rows.
SCALING, FITTED = "megatron_throughput.csv", 145.6
PEAK = 312.0  # TFLOP/s of an A100, published
CLAIMED = 0.07
# The model and the machine on which the paper compares schedules.
SCHEDULES = {"cluster_accelerators": 96, "plan_heads": 96, "plan_hidden": 12288, "plan_layers": 96,
             "plan_shards": 8, "plan_stages": 12}
BATCHES = (12, 36, 60)
# Three billion parameters on eight nodes of eight V100, at published rates, products at as much of the peak as above.
UNPIPELINED = {"cluster_accelerators": 64, "cluster_link_gbit_per_s": 25, "plan_half_tflop_per_s": 74,
               "plan_memory_gb_per_s": 900, "plan_inner_gbit_per_s": 1200, "plan_layers": 64, "plan_hidden": 1920,
               "plan_heads": 16, "plan_sequence": 512, "plan_positions": 512, "plan_shards": 1, "plan_chunks": 1}


def _bubble(job, schedule, devices, microbatches, chunks):
    """Share of the ideal time that a pipeline of equal stages waits."""
    forward, backward = 1.0, 2.0
    stages = devices * chunks
    (line,) = job.ask("analytic", FILE, [{
        "schedule": schedule, "devices": devices, "microbatches": microbatches, "chunks": chunks,
        "forward": [forward / chunks] * stages, "backward": [backward / chunks] * stages,
        "transfer": 0.0}])
    ideal = microbatches * (forward + backward)
    return (line["makespan"] - ideal) / ideal


def _chunks(layers, stages):
    """Fewest to interleave; the paper does not say how many."""
    of_stage = layers // stages
    return 1 if stages == 1 else next(n for n in range(2, of_stage + 1) if of_stage % n == 0)


def _scaling(job):
    """Tensor x pipeline x data: every row of the paper's table from one rate of products."""
    for row in compare.load(job.reference / "analytic" / SCALING):
        keys = ("heads", "hidden", "layers", "shards", "stages", "batch")
        plan = job.plan("model_parallel.toml", cluster_accelerators=row["accelerators"],
                        plan_chunks=_chunks(row["layers"], row["stages"]),
                        **{f"plan_{key}": row[key] for key in keys})
        size = row["billion_parameters"]
        source, claimed = ("fitted to this row", 1e-3) if size == FITTED else ("paper", CLAIMED)
        yield Row("Megatron", f"TFLOP/s of each of {row['accelerators']}, {size:g} billion parameters",
                  row["recorded_tflops_per_accelerator"], source, plan["tflop_per_s_of_accelerator"],
                  claimed)
    # The last row is the scenario as it is.
    yield Row("Megatron", "PFLOP/s of 3072 accelerators", 502.0, "paper", plan["tflop_per_s"] / 1e3, CLAIMED)
    yield Row("Megatron", "the same, % of the peak", 52.0, "paper",
              100 * plan["tflop_per_s_of_accelerator"] / PEAK, CLAIMED)


def _interleaving(job):
    """What a second chunk gains: the less, the more microbatches fill the pipeline."""
    seconds = [[job.plan("model_parallel.toml", **SCHEDULES, plan_batch=batch, plan_chunks=chunks)["step_s"]
                for chunks in (1, 2)] for batch in BATCHES]
    for batch, (plain, interleaved) in zip(BATCHES, seconds, strict=True):
        yield Row("Megatron", f"gain of interleaving, 174.6 billion parameters, batch {batch}, %", 10.0,
                  "paper, 10 or more", 100 * (plain / interleaved - 1))
    yield Row("Megatron", "time of a step interleaved over that without, mean of these", 1 / 1.1, "paper",
              statistics.mean(interleaved / plain for plain, interleaved in seconds), at_most=True)


def _unpipelined(job):
    """What a full pipeline gains over one microbatch at a time: nearly as much as it has stages."""
    for stages in (16, 32):
        rates = [job.plan("model_parallel.toml", **UNPIPELINED, plan_stages=stages, plan_batch=batch)["sequences_per_s"]
                 for batch in (512, UNPIPELINED["cluster_accelerators"] // stages)]
        yield Row("PipeDream-2BW", f"largest gain over non-pipelined baselines; ours: 64 V100, {stages} stages", 20.0,
                  "paper", rates[0] / rates[1])


def rows(job):
    """All of this system."""
    p, m = 8, 32
    for schedule, chunks in (("gpipe", 1), ("1f1b_flush", 1), ("interleaved", 2), ("interleaved", 4)):
        yield Row("pipeline", f"bubble of {schedule}, {p} stages, {m} microbatches, {chunks} chunks",
                  (p - 1) / (chunks * m), "formula (p-1)/(vm)", _bubble(job, schedule, p, m, chunks),
                  1e-9)
    yield from job.entry_rows("pipeline", "schedules", "analytic", FILE)
    for section in ("two_buffered_weights_memory", "megatron_scaling"):
        yield from job.entry_rows("pipeline", section, "analytic", "cases.json", section)
    yield from _scaling(job)
    yield from _interleaving(job)
    yield from _unpipelined(job)
