# SPDX-License-Identifier: Apache-2.0
"""Areas of blocks as linear functions of a configuration's parameters, by least squares.

An estimate for searching among configurations: whoever has chosen one synthesises it. Blocks' areas
are those of scripts/ppa, buffers included, at one clock for all; pipeline registers are the
default's. What is fitted, and over which configurations, stands in the tables below."""

import json
import math

from netlists import netlist, synthesis
from toolbox import design, schema, text_table, tools
from toolbox.errors import CheckError

from . import area

# Options a lane may take a pair from, beside those with names.
_OPTIONS = {
    4: "[[0, 0], [1, 0], [1, 1], [1, -1]]",
    5: "[[0, 0], [1, -1], [1, 0], [1, 1], [1, 3]]",
    6: "[[0, 0], [1, -1], [1, 0], [1, 2], [2, -2], [2, 1]]",
}
_NAMED = 8   # options of step_first

# (format, lanes, depth, options, rows, columns)
CONFIGURATIONS = [
    ("bf16", 16, 3, 8, 4, 4), ("bf16", 16, 3, 6, 4, 4), ("bf16", 16, 3, 4, 4, 4),
    ("bf16", 16, 2, 5, 4, 4), ("bf16", 16, 2, 4, 2, 4), ("bf16", 16, 4, 8, 4, 4),
    ("bf16", 8, 3, 8, 4, 4), ("bf16", 8, 2, 5, 2, 2), ("bf16", 8, 4, 6, 4, 2),
    ("bf16", 16, 3, 8, 8, 4),
    ("fp32", 16, 3, 8, 4, 4), ("fp32", 8, 3, 6, 4, 4), ("fp32", 16, 2, 5, 4, 4),
    ("fp32", 8, 2, 4, 2, 2),
]

# Block and its parent (None: any) -> what the area of one is a sum of; a product of parameters each,
# "1" being a constant. Blocks that depend on the format beyond its width are fitted for each.
FEATURES = {
    ("multiplier", None): ("1",),
    ("adder", None): ("1",),
    ("pe", None): ("lanes", "1"),
    ("interconnect", "tile"): ("lanes*bits*options", "lanes*bits"),
    ("interconnect", "row"): ("lanes*bits*options", "lanes*bits"),
    ("staging", "window"): ("lanes*bits*depth", "lanes*bits*depth*depth", "lanes*depth"),
    ("staging", "intake"): ("depth*depth", "depth"),
    ("scheduler", None): ("lanes*options", "lanes"),
    ("row", None): ("lanes*bits*depth", "lanes*depth", "lanes*options"),
    ("window", "row"): ("lanes*bits*depth", "lanes*depth"),
    ("window", "tile"): ("lanes*options", "lanes*depth", "1"),
    ("skid", None): ("rows*columns", "1"),
    ("intake", None): ("depth*depth", "depth", "1"),
    ("sequencer", None): ("rows", "columns", "lanes", "1"),
    ("live", None): ("lanes", "1"),
    ("counters", None): ("rows*lanes", "1"),
    ("reset", None): ("1",),
    # Buffers of nets between blocks: there from a threshold on, which no line follows.
    ("tile", None): ("rows*columns*lanes*bits", "1"),
}
# Block and its parent -> how many of them a tile has.
INSTANCES = {
    ("multiplier", None): "rows*columns*lanes",
    ("adder", None): "rows*columns*lanes",  # one partial accumulator
    ("pe", None): "rows*columns",
    ("interconnect", "tile"): "rows*columns",
    ("interconnect", "row"): "rows",
    ("staging", "window"): "rows+rows+columns",
    ("staging", "intake"): "1",
    ("scheduler", None): "rows",
    ("row", None): "rows",
    ("window", "row"): "rows",
    ("window", "tile"): "columns",
    ("skid", None): "1",
    ("intake", None): "1",
    ("sequencer", None): "1",
    ("live", None): "rows",
    ("counters", None): "1",
    ("reset", None): "1",
    ("tile", None): "1",
}
_PER_FORMAT = {"multiplier", "adder", "pe"}
WHOLE = "whole tile"


