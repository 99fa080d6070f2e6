# SPDX-License-Identifier: Apache-2.0
"""PipeDream's partitions (SOSP 2019)."""

from system import compare
from system.figures.row import Row

FOLDER = "pipedream"
FLAT = "optimiser_flat.jsonl"


def _ask(job, model, workers, bandwidth):
    """The optimum of one network with transfers counted."""
    (line,) = job.ask(FOLDER, FLAT, [{
        "model": model, "workers": workers, "bandwidth_bytes_per_s": bandwidth,
        "activation_compression": 1.0}])
    return line


def _replicas(job, model, kind, directory):
    """Of the first stage of a configuration that the authors ran."""
    for one in compare.load(job.reference / FOLDER / "recorded_configurations.json"):
        if (one["model"], one["kind"], one["directory"]) == (model, kind, directory):
            return one["replicas_per_stage"]
    raise ValueError(f"no configuration {model} {kind} {directory}")


def rows(job):
    """All of this system."""
    yield from job.entry_rows("PipeDream", "profiles", FOLDER, "profiles.jsonl",
                              source="recorded counts")
    for file, name in ((FLAT, "one level"), ("optimiser_two_level.jsonl", "two levels")):
        yield from job.entry_rows("PipeDream", name, FOLDER, file)
    for workers, bandwidth in ((4, 1e9), (16, 25e9 / 8)):
        recorded = _replicas(job, "vgg16", "hybrid", f"gpus={workers}")
        stages = _ask(job, "vgg16", workers, bandwidth)["one_optimal_partition"]
        ours = [replicas for _, _, replicas in stages]
        rate = f"{8 * bandwidth / 1e9:g} Gbit/s"
        yield Row("PipeDream", f"VGG-16, {workers} workers, {rate}: workers of the first of two "
                  "stages", recorded[0], "configuration that the authors ran",
                  ours[0] if len(ours) == len(recorded) else None, 0.0)
    line = _ask(job, "vgg16", 16, 25e9 / 8)
    for other, field, theirs in (("one worker", "single_worker_s", 14.77),
                                 ("data parallelism", "data_parallel_s", 1.835)):
        yield Row("PipeDream", f"VGG-16, 16 workers, 25 Gbit/s: speed-up over {other}", theirs,
                  "notes on the data", line[field] / line["seconds_per_minibatch"], 5e-4)
    # The paper's is measured. What its authors' planner says of that machine is recorded, and is ours.
    servers = next(line for line in job.answers(FOLDER, "optimiser_two_level.jsonl")
                   if (line["model"], line["workers_per_level"]) == ("vgg16", [4, 4]))
    yield Row("PipeDream", "VGG-16, four servers of four, 10 Gbit/s: speed-up over data parallelism", 5.28,
              "paper", servers["data_parallel_s"] / servers["seconds_per_minibatch"])
    yield Row("PipeDream", "VGG-16, 16 workers: 15-1 at 10 Gbit/s", 15, "paper",
              missing="a profile of which that is the optimum: of this one it is 13-2-1")
