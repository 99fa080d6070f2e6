# SPDX-License-Identifier: Apache-2.0
"""Results of scripts/train side by side: final accuracies by network and arithmetic, and how far they lie apart."""

import json
import math
import statistics

from toolbox import text_table
from toolbox.errors import UserError

SCHEMA = "tensordash-training-1"
ARITHMETICS = ("torch", "tile", "fused")
# Student's t for 95 %, two-sided, by degrees of freedom: 1 to 10, and 11 for all above, which is a little wide.
QUANTILES = (12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201)
# What must be equal for accuracies to be comparable.
SAME = ("dataset", "epochs", "batch", "learning_rate", "train_images", "test_images")


def read(path):
    """A result's fields."""
    try:
        with open(path, encoding="utf-8") as file:
            result = json.load(file)
        schema = result["schema"]
    except (OSError, ValueError, KeyError, TypeError):
        raise UserError("command line", "--table", path, "results of scripts/train") from None
    if schema != SCHEMA:
        raise UserError(path, "schema", schema, SCHEMA)
    return result


def lines(paths):
    """The table of these results, as lines."""
    results = [(path, read(path)) for path in paths]
    first = results[0][1]
    runs = {}  # (network, arithmetic, tile) -> {seed: result}
    for path, result in results:
        for field in SAME:
            if result[field] != first[field]:
                raise UserError(path, field, result[field], f"{first[field]}, as in {results[0][0]}")
        seeds = runs.setdefault((_network(result), result["arithmetic"], _tile(result)), {})
        if result["seed"] in seeds:
            raise UserError(path, "seed", result["seed"], "each seed once for a network, arithmetic and tile")
        seeds[result["seed"]] = result
    seeds = sorted({seed for found in runs.values() for seed in found})
    header = ["network", "arithmetic", "tile", *(f"seed {seed}" for seed in seeds), "mean", "spread", "last epoch",
              "beside torch", "95 %", "CPU s"]
    order = sorted(runs, key=lambda run: (run[0], *_place(run)))
    rows = [[*run, *_cells(runs, run, seeds)] for run in order] + _pooled(runs, len(seeds))
    yield (f"test accuracy in %, after {first['epochs']} epochs of {first['train_images']} images "
           f"({first['test_images']} tested); CPU seconds of one run")
    yield from text_table.lines([header, *rows], left=3)


def _place(run):
    return ARITHMETICS.index(run[1]), run[2]


def _network(result):
    pruned = f", {result['prune']:.0%} pruned" if result["prune"] else ""
    return result["network"] + pruned


def _tile(result):
    return result["config"]["name"] if result["config"] else "-"


def _cells(runs, run, seeds):
    """Each seed's accuracy, their mean and spread; the mean change by the last epoch, which says whether it has
    settled; what _beside() says; the mean time."""
    found = runs[run]
    shares = {seed: 100 * result["test_accuracy"] for seed, result in found.items()}
    return [*(f"{shares[seed]:.1f}" if seed in shares else "-" for seed in seeds),
            f"{statistics.mean(shares.values()):.1f}", f"{max(shares.values()) - min(shares.values()):.1f}",
            _last_epoch(found.values()), *_beside(_differences(runs, run)),
            f"{statistics.mean(result['cpu_seconds'] for result in found.values()):.0f}"]


def _last_epoch(results):
    courses = [[epoch["test_accuracy"] for epoch in result["history"]] for result in results]
    if any(len(course) < 2 for course in courses):
        return "-"
    return f"{statistics.mean(100 * (course[-1] - course[-2]) for course in courses):+.1f}"


def _differences(runs, run):
    """Points of accuracy from PyTorch's run of the same network and seed."""
    torch = runs.get((run[0], "torch", "-"), {})
    if run[1] == "torch":
        return []
    return [100 * (result["test_accuracy"] - torch[seed]["test_accuracy"]) for seed, result in runs[run].items()
            if seed in torch]


def _beside(differences):
    """Their mean, and half the width of its 95 % confidence interval (Student's t)."""
    if len(differences) < 2:
        return [f"{difference:+.1f}" for difference in differences] + ["-"] * (2 - len(differences))
    quantile = QUANTILES[min(len(differences) - 1, len(QUANTILES)) - 1]
    error = statistics.stdev(differences) / math.sqrt(len(differences))
    return [f"{statistics.mean(differences):+.1f}", f"{quantile * error:.1f}"]


def _pooled(runs, seeds):
    """A row for each arithmetic that several networks were trained in: all its differences together."""
    rows = []
    for arithmetic, tile in sorted({run[1:] for run in runs}, key=lambda kind: _place(("", *kind))):
        networks = [run for run in runs if run[1:] == (arithmetic, tile)]
        differences = [value for run in networks for value in _differences(runs, run)]
        if len(networks) > 1 and differences:
            rows.append(["all", arithmetic, tile, *["-"] * (seeds + 3), *_beside(differences), "-"])
    return rows
