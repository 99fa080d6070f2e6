# SPDX-License-Identifier: Apache-2.0
"""Area and power of synthesised tiles, by block, beside the dense tile."""

import collections

from .. import inputs
from ..markup import Column, Part, chart, escape, folded, section, table

# Members of "tiles" in ppa.json -> what readers call them.
TILES = {"dense": "dense", "zero-gated": "zero-gated", "sparse path off": "sparse path off",
         "tile": "TensorDash"}
MM2, MW = 1e-6, 1e-3
COLUMNS = (Column("tile"), Column("area", "mm²", ".3f", MM2), Column("over dense", "×", ".3f"),
           Column("power", "mW", ",.1f", MW), Column("over dense", "×", ".3f"),
           Column("data", "× speed-up", ".2f"), Column("total", "× speed-up", ".2f"),
           Column("efficiency", "× energy", ".2f"))
BLOCKS = (Column("tile"), Column("block"), Column("instances", "", ",d"),
          Column("area", "µm²", ",.0f"))
GLITCHES = "with_glitches"
SHOWN = 7  # blocks with a colour of their own


def _named(document):
    """(name for readers, name in the file, tile) of those that were measured."""
    return [(text, name, document["tiles"][name]) for name, text in TILES.items()
            if name in document["tiles"]]


def _row(document, text, name, tile):
    dense, ratios = document["tiles"]["dense"], document["ratios"][name]["all"]
    area = tile["area"]["total"]
    return ({}, (f"{text}: {tile['name']}", area, area / dense["area"]["total"],
                 tile["energy"]["all"]["power_uW"][GLITCHES], ratios["power_ratio"][GLITCHES],
                 ratios["data_speed_up"], ratios["speed_up"], ratios["efficiency"][GLITCHES]))


def _blocks(tile):
    """Module -> (instances, µm²), whatever it stands in; the largest first."""
    found = {}
    for block in tile["area"]["blocks"]:
        count, total = found.get(block["module"], (0, 0))
        found[block["module"]] = (count + block["instances"], total + block["total"])
    return dict(sorted(found.items(), key=lambda item: -item[1][1]))


def _one(source):
    document = source.document
    said = (f"{document['name']}, before layout: {document['library']}, {document['corner']}, "
            f"{document['clock_ns']:g} ns, operands of {document['trace']}. Power is of the tile "
            "while it works, glitches included.")
    rows = [_row(document, *one) for one in _named(document)]
    blocks = [({}, (text, module, *found)) for text, name, tile in _named(document)
              if name != "sparse path off" for module, found in _blocks(tile).items()]
    return (f"<h3>{escape(source.label)}</h3><p>{escape(said)}</p>"
            + chart("area", f"Area by block in mm², and power in mW, of {source.label}.",
                    {"source": source.label})
            + table(f"Area and power of {source.label}", COLUMNS, rows)
            + folded("Table: area of each block", table("Area of each block", BLOCKS, blocks)))


def _data(source):
    for text, name, tile in _named(source.document):
        for what, values, scale in (
                ("area", {module: total for module, (_, total) in _blocks(tile).items()}, MM2),
                ("power", tile["energy"]["all"]["blocks_uW"][GLITCHES], MW)):
            for block, value in values.items():
                yield {"source": source.label, "tile": text, "panel": what, "block": block,
                       "value": value * scale}


def _drawn(source):
    """The same with blocks that are large somewhere by themselves, the others together."""
    rows = list(_data(source))
    most = collections.Counter()
    for row in rows:
        if row["panel"] == "area":
            most[row["block"]] = max(most[row["block"]], row["value"])
    order = {block: number for number, (block, _) in enumerate(most.most_common(SHOWN))}
    drawn = {}
    for row in rows:
        block = row["block"] if row["block"] in order else "others"
        key = (row["panel"], row["tile"], block)
        drawn.setdefault(key, row | {"block": block, "order": order.get(block, SHOWN), "value": 0.0})
        drawn[key]["value"] += row["value"]
    return list(drawn.values())


def part(sources):
    """Two panels of bars for each measurement."""
    measured = inputs.of(sources, "ppa")
    if not measured:
        return None
    return Part(section("area", "Area and power, by block", "\n".join(map(_one, measured))),
                {"area": [row for source in measured for row in _drawn(source)]})
