# SPDX-License-Identifier: Apache-2.0
"""Random configurations, legal by construction; the rules are gen/configuration/parameters.cpp's and gen/configuration/config.cpp's."""

import random

from toolbox import tools

NAMED_PATTERNS = ("step_first", "lookahead_first", "wide4")
MOST_PLACES = 12  # of the 63 that are legal: more cost building time and show nothing new
MOST_PER_SIDE = 16


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
    depth = source.randint(1, 8)
    interconnect = [f"depth = {depth}"]
    form = source.choice(("fp32", "bf16", "fp16"))
    numerics = [f'format = "{form}"', f'output = "{source.choice(("fp32", "bf16"))}"',
                f"accumulators = {source.randint(1, 8)}"]
    pipeline = [f"multiplier = {source.randint(0, 2)}", f"adder = {source.randint(0, 3)}",
                f"tree = {source.randint(0, 2)}"]
    if size["scheduling"] != "dense":
        interconnect += _pattern(source, size["lanes"], depth)
        pipeline.insert(0, f"interconnect = {source.randint(0, 2)}")
    counters = [f"width = {source.choice((8, 9, 16, 31, 32, 33, 40, 63, 64))}",
                f"wrap = {source.choice(('true', 'false'))}"]
    sections = {"tile": tile, "interconnect": interconnect, "numerics": numerics,
                "pipeline": pipeline, "counters": counters}
    text = "".join(f"\n[{section}]\n" + "".join(f"{line}\n" for line in lines)
                   for section, lines in sections.items())
    name = f"r{size['rows']}c{size['columns']}l{size['lanes']}d{depth}_{form}_{tools.digest(text)[:8]}"
    return name, f'name = "{name}"\n{text}'


def _tile(source, largest):
    """Rows × columns × lanes of at most `largest`; small ones more often, odd lanes as often as even."""
    scheduling = source.choice(("one_sided", "one_sided", "one_sided", "two_sided", "dense"))
    lanes = source.randint(2, min(64, largest if source.random() < 0.2 else max(2, largest // 3)))
    rows = columns = 1
    if scheduling != "two_sided":
        rows = source.randint(1, min(MOST_PER_SIDE, largest // lanes))
        columns = source.randint(1, min(MOST_PER_SIDE, largest // (lanes * rows)))
        if source.random() < 0.5:
            rows, columns = columns, rows
    size = {"lanes": lanes, "rows": rows, "columns": columns, "scheduling": scheduling}
    return ([f"lanes = {lanes}", f"rows = {rows}", f"columns = {columns}",
             f'scheduling = "{scheduling}"'], size)


def _pattern(source, lanes, depth):
    """A named pattern, or one of its own, sometimes with levels of its own."""
    if source.random() < 0.3:
        return [f'pattern = "{source.choice(NAMED_PATTERNS)}"']
    # Places that differ modulo the lanes, written with either sign.
    free = [(step, lane) for step in range(1, depth) for lane in range(lanes)]
    chosen = source.sample(free, source.randint(0, min(len(free), MOST_PLACES)))
    places = [(0, 0)] + [(step, lane - lanes if lane > 0 and source.random() < 0.5 else lane)
                         for step, lane in chosen]
    lines = [f"pattern = {[list(place) for place in places]}"]
    if source.random() < 0.4:
        lines.append(f"levels = {_levels(source, places, lanes)}")
    return lines


def _levels(source, places, lanes):
    """Lanes in random order, each in a random level that it does not conflict with, or in a new one."""
    reached = [{(step, (lane + offset) % lanes) for step, offset in places}
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
