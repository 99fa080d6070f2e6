# SPDX-License-Identifier: Apache-2.0
"""What the parts of a tile's energy cost, for tdsim: linear least squares over gate-level replays.

A sample is an operation of a trace in one way of working: the energy of its steps, and how often
each part of StepParts (sim/memory/step_energy.hpp) happened in them. Of the parts, tdsim counts what
the trace decides, layer by layer; the replay says how many rows and steps of each layer were drawn.
No part costs less than nothing: of all choices of parts the best with such costs is taken, a step
among them."""

import dataclasses
import itertools
import json
import math

from toolbox import text_table, tools
from toolbox.errors import CheckError

from . import measure
from .report import versions

TDSIM = tools.BUILD / "tdsim"
FORMAT = "tensordash-synthesis-4"
PARTS = ("step", "row", "choice", "pair", "sum", "output", "add")
WAYS = {"dense": measure.DENSE, "zero_gated": measure.ZERO_GATED, "sparse": measure.TILE,
        "gated": measure.OFF}


@dataclasses.dataclass(frozen=True)
class Sample:
    """An operation of a trace in one way of working. counts: of PARTS, the whole tile each time."""

    trace: str
    op: str
    counts: tuple
    pJ: float


def simulated(config, trace, folder, runner):
    """(snapshot, layer, operation) -> what tdsim says of it."""
    path = folder / "tdsim.json"
    runner.run([str(TDSIM), "run", trace, "--config", config, "--json", path],
               folder / "tdsim.txt", folder)
    result = json.loads(path.read_text(encoding="utf-8"))
    path.unlink()
    return {(one["snapshot"], one["layer"], one["op"]): one for one in result["operations"]}


def layer_counts(layer, whole, tile):
    """PARTS of what was drawn of a layer: whole is what tdsim says of all of its passes."""
    multipliers = tile["rows"] * tile["columns"] * tile["lanes"]
    drawn = layer["dense_rows"] / whole["all_passes_rows"] if whole["all_passes_rows"] else 0
    pairs = whole["useful_macs"] * drawn / multipliers
    share = pairs / layer["cycles"] if layer["cycles"] else 0
    return (layer["cycles"], layer["dense_rows"],
            whole["effectual_multiplier_cycles"] * drawn / multipliers, pairs,
            layer["cycles"] * (1 - (1 - share) ** tile["lanes"]), layer["passes"],
            layer["cycles"] * adds(share, tile["lanes"]))


def adds(share, lanes):
    """Of the tree's adders over its lanes: those with a pair below, as tdsim counts them."""
    count, nodes, below = 0, lanes, 2
    while nodes > 1:
        count += nodes // 2 * (1 - (1 - share) ** below)
        nodes, below = (nodes + 1) // 2, 2 * below
    return count / lanes


def samples(measurement, way, whole):
    """Those of one trace. whole: see simulated()."""
    tile = measurement.tiles.get(WAYS[way], measurement.tile)
    parameters = measurement.tile.design.parameters["tile"]
    for op in tile.power.result["ops"]:
        counts = [layer_counts(layer, whole[layer["snapshot"], layer["layer"], op["op"]], parameters)
                  for layer in op["layers"]]
        energy = tile.energies[op["op"]]
        steps_pJ = energy["energy_pJ"]["with_glitches"] * energy["cycles"] / energy["clocks"]
        yield Sample(measurement.trace.stem, op["op"], tuple(map(sum, zip(*counts))), steps_pJ)


def least(columns, energies, needed=None):
    """Name -> what each time costs of the columns that explain the energies best, none below nothing.
    columns: name -> how often, in each sample; needed: one that must cost something. A column that is
    an earlier one everywhere is left to that. Relative errors count."""
    import numpy  # here: --help needs Python alone

    energies = numpy.array(energies)
    names = list(columns)
    matrix = numpy.array([columns[name] for name in names], dtype=float).T / energies[:, None]
    different = [at for at in range(len(names)) if not any(
        numpy.allclose(matrix[:, at], matrix[:, before]) for before in range(at))]
    best, costs = math.inf, None
    for used in itertools.chain.from_iterable(
            itertools.combinations(different, count) for count in range(1, len(different) + 1)):
        solved, *_ = numpy.linalg.lstsq(matrix[:, used], numpy.ones(len(energies)), rcond=None)
        error = float(numpy.square(matrix[:, used] @ solved - 1).sum())
        found = {names[at]: float(pJ) for at, pJ in zip(used, solved)}
        if min(solved) >= 0 and error < best and (needed is None or found.get(needed, 0) > 0):
            best, costs = error, found
    return costs


