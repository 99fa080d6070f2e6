# SPDX-License-Identifier: Apache-2.0
"""Areas of blocks as linear functions of a configuration's sizes, by least squares.

An estimate for searching among configurations: whoever has chosen one synthesises it. Blocks' areas
are those of scripts/ppa, buffers included, at one clock for all. Sizes differ between the tiles that
are fitted; registers and all else are those of one configuration, the base. The fit says which, so
that nobody takes it for tiles with others: registers cost area, and logic between them is mapped to
other cells. What is fitted, and over which sizes, stands in the tables below."""

import json
import math

from netlists import netlist, synthesis
from toolbox import design, schema, text_table, tools
from toolbox.errors import CheckError, UserError

from . import area, energy_fit

FORMAT = "tensordash-fit-3"

# (format, lanes, depth, options, rows, columns): depths and options of sim/explore/spaces, and what
# tells lanes, rows and columns apart.
_CONFIGURATIONS = [
    ("bf16", 16, 2, 4, 4, 4), ("bf16", 16, 2, 8, 4, 4), ("bf16", 16, 3, 4, 4, 4),
    ("bf16", 16, 3, 6, 4, 4), ("bf16", 16, 3, 8, 4, 4), ("bf16", 16, 4, 6, 4, 4),
    ("bf16", 16, 4, 8, 4, 4), ("bf16", 16, 5, 4, 4, 4), ("bf16", 16, 5, 8, 4, 4),
    ("bf16", 16, 6, 6, 4, 4), ("bf16", 16, 6, 8, 4, 4), ("bf16", 16, 3, 8, 8, 4),
    ("bf16", 16, 2, 4, 2, 4), ("bf16", 8, 3, 8, 4, 4), ("bf16", 8, 2, 6, 2, 2),
    ("bf16", 8, 4, 7, 4, 2), ("bf16", 8, 6, 4, 2, 4),
    ("fp32", 16, 3, 8, 4, 4), ("fp32", 16, 5, 6, 4, 4), ("fp32", 8, 2, 5, 4, 4),
    ("fp32", 8, 4, 4, 2, 2), ("fp32", 8, 6, 8, 2, 4),
]
# Its tiles have a block that others do not, and all have the same width.
_ALONE = "fp8"
_LEAST = 3   # tiles that energies are fitted over
_SIZES = ("lanes", "depth", "options", "rows", "columns")
# What of a base is not kept: the sizes above, and what follows from them.
_OWN = ("tile.lanes", "tile.rows", "tile.columns", "tile.interconnect.depth",
        "tile.interconnect.pattern", "tile.interconnect.levels", schema.FORMAT)
# ... and what a base must be: other tiles have other blocks.
_KIND = {"tile.scheduling": "one_sided", "tile.numerics.sum": "tree"}

# Block and its parent (None: any) -> what the area of all of a tile is a sum of; a product of sizes
# each, "1" being a constant. Blocks that depend on the format beyond its width are fitted for each.
FEATURES = {
    ("multiplier", None): ("rows*columns*lanes",),
    ("adder", None): ("rows*columns*lanes", "rows*columns"),
    ("pe", None): ("rows*columns*lanes", "rows*columns"),
    ("interconnect", "tile"): ("rows*columns*lanes*bits*options", "rows*columns*lanes*bits"),
    ("interconnect", "row"): ("rows*lanes*bits*options", "rows*lanes*bits"),
    ("staging", "window"): ("rows*lanes*bits*depth", "rows*lanes*bits*depth*depth", "rows*lanes*depth",
                            "columns*lanes*bits*depth", "columns*lanes*bits*depth*depth"),
    ("staging", "intake"): ("depth*depth", "depth"),
    ("scheduler", None): ("rows*lanes*options", "rows*lanes"),
    ("row", None): ("rows*lanes*bits*depth", "rows*lanes*depth", "rows*lanes*options"),
    ("window", "row"): ("rows*lanes*bits*depth", "rows*lanes*depth"),
    ("window", "tile"): ("columns*lanes*options", "columns*lanes*depth", "columns"),
    ("skid", None): ("rows*columns", "1"),
    ("intake", None): ("depth*depth", "depth", "1"),
    ("moves", "intake"): ("rows*depth", "depth*depth"),
    ("moves", "tile"): ("rows*depth*depth", "columns*depth*depth", "rows*depth", "columns*depth"),
    ("search", None): ("rows*depth*depth", "rows*depth"),
    ("sequencer", None): ("rows", "columns", "lanes", "1"),
    ("live", None): ("rows*lanes", "rows"),
    ("counters", None): ("rows*lanes", "1"),
    ("from_fp8", None): ("rows*lanes*depth", "columns*lanes*depth"),
    ("reset", None): ("1",),
    # Buffers of nets between blocks: there from a threshold on, which no line follows.
    ("tile", None): ("rows*columns*lanes*bits", "1"),
}
_PER_FORMAT = {"multiplier", "adder", "pe"}
WHOLE = "whole tile"


