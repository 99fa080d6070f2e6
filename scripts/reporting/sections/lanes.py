# SPDX-License-Identifier: Apache-2.0
"""What every lane does in every step of a pass: a heat map."""

from .. import inputs
from ..markup import Column, Part, chart, chooser, escape, section, table

IDLE = "."
COLUMNS = (Column("snapshot"), Column("layer"), Column("operation"), Column("pass", "number", "d"),
           Column("dense", "cycles", ",d"), Column("cycles", "cycles", ",d"),
           Column("speed-up", "× total", ".2f"), Column("busy", "% of lanes and steps", ".1f", 100))


def busy(one):
    """Share of lanes of all tile rows and steps that multiply, 0…1."""
    texts = [text for step in one["steps"] for text in step["lanes"]]
    lanes = sum(map(len, texts))
    return 1 - sum(text.count(IDLE) for text in texts) / lanes if lanes else None


def _label(one):
    return f"{one['snapshot']}/{one['layer']} {one['op']}, pass {one['number']}"


def _one(number, source):
    passes = source.document["passes"]
    rows = [({"pass": at}, (one["snapshot"], one["layer"], one["op"], one["number"],
                            one["dense_cycles"], one["cycles"], one["dense_cycles"] / one["cycles"],
                            busy(one))) for at, one in enumerate(passes)]
    # The longest first: it has most to see.
    options = sorted(((at, _label(one)) for at, one in enumerate(passes)),
                     key=lambda option: -passes[option[0]]["cycles"])
    return (f'<div class="lanes" data-lanes="{number}"><h3>{escape(source.label)}</h3>'
            f'<form class="axes">{chooser("pass", "Pass", options)}</form>'
            + chart("lanes", "A column is a step, a line a lane of a tile row. Colour: how many rows "
                    "ahead the pair stands that the lane takes; empty: the lane is idle.")
            + table(f"Passes of {source.label}", COLUMNS, rows, f"lanes-{number}") + "</div>")


def part(sources):
    """A chart for each file, of the pass that is chosen."""
    found = inputs.of(sources, "pass")
    if not found:
        return None
    data = [[[step["lanes"] for step in one["steps"]] for one in source.document["passes"]]
            for source in found]
    return Part(section("lanes", "What the lanes do in each step of a pass",
                        "\n".join(_one(number, source) for number, source in enumerate(found))),
                {"lanes": data})