def fit(found):
    """Part -> pJ each time."""
    columns = dict(zip(PARTS, zip(*(one.counts for one in found))))
    costs = least(columns, [one.pJ for one in found], PARTS[0])
    if costs is None:
        raise CheckError("components: a step costs nothing; more traces are needed")
    return dict.fromkeys(PARTS, 0.0) | costs


def error_percent(found, costs):
    """How far the costs are from the energies of these samples together."""
    said = sum(count * costs[part] for one in found for part, count in zip(PARTS, one.counts))
    return 100 * (said / sum(one.pJ for one in found) - 1)


def errors(found, costs):
    """Trace, and trace and operation -> error in %."""
    groups = {}
    for one in found:
        for name in (one.trace, f"{one.trace} {one.op}"):
            groups.setdefault(name, []).append(one)
    return {name: error_percent(group, costs) for name, group in groups.items()}


def busy_step(costs, lanes):
    """Of a step in which every operand is not zero, a row and no output."""
    every = sum(costs[part] for part in ("step", "row", "choice", "pair", "sum"))
    return every + costs["add"] * adds(1, lanes)


def fit_all(by_way, lanes):
    """Way -> its samples to the members of a synthesis file that follow from them."""
    fitted = {way: fit(found) for way, found in by_way.items()}
    dense_step = busy_step(fitted["dense"], lanes)
    return {"dense_step_pJ": dense_step,
            "components": {way: {part: costs[part] / dense_step for part in PARTS}
                           for way, costs in fitted.items()},
            "error_percent": {way: errors(found, fitted[way]) for way, found in by_way.items()}}


def document(measurements, runner):
    """What `tdsim --synthesis` reads, from a measurement for each trace."""
    first = measurements[0]
    folder = tools.make_folder(tools.PPA / "components")
    design = first.tile.design
    config = design.folder / f"{design.name}.toml"
    by_way = {way: [] for way in WAYS}
    for measurement in measurements:
        whole = simulated(config, measurement.trace, folder, runner)
        for way, found in by_way.items():
            found += samples(measurement, way, whole)
    return {"format": FORMAT, "name": design.name, "configuration": design.hash,
            "clock_MHz": round(1000 / first.clock_ns, 6), "library": first.cells.library.name,
            "corner": first.cells.library.corner,
            "trace": ", ".join(one.trace.stem for one in measurements),
            **fit_all(by_way, design.parameters["tile"]["lanes"]),
            "stage": "pre-layout, with glitches, clock tree and leakage", "versions": versions()}


def lines(result):
    """The components, and their errors, for a terminal."""
    rows = [["component, of a dense step", *PARTS]]
    rows += [[way, *(f"{costs[part]:.3f}" for part in PARTS)]
             for way, costs in result["components"].items()]
    names = list(result["error_percent"]["dense"])
    wrong = [["error, %", *result["error_percent"]]]
    wrong += [[name, *(f"{of[name]:+.1f}" for of in result["error_percent"].values())]
              for name in names]
    return ["", f"{result['name']}: energy of a tile over a dense step without zeros, "
            f"{result['dense_step_pJ']:,.0f} pJ", *text_table.lines(rows), "",
            *text_table.lines(wrong)]


def write(result):
    """Writes it; returns the file."""
    folder = tools.make_folder(tools.PPA / "results" /
                               f"{result['name']}-{result['configuration']}")
    path = folder / f"{result['name']}.synthesis.json"
    tools.write(path, json.dumps(result, indent=1) + "\n")
    return path
