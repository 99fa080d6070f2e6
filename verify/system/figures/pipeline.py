# SPDX-License-Identifier: Apache-2.0
"""Pipelines: PipeDream-2BW (arXiv:2006.09503) and interleaving (arXiv:2104.04473)."""

from system.figures.row import Row

FILE = "pipeline_schedules.jsonl"


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
    yield Row("PipeDream-2BW", "largest gain over non-pipelined baselines", 20.0, "paper",
              missing="the authors' machines and their baselines' times")
