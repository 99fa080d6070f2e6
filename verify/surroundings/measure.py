# SPDX-License-Identifier: Apache-2.0
"""Energies of the blocks around the tiles: layers on the accelerator's netlist (tdaround), glitches
as of tiles."""

import dataclasses
import json
import tomllib

from flow import accelerator, glitch, power
from netlists import timing
from toolbox import tools

TDAROUND = tools.BUILD / "verify" / "surroundings" / "tdaround"
_TILE = "u_tile"   # the instance of a tile in its unit

# Groups by parts of the paths of their instances, inner ones first.
_GROUPS = (("u_collector", "collectors"), ("g_scratchpad", "scratchpads"), ("u_side", "fills"),
           ("u_load", "load"), ("u_read_mux", "load"), ("u_store", "store"))
OTHERS = "control"
GROUPS = ("fills", "scratchpads", "collectors", "load", "store", OTHERS)


@dataclasses.dataclass(frozen=True)
class Sample:
    """A layer's operation: counts, and pJ of each of GROUPS."""

    name: str
    counts: dict
    pJ: dict


def group_of(path):
    """The group that an instance belongs to; None: it is in a tile, whose energy is another's."""
    if _TILE in path.split("/"):
        return None
    return next((group for part, group in _GROUPS if part in path), OTHERS)


def _samples(result, factors):
    """Sample of each run, and of clocks without a job."""
    def pJ(blocks):
        sums = dict.fromkeys(GROUPS, 0.0)
        for path, block in blocks.items():
            if group_of(path) is not None:
                own = factors.get(block["module"], {})
                sums[group_of(path)] += block["rest"] + sum(
                    block[kind] * own.get(kind, 1.0) for kind in glitch.GROUPS)
        return sums

    samples = [Sample("idle", {"clocks": result["idle"]["clocks"]}, pJ(result["idle"]["blocks_pJ"]))]
    for run in result["runs"]:
        name = f"{run['layer']} {run['op']} {'dense' if run['dense'] else 'TensorDash'}"
        samples.append(Sample(name, run, pJ(run["blocks_pJ"])))
    return samples


def _run(design, joined, timed, cells, runner):
    """tdaround's folder and result."""
    options = ["--config", design.folder / f"{design.name}.toml", "--liberty", cells.library.path,
               "--netlist", joined.json, "--slews", timed.folder / timing.SLEWS, "--clock-ns",
               f"{timed.clock_ns:.9g}", "--slew-ns", f"{cells.timing.clock_slew_ns:g}",
               "--wire-pF-per-fanout", f"{cells.wire_pf:g}",
               "--clock-buffer", cells.power.clock_buffer,
               "--clock-buffer-fanout", str(cells.power.clock_buffer_fanout)]
    for block in glitch.blocks(joined.synthesis):  # an adder is one in tiles, too
        options += ["--record", block, f"{block}.hex"]
    runner.run([str(TDAROUND), *options, "--json", "around.json"], timed.folder / "around.txt",
               timed.folder)
    return json.loads((timed.folder / "around.json").read_text(encoding="utf-8"))


def measure(config, cells, clock_ns, runner):
    """An accelerator's parameters, and Samples, that of clocks without a job first."""
    design, joined = accelerator.netlist_of(config, cells, clock_ns, runner)
    folder = accelerator.folder_of(design)
    timed = accelerator.analyse(design, joined, cells, clock_ns, runner,
                                slews=folder / timing.SLEWS)
    timed = dataclasses.replace(timed, folder=folder,
                                key=tools.file_digest(folder / timing.SLEWS))
    result = _run(design, joined, timed, cells, runner)
    replayed = power.Power(folder, tools.file_digest(folder / "around.json"), result)
    [glitches] = glitch.measure([(joined, timed, replayed)], runner)
    written = (design.folder / f"{design.name}.toml").read_text(encoding="utf-8")
    return tomllib.loads(written), _samples(result, glitch.factors(glitches))
