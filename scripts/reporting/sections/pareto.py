# SPDX-License-Identifier: Apache-2.0
"""What an exploration found: all points, those that no other beats, their configurations and what
each gains on each network."""

import pathlib

from toolbox.errors import UserError

from .. import inputs
from ..markup import Column, Part, chart, chooser, escape, folded, section, table

BEST = {"most": "more is better", "least": "less is better"}


def _values(source, objectives):
    """Of each point, in the order of the objectives."""
    rows = []
    for number, point in enumerate(source.document["points"]):
        rows.append([point["objectives"][one["name"]] for one in objectives])
        for one, value in zip(objectives, rows[-1]):
            if isinstance(value, bool) or not isinstance(value, (int, float)):
                raise UserError(source.path, f"points[{number}].objectives.{one['name']}", value,
                                "a number")
    return rows


def _configuration(source, point):
    """The TOML of a point, which stands beside the result."""
    path = pathlib.Path(source.path).parent / point["configuration"]
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, ValueError) as error:
        raise UserError(path, "file", getattr(error, "strerror", None) or "no text",
                        f"the configuration that {source.path} names") from error


def _form(values):
    """Enough digits to tell values apart."""
    most = max(map(abs, values), default=0)
    return ",.0f" if most >= 1000 else ",.3f" if most >= 1 else ".4g"


def _table(number, source, objectives, values):
    columns = [Column("configuration"),
               *(Column(one["name"], one["unit"], _form([row[at] for row in values]))
                 for at, one in enumerate(objectives))]
    rows = [({"point": at}, (point["name"], *values[at]))
            for at, point in enumerate(source.document["points"]) if point["on_front"]]
    return folded(f"Table: the {len(rows):,d} points that no other beats",
                  table(f"Points of {source.label} that no other beats", columns, rows,
                        f"front-{number}"))


def _networks(source):
    """(names and uses of the networks, headings of what is told of each): of every point the same."""
    first = source.document["points"][0]["networks"]
    named = list(first[0]["named"]) if first else []
    return ([(one["name"], one["use"]) for one in first],
            ["total", "data", "memory", "left out", *(f"total, {name}" for name in named)])


def _gains(source, number, names):
    """What a point gains on each network, in the order of the headings; None where that was not
    computed."""
    networks = source.document["points"][number]["networks"]
    if [(one["name"], one["use"]) for one in networks] != names:
        raise UserError(source.path, f"points[{number}].networks", "others", "those of every point")
    return [[*(one["found"][f"{name}_ratio"] for name in ("total", "data", "memory")),
             one["left_out"] and one["left_out"]["total_ratio"],
             *(named["total_ratio"] for named in one["named"].values())] for one in networks]


def _gains_table(number, source, gains, names, headings):
    """Of the front, for those who have no scripts."""
    columns = (Column("configuration"), Column("network"), Column("use"),
               *(Column(heading, "×", ".3f") for heading in headings))
    rows = [({"point": at}, (point["name"], name, use, *values))
            for at, point in enumerate(source.document["points"]) if point["on_front"]
            for (name, use), values in zip(names, gains[at])]
    return folded("Table: what these points gain on each network",
                  table(f"Points of {source.label} that no other beats, on each network", columns,
                        rows, f"gains-{number}"))


def _axes(objectives):
    names = [(one["name"], f"{one['name']}, {one['unit']}: {BEST[one['best']]}"
              if one["unit"] else f"{one['name']}: {BEST[one['best']]}") for one in objectives]
    return ('<form class="axes">' + chooser("x", "Across", names[1:] + names[:1])
            + chooser("y", "Up", names) + "</form>")


def _one(number, source):
    """(HTML, what the script needs: of each point its name, TOML, front or not, what it gains on
    each network, and values)"""
    objectives, points = source.document["objectives"], source.document["points"]
    values = _values(source, objectives)
    names, headings = _networks(source)
    gains = [_gains(source, at, names) for at in range(len(points))]
    html = (f'<div class="explore" data-explore="{number}"><h3>{escape(source.label)}</h3>'
            f"<p>{len(points):,d} points.</p>" + _axes(objectives)
            + chart("pareto", "Each point is a configuration; filled ones are beaten by no other. "
                    "A click opens the configuration, and what it gains on each network.")
            + '<div class="opened" aria-live="polite" hidden></div>'
            + _table(number, source, objectives, values)
            + _gains_table(number, source, gains, names, headings) + "</div>")
    listed = [[point["name"], _configuration(source, point), int(point["on_front"]), gain, *row]
              for point, gain, row in zip(points, gains, values)]
    return html, {"objectives": [one["name"] for one in objectives], "networks": names,
                  "gains": headings, "points": listed}


def part(sources):
    """A chart and a table for each exploration."""
    found = inputs.of(sources, "explore")
    if not found:
        return None
    made = [_one(number, source) for number, source in enumerate(found)]
    return Part(section("pareto", "Which configurations no other beats",
                        "\n".join(html for html, _ in made)),
                {"pareto": [data for _, data in made]})