def _values(configuration):
    data_format, lanes, depth, options, rows, columns = configuration
    return {"bits": schema.formats()[data_format]["bits"], "lanes": lanes, "depth": depth, "options": options,
            "rows": rows, "columns": columns}


def _term(term, values):
    return math.prod(values[name] for name in term.split("*")) if term != "1" else 1


def _instances(key, configuration):
    """How many of a block the tile has, by the table."""
    return sum(_term(term, _values(configuration)) for term in INSTANCES[key].split("+"))


def _name(configuration):
    return "fit_{}_{}x{}x{}_{}x{}".format(*configuration)


def _emit(configuration):
    data_format, lanes, depth, options, rows, columns = configuration
    pattern = '"step_first"' if options == _NAMED else _OPTIONS[options]
    folder = tools.make_folder(tools.PPA / "fit")
    path = folder / f"{_name(configuration)}.toml"
    tools.write(path, f"""\
name = "{_name(configuration)}"
[tile]
lanes = {lanes}
rows = {rows}
columns = {columns}
[tile.interconnect]
depth = {depth}
pattern = {pattern}
[tile.numerics]
format = "{data_format}"
""")
    return design.emit(path)


def _key(module, parent):
    for wanted_module, wanted_parent in FEATURES:
        if module == wanted_module and wanted_parent in (None, parent):
            return wanted_module, wanted_parent
    raise CheckError(f"fit: no formula for the block {module} of {parent}")


def _samples(configurations, cells, clock_ns, runner):
    """For each configuration: block -> (instances, area of one in µm²)."""
    emitted = [_emit(configuration) for configuration in configurations]
    netlists = netlist.join(synthesis.synthesise(emitted, cells, clock_ns, runner=runner), runner)
    samples = []
    for joined in netlists:
        blocks = {}
        for (module, parent), block in area.roll_up(joined.synthesis).blocks.items():
            key = _key(module, parent)
            count, total = blocks.get(key, (0, 0.0))
            blocks[key] = (count + block.instances, total + float(block.total))
        samples.append({key: (count, total / count) for key, (count, total) in blocks.items()})
    for configuration, sample in zip(configurations, samples):
        for key, (count, _) in sample.items():
            if count != _instances(key, configuration):
                raise CheckError(f"fit: {_name(configuration)} has {count} blocks {key[0]}, "
                                 f"not {INSTANCES[key]}")
    return samples


def _models(keys):
    """(block, parent, format or None for all) of everything that is fitted."""
    formats = sorted({configuration[0] for configuration in CONFIGURATIONS})
    return [(*key, data_format) for key in keys
            for data_format in (formats if key[0] in _PER_FORMAT else [None])]


def _solve(model, configurations, samples):
    """Coefficients of one model; None without enough samples."""
    module, parent, data_format = model
    terms = FEATURES[module, parent]
    rows, areas = [], []
    for configuration, sample in zip(configurations, samples):
        if data_format in (None, configuration[0]) and (module, parent) in sample:
            values = _values(configuration)
            rows.append([_term(term, values) for term in terms])
            areas.append(sample[module, parent][1])
    if not rows:
        return None
    import numpy  # here: --help needs Python alone

    # Relative errors count, not those of large blocks alone; of small ones only against the mean.
    weights = 1 / numpy.maximum(areas, numpy.mean(areas))
    matrix = numpy.array(rows, dtype=float) * weights[:, None]
    solution, *_ = numpy.linalg.lstsq(matrix, numpy.array(areas) * weights, rcond=None)
    return dict(zip(terms, (float(value) for value in solution)))


def _predict(model, coefficients, configuration):
    values = _values(configuration)
    return sum(value * _term(term, values) for term, value in coefficients.items())


def _fit(configurations, samples):
    keys = sorted({key for sample in samples for key in sample}, key=str)
    return {model: _solve(model, configurations, samples) for model in _models(keys)}


def _estimates(models, configuration, sample):
    """Block -> estimated area of one; blocks whose model has nothing to go by are left out."""
    found = {}
    for (module, parent, data_format), coefficients in models.items():
        if data_format in (None, configuration[0]) and (module, parent) in sample and coefficients:
            found[module, parent] = _predict((module, parent), coefficients, configuration)
    return found


