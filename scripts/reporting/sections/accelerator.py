# SPDX-License-Identifier: Apache-2.0
"""What an accelerator's Verilog did in a training step: clocks, bytes and energy, dense beside
TensorDash."""

from .. import inputs, machine
from ..markup import Column, Part, chart, escape, folded, headline, section, table

MODES = {"dense": "dense", "tensordash": "TensorDash"}
# Every clock is in exactly one part.
CLOCKS = {"stepped_clocks": "steps", "fill_wait_clocks": "waits for fills",
          "other_wait_clocks": "other waits", "no_compute_clocks": "no compute"}
# Of those without a compute.
ALONE = {"timeline_load_alone_clocks": "loads", "timeline_store_alone_clocks": "stores alone",
         "timeline_no_engine_clocks": "descriptors alone"}
WAITS = {"fill_wait_clocks": CLOCKS["fill_wait_clocks"],
         "other_wait_clocks": CLOCKS["other_wait_clocks"], **ALONE}
LEVELS = {"off_chip": "off chip", "operand_memory": "operand memories",
          "scratchpad": "scratchpads", "result_memory": "result memories"}
WAYS = ("read", "written")
ENERGIES = {"compute_energy_pJ": "compute", "scratchpad_energy_pJ": "scratchpads",
            "large_memory_energy_pJ": "large memories", "off_chip_energy_pJ": "off chip",
            "leakage_energy_pJ": "leakage", "surroundings_energy_pJ": "around tiles"}
MB, NJ = 1e-6, 1e-3
NAMED = (Column("operation"), Column("mode"))
CLOCK_COLUMNS = (*NAMED, Column("clocks", "", ",d"), Column("speed-up", "×", ".2f"),
                 *(Column(text, "clocks", ",d") for text in CLOCKS.values()))
ALONE_COLUMNS = (*NAMED, *(Column(text, "timeline", ",d") for text in ALONE.values()),
                 Column("first to last step", "clocks", ",d"),
                 Column("tiles used", "%", ".1f", 100))
LEVEL_COLUMNS = (*NAMED, *(Column(f"{text}: {way}", "bytes", ",d")
                           for text in LEVELS.values() for way in WAYS))
ENERGY_COLUMNS = (*NAMED, *(Column(text, "nJ", ",.1f", NJ) for text in ENERGIES.values()),
                  Column("together", "nJ", ",.1f", NJ), Column("efficiency", "×", ".2f"))


def _modes(document):
    """(operation or "total", mode, its figures, those of the dense run)"""
    for one in document["operations"]:
        for mode in MODES:
            yield f"{one['snapshot']}/{one['layer']}/{one['op']}", mode, one[mode], one["dense"]
    for mode in MODES:
        yield "total", mode, document["totals"][mode], document["totals"]["dense"]


def used(figures):
    """Share of the tiles' clocks from the first step to the last in which they stepped; None
    without a step."""
    clocks = len(figures["tiles_steps"]) * figures["first_to_last_step_clocks"]
    return sum(figures["tiles_steps"]) / clocks if clocks else None


def _clocks(figures, dense):
    return (figures["clocks"], dense["clocks"] / figures["clocks"],
            *(figures[name] for name in CLOCKS))


def _alone(figures, _):
    return (*(figures[name] for name in ALONE), figures["first_to_last_step_clocks"], used(figures))


def _levels(figures, _):
    return tuple(figures[f"{name}_{way}_bytes"] for name in LEVELS for way in WAYS)


def _energies(figures, dense):
    return (*(figures[name] for name in ENERGIES), figures["energy_pJ"],
            dense["energy_pJ"] / figures["energy_pJ"])


def _table(source, caption, columns, values, name):
    """Sums in sight, operations for those who ask."""
    rows = [({"mode": mode, "operation": operation}, (operation, MODES[mode], *values(figures, dense)))
            for operation, mode, figures, dense in _modes(source.document)]
    total = [row for row in rows if row[0]["operation"] == "total"]
    rest = [row for row in rows if row[0]["operation"] != "total"]
    title = f"{caption} of {source.label}"
    return (table(title, columns, total, f"{name}-total")
            + folded(f"Table: {caption.lower()} of each operation",
                     table(f"{title}, each operation", columns, rest, name)))


