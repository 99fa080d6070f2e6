# SPDX-License-Identifier: Apache-2.0
"""Energy of a tile as a function of its depth and options, by least squares over gate-level replays.

Of the tiles whose areas are fitted (fit.py) it is over those with the format and the array of the
base: what another format or size costs cannot be told from a few of them. Energies are those of the
parts of a step (components.py). What a tile adds to the dense one, staging buffers, multiplexers and
schedulers, is in parts that grow with its sizes; multipliers and adders are the same in all."""

import dataclasses
import math

from toolbox import design, text_table, tools

from . import area, components, measure, power

# What a part of the tile's energy is a sum of; "1" being a constant. In a step with pairs rows move
# through the staging buffers; each option is an input of every lane's multiplexers.
TERMS = {"step": ("1", "depth"), "row": ("1", "depth"), "choice": ("1", "options"), "pair": ("1",),
         "sum": ("1", "depth"), "output": ("1",), "add": ("1",)}


@dataclasses.dataclass(frozen=True)
class Tile:
    """A tile that was measured: its sizes by name, and its components.Sample."""

    name: str
    sizes: dict
    samples: tuple


def _columns(tile):
    """(part, term) -> what it is multiplied by, of each sample."""
    return {(part, term): [count * tile.sizes.get(term, 1) for count in counts]
            for part, counts in zip(components.PARTS, zip(*(one.counts for one in tile.samples)))
            for term in TERMS[part]}


def fit(tiles):
    """Part -> term -> pJ each time."""
    columns = {}
    for tile in tiles:
        for name, values in _columns(tile).items():
            columns.setdefault(name, []).extend(values)
    costs = components.least(columns, [one.pJ for tile in tiles for one in tile.samples])
    return {part: {term: costs.get((part, term), 0.0) for term in terms}
            for part, terms in TERMS.items()}


def costs_of(fitted, sizes):
    """Part -> pJ of a tile."""
    return {part: sum(pJ * sizes.get(term, 1) for term, pJ in terms.items())
            for part, terms in fitted.items()}


def errors(fitted, tile):
    """In % of each trace."""
    found = components.errors(tile.samples, costs_of(fitted, tile.sizes))
    return [found[trace] for trace in sorted({one.trace for one in tile.samples})]


def document(tiles, dense):
    """Members of the fit's file. dense: samples of the dense tile."""
    fitted = fit(tiles)
    unseen = [error for tile in tiles
              for error in errors(fit([one for one in tiles if one is not tile]), tile)]
    return {"traces": ", ".join(sorted({one.trace for one in dense})), "passes": power.PASSES,
            "tiles": [tile.name for tile in tiles],
            "sizes": {name: [min(values), max(values)] for name, values in (
                (name, [tile.sizes[name] for tile in tiles]) for name in tiles[0].sizes)},
            "dense_pJ": components.fit(dense), "sparse_pJ": fitted,
            "error": summary([error for tile in tiles for error in errors(fitted, tile)]),
            "left_out_error": summary(unseen)}


def summary(found):
    """Of errors in %."""
    return {"max_percent": max(map(abs, found)),
            "rms_percent": math.sqrt(sum(error * error for error in found) / len(found)),
            "samples": len(found)}


def lines(energies):
    """Lines for a terminal."""
    rows = [["part", "pJ of the dense tile", "pJ of the tile"]]
    for part, terms in energies["sparse_pJ"].items():
        formula = " ".join(f"{pJ:+.4g} {term if term != '1' else ''}".strip()
                           for term, pJ in terms.items() if pJ)
        rows.append([part, f"{energies['dense_pJ'][part]:.4g}", formula or "0"])
    error, unseen = energies["error"], energies["left_out_error"]
    return [f"energies fitted over {len(energies['tiles'])} of them, with the operands of "
            f"{energies['traces']}; error of a trace at most {error['max_percent']:.1f} %, RMS "
            f"{error['rms_percent']:.1f} %; of a tile that was left out {unseen['max_percent']:.1f} %, "
            f"{unseen['rms_percent']:.1f} %", *text_table.lines(rows)]


def _replayed(tile, traces, clock_ns, runner):
    """A measure.Measurement for each trace; the tile is a measure.Measured."""
    tiles = {measure.TILE: tile}
    measure.timings(tiles, clock_ns, runner)
    return [measure.powers({measure.TILE: dataclasses.replace(tile)}, tile.netlist.synthesis.cells,
                           clock_ns, trace, runner) for trace in traces]


def _samples(measurements, way, config, runner):
    folder = tools.make_folder(tools.PPA / "components")
    found = []
    for measurement in measurements:
        whole = components.simulated(config, measurement.trace, folder, runner)
        found += components.samples(measurement, way, whole)
    return tuple(found)


def measured(netlists, sizes, cells, clock_ns, runner):
    """The members of a fit's file. netlists: of the tiles; sizes: of each, by name."""
    traces = power.carried_traces()
    tiles = []
    for joined, own in zip(netlists, sizes):
        rolled = measure.Measured(joined.design, joined, area.roll_up(joined.synthesis))
        config = joined.design.folder / f"{joined.design.name}.toml"
        replayed = _replayed(rolled, traces, clock_ns, runner)
        tiles.append(Tile(joined.design.name, own, _samples(replayed, "sparse", config, runner)))
    dense = measure.areas({measure.TILE: design.baseline(netlists[0].design, "dense")}, cells,
                          clock_ns, runner)[measure.TILE]
    config = netlists[0].design.folder / f"{netlists[0].design.name}.toml"
    return document(tiles, _samples(_replayed(dense, traces, clock_ns, runner), "dense", config,
                                    runner))
