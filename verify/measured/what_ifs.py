# SPDX-License-Identifier: Apache-2.0
"""What-ifs of a training step, predicted from its profile and then done, on this machine's processor.

The step is of convolutions with batch normalisation, dropout and momentum, in one thread. Its profile becomes tasks;
`tdjob compare` says what is left of it when a part is removed, added or scaled. Then the network is changed so, and
both are run in turn. Times of a step are medians; what is compared is the changed step's."""

import json
import pathlib
import statistics
import tempfile
import time
from collections import OrderedDict

import torch
from torch import nn
from torch.nn import functional

from toolbox import text_table, tools
from tracing.recorder import recorded
from tracing.tasks import Step, toml

BATCH, SIZE, CHANNELS = 64, 32, (3, 32, 32, 32)
PROFILES, WARM = 9, 5


def network(without=(), frozen=(), twice=()):
    """Blocks of four layers. without: names that are left out; frozen: blocks whose parameters are not trained; twice:
    convolutions that stand there twice."""
    layers = OrderedDict()
    for number, (inputs, outputs) in enumerate(zip(CHANNELS, CHANNELS[1:]), 1):
        block = {"conv": nn.Conv2d(inputs, outputs, 3, padding=1), "norm": nn.BatchNorm2d(outputs),
                 "relu": nn.ReLU(), "drop": nn.Dropout(0.1)}
        for name, layer in block.items():
            layer.requires_grad_(number not in frozen)
            if not {name, f"block{number}"} & set(without):
                layers[f"{name}{number}"] = layer
        if number in twice:
            layers[f"conv{number}_again"] = nn.Conv2d(outputs, outputs, 3, padding=1)
    layers.update(pool=nn.AvgPool2d(8), flatten=nn.Flatten(), linear=nn.Linear(CHANNELS[-1] * (SIZE // 8) ** 2, 10))
    return nn.Sequential(layers)


class Trained:
    """A network, and how a step of it is done."""

    def __init__(self, update=True, **changes):
        torch.manual_seed(1)
        self.model, self.update = network(**changes), update
        self.optimizer = torch.optim.SGD([one for one in self.model.parameters() if one.requires_grad], 0.01, 0.9)
        self.images, self.labels = torch.randn(BATCH, CHANNELS[0], SIZE, SIZE), torch.randint(10, (BATCH,))

    def step(self):
        if self.update:
            self.optimizer.zero_grad()
        functional.cross_entropy(self.model(self.images), self.labels).backward()
        if self.update:
            self.optimizer.step()

    def seconds(self):
        begin = time.perf_counter()
        self.step()
        return time.perf_counter() - begin


def _profile(folder):
    """Of several the one whose time is the median."""
    trained, steps = Trained(), []
    for _ in range(WARM):
        trained.step()
    for _ in range(PROFILES):
        with recorded(trained.model, folder / "step.json"):
            trained.step()
        steps.append(Step(folder / "step.json"))
    return sorted(steps, key=lambda one: sum(task.end - task.begin for task in one.tasks))[PROFILES // 2]


def _change(kind, **keys):
    return "\n".join(["[[transformation]]", f'kind = "{kind}"', *(f"{key} = {json.dumps(value)}"
                                                                for key, value in keys.items()), ""])


def _again(step, layer):
    """One more of a layer: behind it in the forward pass, and ahead of it in the backward pass."""
    texts = []
    for phase in ("forward", "backward"):
        its = [number for number, one in enumerate(step.tasks) if one.layer == layer and one.phase.endswith(phase)]
        place = its[-1] + 1 if phase == "forward" else its[0]
        seconds = sum(step.tasks[number].end - step.tasks[number].begin for number in its) / 1e6
        texts.append(_change("insert", name=f"{layer} again, {phase}", resource=step.tasks[place].resource,
                             seconds=seconds, after=[step.name(place - 1)], before=[step.name(place)]))
    return "".join(texts)


def _what_ifs(step):
    """(in words, as transformations, done)."""
    # Nobody wants the gradient of what a frozen block gives: the next convolution is left with one product of two.
    frozen = (_change("remove", layer="????1", phase="*backward")
              + _change("scale", layer="conv2", phase="backward", factor=0.5))
    return [
        ("no batch normalisation", _change("remove", layer="norm*"), Trained(without=["norm"])),
        ("no dropout", _change("remove", layer="drop*"), Trained(without=["drop"])),
        ("first block frozen", frozen, Trained(frozen=[1])),
        ("no third block", _change("remove", layer="????3"), Trained(without=["block3"])),
        ("second convolution twice", _again(step, "conv2"), Trained(twice=[2])),
        ("gradients only, no update", _change("remove", phase="*update"), Trained(update=False)),
    ]


def _predicted(tdjob, folder, step, change):
    """The share of the step's time that is left."""
    path = folder / "changed.toml"
    path.write_text(toml(step, "a step") + change, encoding="utf-8")
    lines = tools.answer(tdjob, "compare", path, "--json")
    seconds = [json.loads(line)["seconds"] for line in lines.splitlines()]
    return seconds[-1] / seconds[0]


def measure(tdjob, rounds, progress):
    """Rows: what, predicted s, measured s; the first is of the step as it is."""
    torch.set_num_threads(1)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        step = _profile(folder)
        what_ifs = _what_ifs(step)
        shares = [_predicted(tdjob, folder, step, change) for _, change, _ in what_ifs]
    trained = [Trained(), *(one for *_, one in what_ifs)]
    times = [[] for _ in trained]
    for number in range(WARM + rounds):
        for one, taken in zip(trained, times):
            taken.append(one.seconds())
        progress.set(number + 1)
    medians = [statistics.median(taken[WARM:]) for taken in times]
    return [("as it is", medians[0], medians[0]),
            *((what, medians[0] * share, median)
              for (what, *_), share, median in zip(what_ifs, shares, medians[1:]))]


def lines(rows):
    """The table, and the largest error."""
    base = rows[0][2]
    table = [("what if", "predicted", "measured", "error", "gain predicted", "measured")]
    errors = [abs(predicted / measured - 1) for _, predicted, measured in rows[1:]]
    for what, predicted, measured in rows:
        table.append((what, f"{1e3 * predicted:.2f}", f"{1e3 * measured:.2f}",
                      f"{100 * (predicted / measured - 1):+.1f}", f"{base / predicted:.3f}", f"{base / measured:.3f}"))
    return [*text_table.lines(table), f"errors of {len(errors)} predictions: {100 * max(errors):.1f} % at most, "
            f"{100 * statistics.mean(errors):.1f} % on average"]
