# SPDX-License-Identifier: Apache-2.0
"""Daydream (arXiv:2006.03318): predictions by transformation beside the changed step, computed anew
from the profile. The paper's own figures are errors against the authors' machines; ours, which scripts/measure finds,
are stored."""

import json

from system.figures import stored
from system.figures.row import Row

MATRIX = ("Conv2d", "Linear")
LAUNCH_S, UPDATE_BYTES_PER_S = 20e-6, 100e9
BUCKET, ACCELERATORS, LINK = 25 * 2**20, 8, 10e9 / 8


def _layers(job, network):
    """(operation, forward s, backward s, parameter bytes) of each layer, in the order of nodes'
    numbers: so VGG-16's chain runs."""
    path = job.reference / "pipedream" / f"profile_{network}.json"
    nodes = json.loads(path.read_text(encoding="utf-8"))["nodes"]
    return [(one[1].split("(")[0], one[2] / 1e3, one[3] / 1e3, one[5])
            for one in sorted(nodes, key=lambda one: int(one[0].removeprefix("node")))
            if not one[1].startswith("Input")]


def _mixed_precision(layers):
    """Matrix products take a third of the time, all else half."""
    before = sum(forward + backward for _, forward, backward, _ in layers)
    return before / sum((forward + backward) / (3 if operation in MATRIX else 2)
                        for operation, forward, backward, _ in layers)


def _fused_updates(layers):
    """One launch instead of one for each layer with parameters."""
    sizes = [size for *_, size in layers if size > 0]
    once = (sum(forward + backward for _, forward, backward, _ in layers)
            + sum(sizes) / UPDATE_BYTES_PER_S)
    return (once + len(sizes) * LAUNCH_S) / (once + LAUNCH_S)


def _data_parallel(layers, iterations=4):
    """Each bucket goes around the ring when it is full and the link is free; a layer's next forward
    pass waits for its bucket."""
    ready, link, now, ends = [0.0] * len(layers), 0.0, 0.0, []
    for _ in range(iterations):
        for index, (_, forward, _, _) in enumerate(layers):
            now = max(now, ready[index]) + forward
        bucket, size = [], 0
        for index in reversed(range(len(layers))):
            now += layers[index][2]
            if layers[index][3] == 0:
                continue
            bucket.append(index)
            size += layers[index][3]
            if size < BUCKET and any(one[3] > 0 for one in layers[:index]):
                continue
            link = max(link, now) + 2 * (ACCELERATORS - 1) / ACCELERATORS * size / LINK
            for one in bucket:
                ready[one] = link
            bucket, size = [], 0
        ends.append(now)
    return sum(forward + backward for _, forward, backward, _ in layers) / (ends[-1] - ends[-2])


def rows(job):
    """All of this system."""
    for scenario, what, network, again in (
            ("mixed_precision.toml", "mixed precision, ResNet-50", "resnet50", _mixed_precision),
            ("fused_updates.toml", "fused optimiser, ResNet-50", "resnet50", _fused_updates),
            ("data_parallel.toml", "eight accelerators over 10 Gbit/s, VGG-16", "vgg16",
             _data_parallel)):
        seconds = job.seconds(scenario)
        yield Row("Daydream", f"{what}: speed-up predicted", again(_layers(job, network)),
                  "the changed step, without a graph", seconds[0] / seconds[-1], 1e-9)
    ((_, largest),) = stored.values("what_ifs", r"errors of (\d+) predictions: ([\d.]+) % at most")
    yield Row("Daydream", "error of most predictions, %, below about; ours: the largest of six, measured apart", 15.0,
              "recalled", float(largest), at_most=True)
