# SPDX-License-Identifier: Apache-2.0
"""The pattern of each configuration, as the paper draws it: tdgen's picture of a lane."""

import pathlib
import re
import tempfile

from toolbox import tools

from .. import inputs
from ..markup import Column, Part, escape, folded, section, table

COLUMNS = (Column("priority", "", "d"), Column("rows ahead", "rows", "d"),
           Column("lanes aside", "lanes", "+d"))


def _toml(configuration):
    """A configuration that has this pattern."""
    return (f'name = "{configuration["name"]}"\n[tile]\nlanes = {configuration["lanes"]}\n'
            f'[tile.interconnect]\ndepth = {configuration["depth_rows"]}\n'
            f'pattern = {configuration["options"]}\n')


def picture(configuration):
    """tdgen's SVG, without what only a file of its own needs."""
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / f"{configuration['name']}.toml"
        file.write_text(_toml(configuration), encoding="utf-8")
        tools.answer(tools.TDGEN, "diagram", "--config", file, "--out", folder)
        svg = (pathlib.Path(folder) / f"{configuration['name']}_lane.svg").read_text(encoding="utf-8")
    svg = svg[svg.index("<svg"):]
    svg = re.sub(r'width="[\d.]+pt" height="[\d.]+pt"', "", svg, count=1)
    return re.sub(r' id="[^"]*"', "", svg)  # several pictures stand in one page


def _figure(configuration):
    options = [({}, (number, *option)) for number, option in enumerate(configuration["options"])]
    listed = table(f"Options of {configuration['name']}", COLUMNS, options)
    return (f'<div><figure class="paper">{picture(configuration)}<figcaption>'
            f'{escape(configuration["name"])}: what the middle lane may take, in order of '
            f"priority.</figcaption></figure>" + folded("Table: the options", listed) + "</div>")


def part(sources):
    """A picture for each pattern that differs."""
    found = {}
    for run in inputs.of(sources, "run"):
        configuration = run.document["configuration"]
        if configuration["options"]:
            key = (configuration["lanes"], configuration["depth_rows"],
                   str(configuration["options"]))
            found.setdefault(key, configuration)
    if not found:
        return None
    return Part(section("pattern", "Where a lane may take its pair from",
                        '<div class="pictures">' + "\n".join(map(_figure, found.values()))
                        + "</div>"))
