# SPDX-License-Identifier: Apache-2.0
"""HFuse (arXiv:2007.01277): two kernels interleaved on one device."""

import statistics

from system import compare
from system.figures.row import Row

FILE = "pair_times.csv"
# Least rank correlation that is claimed: only where the kernels' metrics were measured on the device.
CLAIMED = {"GTX 1080 Ti": 0.7, "V100": None}
RANGE = 0.05  # of the paper's largest gain; the recorded times are earlier than the paper's


def ranks(values):
    """1 for the smallest; equal values share the mean of theirs."""
    order = sorted(values)
    return [order.index(value) + (order.count(value) + 1) / 2 for value in values]


def spearman(ours, theirs):
    """Rank correlation of two lists of the same length."""
    return statistics.correlation(ranks(ours), ranks(theirs))


def gains(job, device):
    """Of each pair the best predicted and the best recorded gain of a device, in %."""
    predicted, recorded = {}, {}
    for line in job.answers("hfuse", FILE):
        if line["device"] == device:
            pair = line["kernels"]
            predicted[pair] = max(line["speedup_percent"], predicted.get(pair, -100))
    for row in compare.load(job.reference / "hfuse" / FILE):
        if row["device"] == device and row["speedup_percent"] is not None:
            recorded[row["kernels"]] = max(row["speedup_percent"],
                                           recorded.get(row["kernels"], -100))
    return [(pair, predicted[pair], recorded[pair]) for pair in sorted(recorded)]


def _range(found):
    """Of the pairs on both devices; all of the paper's gain."""
    ours, theirs = ([one[i] for pairs in found.values() for one in pairs] for i in (1, 2))
    yield Row("HFuse", "largest gain over pairs and devices, %", 60.8, "paper, a range", max(ours), RANGE)
    yield Row("HFuse", "least gain over pairs and devices, %", 2.5, "paper, a range", min(ours))
    for name, of in (("largest", max), ("least", min), ("mean", statistics.mean)):
        yield Row("HFuse", f"{name} gain over pairs and devices, as recorded, %", of(theirs),
                  "recorded, best variant", of(ours))


def rows(job):
    """All of this system."""
    found = {}
    for device, claimed in CLAIMED.items():
        tolerance = None if claimed is None else 1 - claimed
        pairs = found[device] = gains(job, device)
        for pair, ours, theirs in pairs:
            yield Row("HFuse", f"gain of {pair} on {device}, %", theirs, "recorded, best variant",
                      ours)
        ours, theirs = ([one[i] for one in pairs] for i in (1, 2))
        yield Row("HFuse", f"rank correlation on {device}", 1.0, "perfect order",
                  spearman(ours, theirs), tolerance)
        least = min(spearman(ours[:i] + ours[i + 1:], theirs[:i] + theirs[i + 1:])
                    for i in range(len(pairs)))
        yield Row("HFuse", f"the same, any one pair left out, {device}", 1.0, "perfect order", least,
                  tolerance)
        same = sum((a > 0) == (b > 0) for a, b in zip(ours, theirs))
        yield Row("HFuse", f"signs that are right, {device}", float(len(pairs)), "recorded",
                  float(same))
        yield Row("HFuse", f"mean gain on {device}, %", statistics.mean(theirs), "recorded, best variant",
                  statistics.mean(ours))
    yield from _range(found)
