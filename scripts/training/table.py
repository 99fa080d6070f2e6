# SPDX-License-Identifier: Apache-2.0
"""Results of scripts/train side by side: final accuracies by network and arithmetic, and how far they lie apart."""

import json

from toolbox import text_table
from toolbox.errors import UserError

SCHEMA = "tensordash-training-1"
ARITHMETICS = ("torch", "tile", "fused")
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
    header = ["network", "arithmetic", "tile", *(f"seed {seed}" for seed in seeds), "mean", "spread", "beside torch",
              "CPU s"]
    rows = [[*run, *_cells(runs, run, seeds)]
            for run in sorted(runs, key=lambda run: (run[0], ARITHMETICS.index(run[1]), run[2]))]
    yield (f"test accuracy in %, after {first['epochs']} epochs of {first['train_images']} images "
           f"({first['test_images']} tested); CPU seconds of one run")
    yield from text_table.lines([header, *rows], left=3)


def _network(result):
    pruned = f", {result['prune']:.0%} pruned" if result["prune"] else ""
    return result["network"] + pruned


def _tile(result):
    return result["config"]["name"] if result["config"] else "-"


def _cells(runs, run, seeds):
    """Each seed's accuracy, their mean and spread, the mean difference from PyTorch's of the same seeds, and the mean
    time."""
    found = runs[run]
    torch = runs.get((run[0], "torch", "-"), {})
    shares = {seed: 100 * result["test_accuracy"] for seed, result in found.items()}
    differences = [shares[seed] - 100 * torch[seed]["test_accuracy"] for seed in shares if seed in torch]
    return [*(f"{shares[seed]:.1f}" if seed in shares else "-" for seed in seeds),
            f"{sum(shares.values()) / len(shares):.1f}", f"{max(shares.values()) - min(shares.values()):.1f}",
            f"{sum(differences) / len(differences):+.1f}" if differences and run[1] != "torch" else "-",
            f"{sum(result['cpu_seconds'] for result in found.values()) / len(found):.0f}"]
