# SPDX-License-Identifier: Apache-2.0
"""Random configurations, legal by construction: ranges are tdgen's schema's, rules that compare
parameters base/configuration/config.cpp's."""

import random

from toolbox import schema, tools

MOST_OPTIONS = 12  # of those that are legal: more cost building time and show nothing new
# Just around where counters of 8, 32 and 64 bits differ.
WIDTHS = (8, 9, 16, 31, 32, 33, 40, 63, 64)


def draw(seed, count, largest):
    """Names and TOML texts of `count` different configurations."""
    source = random.Random(f"{seed} {largest}")
    drawn = {}
    for _ in range(100 * count):
        name, text = _one(source, largest)
        drawn.setdefault(name, text)
        if len(drawn) == count:
            break
    return drawn


def _one(source, largest):
    """A name says the size, the depth and the format, and stands for the whole text."""
    tile, size = _tile(source, largest)
    def any_of(path):
        return source.choice(schema.values(f"tile.{path}"))

    depth = any_of("interconnect.depth")
    interconnect = [f"depth = {depth}"]
    form = any_of("numerics.format")
    numerics = [f'format = "{form}"', f'output = "{any_of("numerics.output")}"',
                f'sum = "{any_of("numerics.sum")}"',
                f"accumulators = {any_of('numerics.accumulators')}"]
    pipeline = [f"{key} = {any_of(f'pipeline.{key}')}" for key in ("multiplier", "adder", "tree")]
    if size["scheduling"] not in ("dense", "zero_gated"):
        interconnect += _pattern(source, size["lanes"], depth)
        pipeline.insert(0, f"interconnect = {any_of('pipeline.interconnect')}")
    widths = schema.values("tile.counters.width")
    counters = [f"width = {source.choice([width for width in WIDTHS if width in widths])}",
                f"wrap = {str(any_of('counters.wrap')).lower()}"]
    sections = {"tile": tile, "tile.interconnect": interconnect, "tile.numerics": numerics,
                "tile.pipeline": pipeline, "tile.counters": counters}
    text = "".join(f"\n[{section}]\n" + "".join(f"{line}\n" for line in lines)
                   for section, lines in sections.items())
    name = f"r{size['rows']}c{size['columns']}l{size['lanes']}d{depth}_{form}_{tools.digest(text)[:8]}"
    return name, f'name = "{name}"\n{text}'


def _tile(source, largest):
    """Rows × columns × lanes of at most `largest`; small ones more often, odd lanes as often as even."""
    legal = {size: schema.values(f"tile.{size}") for size in ("lanes", "rows", "columns")}
    scheduling = source.choice(("one_sided", "one_sided",
                                *schema.values("tile.scheduling")))  # the usual one more often
    least, most = legal["lanes"][0], legal["lanes"][-1]
    lanes = source.randint(least, min(most, largest if source.random() < 0.2
                                      else max(least, largest // 3)))
    rows = columns = 1
    if scheduling != "two_sided":
        rows = source.randint(1, min(legal["rows"][-1], largest // lanes))
        columns = source.randint(1, min(legal["columns"][-1], largest // (lanes * rows)))
        if source.random() < 0.5:
            rows, columns = columns, rows
    size = {"lanes": lanes, "rows": rows, "columns": columns, "scheduling": scheduling}
    return ([f"lanes = {lanes}", f"rows = {rows}", f"columns = {columns}",
             f'scheduling = "{scheduling}"'], size)


def _pattern(source, lanes, depth):
    """A named pattern, or one of its own, sometimes with levels of its own."""
    if source.random() < 0.3:
        return [f'pattern = "{source.choice(schema.patterns())}"']
    # Options that differ modulo the lanes, written with either sign.
    free = [(step, lane) for step in range(1, depth) for lane in range(lanes)]
    chosen = source.sample(free, source.randint(0, min(len(free), MOST_OPTIONS)))
    options = [(0, 0)] + [(step, lane - lanes if lane > 0 and source.random() < 0.5 else lane)
                         for step, lane in chosen]
    lines = [f"pattern = {[list(option) for option in options]}"]
    if source.random() < 0.4:
        lines.append(f"levels = {_levels(source, options, lanes)}")
    return lines


def _levels(source, options, lanes):
    """Lanes in random order, each in a random level that it does not conflict with, or in a new one."""
    reached = [{(step, (lane + offset) % lanes) for step, offset in options}
               for lane in range(lanes)]
    levels = []
    for lane in source.sample(range(lanes), lanes):
        legal = [level for level in levels
                 if all(reached[lane].isdisjoint(reached[other]) for other in level)]
        if legal and source.random() < 0.9:
            source.choice(legal).append(lane)
        else:
            levels.append([lane])
    return levels
