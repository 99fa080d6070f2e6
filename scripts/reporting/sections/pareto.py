# SPDX-License-Identifier: Apache-2.0
"""What an exploration found: all points, those that no other beats, and their configurations."""

import operator

from toolbox.errors import UserError

from .. import inputs
from ..markup import Column, Part, chart, chooser, escape, folded, section, table


def front(points, objectives):
    """Indices of the points that no other equals or beats in all objectives, beating it in one.
    points: [[value of each objective]]; objectives: [{"better": "lower" or "higher"}]."""
    signs = [-1 if one["better"] == "higher" else 1 for one in objectives]
    scored = sorted(([sign * value for sign, value in zip(signs, values)], index)
                    for index, values in enumerate(points))
    kept = []
    for score, index in scored:  # what beats a point stands before it
        if not any(other != score and all(map(operator.le, other, score)) for other, _ in kept):
            kept.append((score, index))
    return sorted(index for _, index in kept)


def _checked(source):
    """(objectives, values of each point)"""
    objectives = source.document["objectives"]
    values = [[point["values"][one["name"]] for one in objectives]
              for point in source.document["points"]]
    for number, row in enumerate(values):
        for one, value in zip(objectives, row):
            if isinstance(value, bool) or not isinstance(value, (int, float)):
                raise UserError(source.path, f"points[{number}].values.{one['name']}", value,
                                "a number")
    return objectives, values


def _form(values):
    """Enough digits to tell values apart."""
    most = max(map(abs, values), default=0)
    return ",.0f" if most >= 1000 else ",.3f" if most >= 1 else ".4g"


def _table(number, source, objectives, values, kept):
    columns = [Column("configuration"),
               *(Column(one["name"], one.get("unit", ""), _form([row[at] for row in values]))
                 for at, one in enumerate(objectives))]
    points = source.document["points"]
    rows = [({"point": index}, (points[index]["name"], *values[index])) for index in kept]
    return table(f"Points of {source.label} that no other beats", columns, rows,
                 f"front-{number}")


def _one(number, source):
    objectives, values = _checked(source)
    kept = front(values, objectives)
    names = [(one["name"], f"{one['name']}, {one.get('unit') or 'ratio'}: {one['better']} is better")
             for one in objectives]
    choosers = (chooser("x", "Across", names[1:] + names[:1]) + chooser("y", "Up", names))
    html = (f'<div class="explore" data-explore="{number}"><h3>{escape(source.label)}</h3>'
            f"<p>{len(values):,d} points, of which {len(kept):,d} are beaten by no other.</p>"
            f'<form class="axes">{choosers}</form>'
            + chart("pareto", "Each point is a configuration; filled ones are beaten by no other. "
                    "A click opens the configuration.")
            + '<div class="opened" aria-live="polite" hidden></div>'
            + folded(f"Table: the {len(kept):,d} points that no other beats",
                     _table(number, source, objectives, values, kept)) + "</div>")
    chosen = set(kept)
    data = {"explore": number, "objectives": [one["name"] for one in objectives],
            "points": [[point["name"], point["toml"], int(index in chosen), *values[index]]
                       for index, point in enumerate(source.document["points"])]}
    return html, data


def part(sources):
    """A chart and a table for each exploration."""
    found = inputs.of(sources, "explore")
    if not found:
        return None
    made = [_one(number, source) for number, source in enumerate(found)]
    return Part(section("pareto", "Which configurations no other beats",
                        "\n".join(html for html, _ in made)),
                {"pareto": [data for _, data in made]})
