# SPDX-License-Identifier: Apache-2.0
"""Exact contiguous placement (arXiv:2006.16423)."""

from system import compare
from system.figures.row import Row

FOLDER = "placement"
NAME = "exact placement"


def rows(job):
    """All of this system."""
    for kind in ("exact", "single", "expert", "contracted"):
        yield from job.entry_rows(NAME, kind, FOLDER, f"max_load_{kind}.jsonl",
                                  source="the authors' program")
    bounds = compare.load(job.reference / FOLDER / "max_load_linearised.jsonl")
    exact = job.ask(FOLDER, "max_load_linearised.jsonl",
                    [{**one, "method": "exact_contiguous", "max_load": None} for one in bounds])
    rounding = 1 + 1e-9
    below = [ours["max_load"] <= bound["max_load"] * rounding
             for ours, bound in zip(exact, bounds, strict=True)]
    yield Row(NAME, "splits of one topological order, of which the optimum is not above",
              len(bounds), "the authors' program", sum(below), 0.0)
    (training,) = job.ask(FOLDER, "max_load_exact.jsonl", [{
        "graph": "bert_l-3_training", "level": "operator", "accelerators": 3, "cpus": 1,
        "method": "exact_contiguous"}])
    yield Row(NAME, "BERT-3 training, operators, 3 accelerators and a CPU", 65.3031491,
              "notes on the data", training["max_load"], 1e-9)
