# SPDX-License-Identifier: Apache-2.0
"""A whole job: how accelerators share it, where its time goes, and what no other way beats."""

from .. import inputs
from ..markup import Column, Part, chart, escape, folded, section, table

PARTS = {"compute": "compute", "split": "between shards", "pipeline": "pipeline", "exchange": "gradients",
         "input": "input", "snapshots": "snapshots", "lost": "lost work", "restarts": "restarts"}
COLUMNS = (Column("hardware"), Column("shared as"), Column("offering"), Column("accelerators", "", ",d"),
           Column("rate", "samples/s", ",.1f"), Column("job", "hours", ",.2f"), Column("cost", "USD", ",.2f"),
           Column("energy", "kWh", ",.2f"), Column("step", "samples", ",d"), Column("memory", "GB", ",.2f"))
FIELDS = ("composition", "offering", "accelerators", "samples_per_s", "hours", "usd", "kwh", "samples_of_step",
          "memory_gb")
SHARES = (Column("hardware"), *(Column(text, "% of the time", ",.2f") for text in PARTS.values()))
FRONT = (Column("hardware"), Column("shared as"), Column("offering"), Column("accelerators", "", ",d"),
         Column("job", "hours", ",.2f"), Column("cost", "USD", ",.2f"))
FRONT_FIELDS = ("composition", "offering", "accelerators", "hours", "usd")


def _answers(document):
    """(hardware, or "as given"; its answer) of each."""
    ends = inputs.JOB
    found = [key.removesuffix(ends).rstrip() for key in document if key.endswith(ends)]
    return [(name or "as given", {key.removeprefix(f"{name} "): value for key, value in document.items()
                                  if key.startswith(f"{name} " if name else "")})
            for name in found]


def _one(source):
    answers = _answers(source.document)
    rows = [({}, (name, *(answer.get(field) for field in FIELDS))) for name, answer in answers]
    shares = [({}, (name, *(answer[inputs.JOB][part] for part in PARTS))) for name, answer in answers]
    front = [({}, (name, *(one[field] for field in FRONT_FIELDS)))
             for name, answer in answers for one in answer["front"]]
    return (f"<h3>{escape(source.label)}</h3>"
            + table(f"{source.label}: the best for its objective", COLUMNS, rows)
            + chart("job", f"Where the time of {source.label} goes, in %.", {"source": source.label})
            + table(f"Where the time of {source.label} goes", SHARES, shares)
            + folded("Table: what nothing beats in both time and cost",
                     table(f"{source.label}: what nothing beats in both time and cost", FRONT, front)))


def _data(source):
    return [{"source": source.label, "hardware": name, "part": text, "order": order,
             "percent": answer[inputs.JOB][part]}
            for name, answer in _answers(source.document)
            for order, (part, text) in enumerate(PARTS.items())]


def part(sources):
    """A table, a chart and a front for each plan of a job."""
    found = inputs.of(sources, "job")
    if not found:
        return None
    return Part(section("job", "Whole jobs", "\n".join(map(_one, found))),
                {"job": [row for source in found for row in _data(source)]})