def _head(document):
    """What a reader wants to know first."""
    dense, sparse = (document["totals"][mode] for mode in MODES)
    return headline((
        ("speed-up, memory to memory", "×", ".2f", 1, dense["clocks"] / sparse["clocks"]),
        ("clocks, dense", "", ",d", 1, dense["clocks"]),
        ("clocks, TensorDash", "", ",d", 1, sparse["clocks"]),
        ("of TensorDash’s clocks are steps", "%", ".1f", 100, sparse["stepped_clocks"] / sparse["clocks"]),
        ("energy efficiency, memory included", "×", ".2f", 1, dense["energy_pJ"] / sparse["energy_pJ"])))


def _said(document):
    tile, around, memory = (document[name] for name in ("configuration", "accelerator", "memory"))
    source, technology = document["source"], document["technology"]
    tiles = "1 tile" if around["tiles"] == 1 else f"{around['tiles']} tiles"
    return (f"{tile['name']}: {tiles} of {tile['rows']}×{tile['columns']} PEs, "
            f"{tile['lanes']} lanes, depth {tile['depth_rows']}, {tile['format']}, "
            f"{technology['clock_MHz']} MHz, {machine.memory_text(memory)}. "
            f"{inputs.source_text(source)}. "
            f"{document['compared_bytes']:,d} bytes of memory equal the model’s.")


def _one(number, source):
    keys = {"source": source.label}
    return "\n".join((
        f"<h3>{escape(source.label)}</h3><p>{escape(_said(source.document))}</p>",
        _head(source.document),
        chart("clocks", "Clocks of each operation; of each layer the upper bar is dense, the lower "
              "one TensorDash. No compute: only loads, stores or descriptors.", keys),
        chart("waits", "The same without the steps, as a share of the operation’s clocks. Other "
              "waits: for outputs to be collected, or while a compute begins.", keys),
        _table(source, "Clocks", CLOCK_COLUMNS, _clocks, f"clocks-{number}"),
        _table(source, "Clocks without a compute", ALONE_COLUMNS, _alone, f"alone-{number}"),
        chart("levels", "Bytes at each level of the memory, in MB, all operations together.", keys),
        _table(source, "Bytes", LEVEL_COLUMNS, _levels, f"levels-{number}"),
        chart("spent", "Energy in nJ by what takes it, all operations together.", keys),
        _table(source, "Energy", ENERGY_COLUMNS, _energies, f"spent-{number}")))


def _each(source):
    """(what a row of a chart begins with, figures) of each operation and mode"""
    several = len({one["snapshot"] for one in source.document["operations"]}) > 1
    for one in source.document["operations"]:
        layer = f"{one['snapshot']}/{one['layer']}" if several else one["layer"]
        for mode, text in MODES.items():
            yield {"source": source.label, "layer": layer, "op": one["op"], "mode": text}, one[mode]


def _clock_data(source):
    for row, figures in _each(source):
        for order, (name, part_of) in enumerate(CLOCKS.items()):
            yield row | {"part": part_of, "order": order, "clocks": figures[name]}


def _wait_data(source):
    for row, figures in _each(source):
        for order, (name, part_of) in enumerate(WAITS.items()):
            yield row | {"part": part_of, "order": order, "share": figures[name] / figures["clocks"]}


def _level_data(source):
    for mode, text in MODES.items():
        total = source.document["totals"][mode]
        for name, level in LEVELS.items():
            for order, way in enumerate(WAYS):
                yield {"source": source.label, "mode": text, "level": level, "way": way,
                       "order": order, "MB": total[f"{name}_{way}_bytes"] * MB}


def _energy_data(source):
    for mode, text in MODES.items():
        total = source.document["totals"][mode]
        for order, (name, what) in enumerate(ENERGIES.items()):
            yield {"source": source.label, "mode": text, "part": what, "order": order,
                   "nJ": total[name] * NJ}


def part(sources):
    """Three charts and tables for each result."""
    found = inputs.of(sources, "accelerator")
    if not found:
        return None
    content = "\n".join(_one(number, source) for number, source in enumerate(found))
    return Part(section("accelerator", "What the accelerator did", content,
                        "The Verilog with its memory, by its own counters; <em>timeline</em>: by "
                        "the model that counts the same clocks. Dense is the same hardware in "
                        "dense mode, with the compute energy of the dense tile."),
                {"clocks": [row for source in found for row in _clock_data(source)],
                 "waits": [row for source in found for row in _wait_data(source)],
                 "levels": [row for source in found for row in _level_data(source)],
                 "spent": [row for source in found for row in _energy_data(source)]})