def _means(samples):
    areas = {}
    for sample in samples:
        for key, (_, one) in sample.items():
            areas.setdefault(key, []).append(one)
    return {key: sum(values) / len(values) for key, values in areas.items()}


def _errors(models_of, configurations, samples):
    """Errors of blocks and of whole tiles in %, of the area or, of a block that is smaller than its
    mean, of the mean: model, or WHOLE -> list. models_of(i): the models that configuration i is
    estimated with."""
    errors, means = {}, _means(samples)
    for index, (configuration, sample) in enumerate(zip(configurations, samples)):
        estimates = _estimates(models_of(index), configuration, sample)
        for key, estimate in estimates.items():
            model = (*key, configuration[0] if key[0] in _PER_FORMAT else None)
            errors.setdefault(model, []).append(
                100 * (estimate - sample[key][1]) / max(sample[key][1], means[key]))
        whole = sum(count * one for count, one in sample.values())
        known = sum(sample[key][0] * estimate for key, estimate in estimates.items())
        if len(estimates) == len(sample):
            errors.setdefault(WHOLE, []).append(100 * (known / whole - 1))
    return errors


def _summary(errors):
    return {"max_percent": max(map(abs, errors)),
            "rms_percent": math.sqrt(sum(error * error for error in errors) / len(errors)),
            "samples": len(errors)}


def measure(cells, clock_ns, runner):
    """The fit, as it stands in fit.json."""
    samples = _samples(CONFIGURATIONS, cells, clock_ns, runner)
    models = _fit(CONFIGURATIONS, samples)
    left_out = [_fit(CONFIGURATIONS[:index] + CONFIGURATIONS[index + 1:],
                     samples[:index] + samples[index + 1:]) for index in range(len(samples))]
    errors = _errors(lambda _: models, CONFIGURATIONS, samples)
    unseen = _errors(left_out.__getitem__, CONFIGURATIONS, samples)
    if WHOLE not in unseen:
        raise CheckError("fit: no configuration could be left out")
    blocks = [{"block": module, "parent": parent, "format": data_format or "all",
               "instances": INSTANCES[module, parent], "um2": coefficients,
               "error": _summary(errors[module, parent, data_format]),
               "left_out_error": _summary(unseen[module, parent, data_format])}
              for (module, parent, data_format), coefficients in models.items()]
    return {
        "format": "tensordash-fit-2", "stage": "pre-layout", "clock_ns": clock_ns,
        "library": cells.library.name, "corner": cells.library.corner,
        "configurations": [_name(configuration) for configuration in CONFIGURATIONS],
        "blocks": blocks, "whole": {"error": _summary(errors[WHOLE]),
                                   "left_out_error": _summary(unseen[WHOLE])},
        "versions": {"yosys": tools.version("yosys"), "berkeley-abc": tools.abc_version()},
    }


def _error_cells(entry):
    return [f"{entry[kind][figure]:.1f}" for kind in ("error", "left_out_error")
            for figure in ("max_percent", "rms_percent")]


def lines(fit):
    """Lines for a terminal."""
    rows = [["block", "format", "um2 of one", "max %", "RMS %", "left out: max %", "RMS %"]]
    for block in fit["blocks"]:
        name = block["block"] + (f" of {block['parent']}" if block["parent"] else "")
        formula = " ".join(f"{value:+.4g} {term if term != '1' else ''}".strip()
                           for term, value in block["um2"].items())
        rows.append([name, block["format"], formula, *_error_cells(block)])
    rows.append([WHOLE, "all", "all blocks x instances", *_error_cells(fit["whole"])])
    return [f"areas fitted over {len(fit['configurations'])} configurations at {fit['clock_ns']:g} ns: "
            f"{fit['library']}, {fit['corner']}, pre-layout", *text_table.lines(rows)]


def write(fit):
    """Writes build/ppa/results/fit.json; returns its path."""
    path = tools.make_folder(tools.PPA / "results") / "fit.json"
    tools.write(path, json.dumps(fit, indent=1) + "\n")
    return path