def _format(base):
    return base.parameters["tile"]["numerics"]["format"]


def _configurations(base):
    """What is fitted for a base."""
    if _format(base) != _ALONE:
        return _CONFIGURATIONS
    return list(dict.fromkeys((_ALONE, *sizes) for _, *sizes in _CONFIGURATIONS))


def _values(configuration):
    return {"bits": schema.formats()[configuration[0]]["bits"], **dict(zip(_SIZES, configuration[1:]))}


def _term(term, values):
    return math.prod(values[name] for name in term.split("*")) if term != "1" else 1


def _name(configuration):
    return "fit_{}_{}x{}x{}_{}x{}".format(*configuration)


def _pattern(depth, options):
    """Options that look at one row after the other, each at another lane."""
    return [[0, 0]] + [[1 + at % (depth - 1), (at + 1) // 2 * (1 if at % 2 else -1)]
                       for at in range(options - 1)]


def _flat(tables, prefix):
    found = {}
    for key, value in tables.items():
        path = f"{prefix}.{key}"
        found |= _flat(value, path) if isinstance(value, dict) else {path: value}
    return found


def _kept(base):
    """What all tiles that are fitted have of the base: parameter -> value."""
    # What is at its default may be absent.
    values = {path: one.get("default") for path, one in schema.parameters().items()
              if path.startswith("tile.")} | _flat(base.parameters["tile"], "tile")
    kept = {path: value for path, value in values.items() if path not in _OWN}
    for path, value in _KIND.items():
        if kept[path] != value:
            raise UserError(base.name, path, kept[path], f"{value}, whose blocks --fit knows")
    return kept


def _emit(configuration, kept):
    data_format, lanes, depth, options, rows, columns = configuration
    values = kept | {"tile.lanes": lanes, "tile.rows": rows, "tile.columns": columns,
                     "tile.interconnect.depth": depth,
                     "tile.interconnect.pattern": _pattern(depth, options), schema.FORMAT: data_format}
    path = tools.make_folder(tools.PPA / "fit") / f"{_name(configuration)}.toml"
    # TOML has numbers, texts, truths and arrays of them as JSON has them.
    tools.write(path, "\n".join([f'name = "{_name(configuration)}"', *(
        f"{key} = {json.dumps(value)}" for key, value in values.items())]) + "\n")
    return design.emit(path)


def _key(module, parent):
    for wanted_module, wanted_parent in FEATURES:
        if module == wanted_module and wanted_parent in (None, parent):
            return wanted_module, wanted_parent
    raise CheckError(f"fit: no formula for the block {module} of {parent}")


def _samples(netlists):
    """For each netlist: block -> area of all of them in µm²."""
    samples = []
    for joined in netlists:
        blocks = {}
        for (module, parent), block in area.roll_up(joined.synthesis).blocks.items():
            key = _key(module, parent)
            blocks[key] = blocks.get(key, 0.0) + float(block.total)
        samples.append(blocks)
    return samples


def _models(keys, configurations):
    """(block, parent, format or None for all) of everything that is fitted."""
    formats = sorted({configuration[0] for configuration in configurations})
    return [(*key, data_format) for key in keys
            for data_format in (formats if key[0] in _PER_FORMAT else [None])]


def _solve(model, configurations, samples):
    """Coefficients of one model."""
    module, parent, data_format = model
    terms = FEATURES[module, parent]
    rows, areas, wholes = [], [], []
    for configuration, sample in zip(configurations, samples):
        if data_format in (None, configuration[0]) and (module, parent) in sample:
            values = _values(configuration)
            rows.append([_term(term, values) for term in terms])
            areas.append(sample[module, parent])
            wholes.append(sum(sample.values()))
    import numpy  # here: --help needs Python alone

    # What an error is to the whole tile counts.
    weights = 1 / numpy.array(wholes)
    matrix = numpy.array(rows, dtype=float) * weights[:, None]
    solution, *_ = numpy.linalg.lstsq(matrix, numpy.array(areas) * weights, rcond=None)
    return dict(zip(terms, (float(value) for value in solution)))


def _fit(configurations, samples):
    keys = sorted({key for sample in samples for key in sample}, key=str)
    return {model: _solve(model, configurations, samples)
            for model in _models(keys, configurations)}


def _errors(models_of, configurations, samples):
    """Errors in % of the whole tile: model, or WHOLE -> list. models_of(i): the models that
    configuration i is estimated with."""
    errors = {}
    for index, (configuration, sample) in enumerate(zip(configurations, samples)):
        values, whole = _values(configuration), sum(sample.values())
        of_tile = []
        for model, coefficients in models_of(index).items():
            module, parent, data_format = model
            if data_format in (None, configuration[0]) and (module, parent) in sample:
                estimate = sum(um2 * _term(term, values) for term, um2 in coefficients.items())
                of_tile.append(100 * (estimate - sample[module, parent]) / whole)
                errors.setdefault(model, []).append(of_tile[-1])
        errors.setdefault(WHOLE, []).append(sum(of_tile))
    return errors


def _alike(base, tiles):
    """Those that differ from the base in depth and options alone."""
    array = {size: base.parameters["tile"][size] for size in ("lanes", "rows", "columns")}
    found = [tile for tile in tiles
             if tile[0] == _format(base) and array.items() <= _values(tile).items()]
    if len(found) < _LEAST:
        raise UserError(base.name, "tile.lanes, rows, columns", ", ".join(map(str, array.values())),
                        f"those of {_LEAST} or more of the tiles that are fitted, as 16, 4, 4 are, "
                        "for --energies")
    return found


def _energies(base, tiles, netlists, cells, clock_ns, runner):
    return {"format": _format(base), **energy_fit.measured(
        netlists, [{size: _values(tile)[size] for size in _SIZES} for tile in tiles], cells,
        clock_ns, runner)}


def measure(config, cells, clock_ns, runner, energies):
    """The fit with the registers of a configuration, as it stands in fit.json. energies: whether
    it has these, too."""
    base = design.emit(config)
    kept = _kept(base)
    tiles = _configurations(base)
    alike = _alike(base, tiles) if energies else []
    netlists = netlist.join(synthesis.synthesise(
        [_emit(tile, kept) for tile in tiles], cells, clock_ns, runner=runner), runner)
    samples = _samples(netlists)
    models = _fit(tiles, samples)
    left_out = [_fit(tiles[:index] + tiles[index + 1:], samples[:index] + samples[index + 1:])
                for index in range(len(samples))]
    errors = _errors(lambda _: models, tiles, samples)
    unseen = _errors(left_out.__getitem__, tiles, samples)
    blocks = [{"block": module, "parent": parent, "format": data_format or "all",
               "um2": coefficients,
               "error": energy_fit.summary(errors[module, parent, data_format]),
               "left_out_error": energy_fit.summary(unseen[module, parent, data_format])}
              for (module, parent, data_format), coefficients in models.items()]
    found = {
        "format": FORMAT, "stage": "pre-layout", "clock_ns": clock_ns,
        "library": cells.library.name, "corner": cells.library.corner,
        "base": base.name, "parameters": kept,
        "sizes": {size: [min(values), max(values)]
                  for size, values in zip(_SIZES, list(zip(*tiles))[1:])},
        "configurations": [_name(tile) for tile in tiles],
        "blocks": blocks, "whole": {"error": energy_fit.summary(errors[WHOLE]),
                                   "left_out_error": energy_fit.summary(unseen[WHOLE])},
        "versions": {"yosys": tools.version("yosys"), "berkeley-abc": tools.abc_version()},
    }
    if energies:
        found["energies"] = _energies(base, alike, [netlists[tiles.index(tile)] for tile in alike],
                                      cells, clock_ns, runner)
    return found


def _error_cells(entry):
    return [f"{entry[kind][figure]:.1f}" for kind in ("error", "left_out_error")
            for figure in ("max_percent", "rms_percent")]


def lines(fit):
    """Lines for a terminal."""
    rows = [["block", "format", "um2 of all", "max % of tile", "RMS %", "left out: max %", "RMS %"]]
    for block in fit["blocks"]:
        name = block["block"] + (f" of {block['parent']}" if block["parent"] else "")
        formula = " ".join(f"{value:+.4g} {term if term != '1' else ''}".strip()
                           for term, value in block["um2"].items())
        rows.append([name, block["format"], formula, *_error_cells(block)])
    rows.append([WHOLE, "all", "the sum", *_error_cells(fit["whole"])])
    energies = ["", *energy_fit.lines(fit["energies"])] if "energies" in fit else []
    return [f"areas fitted over {len(fit['configurations'])} configurations with the registers of "
            f"{fit['base']} at {fit['clock_ns']:g} ns: {fit['library']}, {fit['corner']}, pre-layout",
            *text_table.lines(rows), *energies]


def write(fit):
    """Writes build/ppa/results/fit.json; returns its path."""
    path = tools.make_folder(tools.PPA / "results") / "fit.json"
    tools.write(path, json.dumps(fit, indent=1) + "\n")
    return path
