# SPDX-License-Identifier: Apache-2.0
"""Training over skewed data (Hsieh et al., ICML 2020, arXiv:1910.00189): machines that have labels of their own learn
one network, and send each other less than all. What is sent is counted in bytes: 4 for a value, 8 for one of a few,
which needs its place, too."""

import copy
import csv
import json
import pathlib
import tempfile
from collections import OrderedDict

import torch
from torch import nn
from torch.nn.utils import parameters_to_vector, vector_to_parameters

from toolbox import text_table, tools
from training.examples import accuracy, cross_entropy, tensors

MACHINES, BATCH, RATE, MOMENTUM = 5, 20, 0.02, 0.9
LEAST_SIDE = 4  # of images, which are halved twice
INTERVALS = (1, 2, 5, 10, 20, 50)
SKEWED = (0, 0.5, 1)  # shares of images that are dealt by label
RUNS = 2 * len(SKEWED) * 7
TRAVEL_STEPS, TRAVEL_IMAGES = 50, 500  # a decision about the interval, and what models are tested with before it
VALUE_BYTES, PLACED_BYTES = 4, 8


def network(norm, images, classes):
    """Two convolutions with this normalisation behind them."""
    _, channels, height, width = images.shape
    normal = {"batch": nn.BatchNorm2d, "group": lambda channels: nn.GroupNorm(4, channels)}[norm]
    return nn.Sequential(OrderedDict(
        conv1=nn.Conv2d(channels, 8, 3, padding=1), norm1=normal(8), relu1=nn.ReLU(), pool1=nn.MaxPool2d(2),
        conv2=nn.Conv2d(8, 16, 3, padding=1), norm2=normal(16), relu2=nn.ReLU(), pool2=nn.MaxPool2d(2),
        flatten=nn.Flatten(), linear=nn.Linear(16 * (height // 4) * (width // 4), classes)))


class Machine:
    """Its part of the data, and its model; `momentum` is of its own steps."""

    def __init__(self, model, images, labels, seed):
        self.model, self.images, self.labels = copy.deepcopy(model), images, labels
        self.random = torch.Generator().manual_seed(seed)
        self.momentum = torch.zeros_like(self.weights)

    @property
    def weights(self):
        """A copy of all in a row."""
        return parameters_to_vector(self.model.parameters()).detach().clone()

    @weights.setter
    def weights(self, values):
        vector_to_parameters(values, self.model.parameters())

    def gradient(self):
        """Of its next images."""
        chosen = torch.randint(len(self.labels), (BATCH,), generator=self.random)
        self.model.zero_grad()
        cross_entropy(self.model, self.images[chosen], self.labels[chosen]).backward()
        return parameters_to_vector([one.grad for one in self.model.parameters()])

    def step(self, rate=RATE):
        """With its own gradient; what changed."""
        self.momentum = MOMENTUM * self.momentum + self.gradient()
        self.weights = self.weights - rate * self.momentum
        return -rate * self.momentum


class AllGradients:
    """BSP: a mean gradient in each step."""

    text, sent = "all gradients", 0

    def step(self, machines, _):
        mean = torch.stack([one.gradient() for one in machines]).mean(0)
        for one in machines:
            one.momentum = MOMENTUM * one.momentum + mean
            one.weights = one.weights - RATE * one.momentum
        self.sent += VALUE_BYTES * mean.numel()


class Averages:
    """FedAvg: machines learn alone, and take the mean of their models once in so many steps."""

    def __init__(self, interval):
        self.interval, self.sent, self._since = interval, 0, 0

    @property
    def text(self):
        return f"averages, every {self.interval}"

    def step(self, machines, number):
        for one in machines:
            one.step()
        self._since += 1
        if self._since >= self.interval:
            self._since = 0
            self.meet(machines, number)

    def meet(self, machines, _):
        """Models take their mean."""
        average(machines)
        self.sent += VALUE_BYTES * machines[0].weights.numel()


class Significant:
    """Gaia: a machine sends what has changed by more than a share of the weight, and keeps the rest. Changes of all are
    added, so each is a machine's part of the learning rate."""

    def __init__(self, share):
        self.text, self.share, self.sent, self._kept = f"changes over {100 * share:g} %", share, 0, None

    def step(self, machines, _):
        if self._kept is None:
            self._kept = [torch.zeros_like(one.weights) for one in machines]
        parcels = []
        for one, kept in zip(machines, self._kept):
            kept += one.step(RATE / len(machines))
            parcel = torch.where(kept.abs() > self.share * one.weights.abs(), kept, torch.zeros(()))
            kept -= parcel
            parcels.append(parcel)
        for one, own in zip(machines, parcels):
            one.weights = one.weights + sum(parcels) - own
        self.sent += PLACED_BYTES * sum(int(parcel.count_nonzero()) for parcel in parcels) / len(machines)


class Largest:
    """DGC: the largest of what gradients have summed up to, with momentum put right; more in the first steps."""

    WARM = (0.25, 0.0625, 0.015625, 0.004)

    def __init__(self, share, steps):
        self.text, self.share, self.sent = f"largest {100 * share:g} % of gradients", share, 0
        self._epoch, self._moving, self._summed = max(1, steps // 20), None, None

    def step(self, machines, number):
        if self._summed is None:
            self._moving, self._summed = ([torch.zeros_like(one.weights) for one in machines] for _ in range(2))
        warm = self.WARM[number // self._epoch] if number // self._epoch < len(self.WARM) else 0
        count = max(1, round(max(self.share, warm) * self._summed[0].numel()))
        total = torch.zeros_like(self._summed[0])
        for one, moving, summed in zip(machines, self._moving, self._summed):
            moving.mul_(MOMENTUM).add_(one.gradient())
            summed += moving
            places = summed.abs().topk(count).indices
            total[places] += summed[places]
            summed[places] = moving[places] = 0
        for one in machines:
            one.weights = one.weights - RATE / len(machines) * total
        self.sent += PLACED_BYTES * count


class Scouted(Averages):
    """SkewScout: averages, at an interval that follows what accuracy a model loses on another machine's data, when it
    has learned alone for the longest. `tdjob plan` decides, by all that was measured so far; travelling models are
    counted."""

    def __init__(self, tdjob):
        super().__init__(INTERVALS[0])
        self._tdjob, self._losses, self._decided = tdjob, [], 0

    @property
    def text(self):
        return "averages, SkewScout's interval"

    @property
    def chosen(self):
        """Intervals, one a decision."""
        return [interval for interval, _ in self._losses]

    def meet(self, machines, number):
        if number + 1 - self._decided >= TRAVEL_STEPS:
            self._losses.append((self.interval, self._travel(machines)))
            self.interval, self._decided = self._decide(), number + 1
        super().meet(machines, number)

    def _travel(self, machines):
        """Accuracy lost at another machine, %."""
        self.sent += VALUE_BYTES * machines[0].weights.numel()
        lost = []
        for one, guest in zip(machines, machines[1:] + machines[:1]):
            data = one.images[:TRAVEL_IMAGES], one.labels[:TRAVEL_IMAGES]
            lost.append(accuracy(guest.model, *_own(guest)) - accuracy(guest.model, *data))
        return max(0.0, 100 * sum(lost) / len(lost))

    def _decide(self):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            with open(folder / "losses.csv", "w", encoding="utf-8", newline="") as file:
                rows = csv.writer(file)
                rows.writerow(["from_decision", "interval", "loss_percent"])
                rows.writerows([0, interval, 0] for interval in INTERVALS)  # read once they were measured
                rows.writerows([number, interval, f"{loss:.6f}"]
                               for number, (interval, loss) in enumerate(self._losses))
            (folder / "plan.toml").write_text(
                'name = "next"\n[plan]\nkind = "exchange_interval"\nlosses = "losses.csv"\n'
                f"intervals = {list(INTERVALS)}\ndecisions = {len(self._losses) + 1}\n")
            line = tools.answer(self._tdjob, "plan", folder / "plan.toml", "--json")
        return int(json.loads(line)["intervals_in_turn"][-1])


def _own(machine):
    return machine.images[:TRAVEL_IMAGES], machine.labels[:TRAVEL_IMAGES]


def average(machines):
    """All take the mean of weights, and of what normalisation has gathered."""
    mean = torch.stack([one.weights for one in machines]).mean(0)
    for one in machines:
        one.weights = mean
    for buffers in zip(*(one.model.buffers() for one in machines)):
        if buffers[0].is_floating_point():
            common = torch.stack(buffers).mean(0)
            for one in buffers:
                one.copy_(common)


def _dealt(labels, skewed, seed):
    """Places of the images of each machine, in no order: a share of them by label, the others as they come."""
    random = torch.Generator().manual_seed(seed)
    order = torch.randperm(len(labels), generator=random)
    by_label, others = order[:round(skewed * len(order))], order[round(skewed * len(order)):]
    by_label = by_label[labels[by_label].sort(stable=True).indices]
    parts = [torch.cat(pair) for pair in zip(by_label.tensor_split(MACHINES), others.tensor_split(MACHINES))]
    return [part[torch.randperm(len(part), generator=random)] for part in parts]


def _trained(data, norm, skewed, rule, steps, seed):
    """Test accuracy of the mean model after so many steps by a rule."""
    images, labels, test_images, test_labels = data
    torch.manual_seed(seed)
    model = network(norm, images, int(labels.max()) + 1)
    machines = [Machine(model, images[part], labels[part], seed + number)
                for number, part in enumerate(_dealt(labels, skewed, seed))]
    for number in range(steps):
        rule.step(machines, number)
    average(machines)
    return accuracy(machines[0].model, test_images, test_labels)


def _rules(tdjob, steps):
    return [AllGradients(), Averages(5), Averages(20), Significant(0.05), Largest(0.01, steps), Largest(0.001, steps),
            Scouted(tdjob)]


def measure(tdjob, data, steps, seed, progress):
    """Rows: normalisation, share of images dealt by label, the rule, accuracy, bytes that a machine sent over those of
    all gradients."""
    torch.set_num_threads(1)
    data, rows = tensors(data), []
    for norm in ("batch", "group"):
        for skewed in SKEWED:
            for rule in _rules(tdjob, steps):
                right = _trained(data, norm, skewed, rule, steps, seed)
                if isinstance(rule, AllGradients):
                    whole = rule.sent
                rows.append((norm, skewed, rule, right, rule.sent / whole))
                progress.step()
    return rows


def lines(rows):
    """The table, and what SkewScout chose."""
    table = [("normalisation", "by label %", "what is sent", "accuracy %", "sent %", "saved")]
    for norm, skewed, rule, right, sent in rows:
        table.append((norm, f"{100 * skewed:g}", rule.text, f"{100 * right:.1f}", f"{100 * sent:.2f}",
                      f"{1 / sent:.1f}" if sent else "-"))
    chosen = [f"{norm}, {100 * skewed:g} % by label: SkewScout's intervals {' '.join(map(str, rule.chosen))}"
              for norm, skewed, rule, *_ in rows if isinstance(rule, Scouted)]
    return [*text_table.lines(table, left=3), *chosen]
