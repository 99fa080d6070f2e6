# SPDX-License-Identifier: Apache-2.0
"""Synthesis of a design: each unique module once, kept by the hash of all that it depends on.

Results live in build/ppa/modules/KEY and appear there whole, by a rename: a run that is killed goes
on at the module where it stopped, and what has not changed is never done again."""

import dataclasses
import fractions
import json
import pathlib
import re

from toolbox import tools
from toolbox.errors import CheckError

from . import recipe, rtlil, store

MODULES = "modules"
ELABORATED = "elaborated"

_REFUSED = "ERROR: Can't open ABC output file"  # ABC ended without a result, by itself


@dataclasses.dataclass(frozen=True)
class ModuleResult:
    """A synthesised module. json and verilog hold it alone; area in µm², of its own cells."""

    name: str
    key: str
    folder: pathlib.Path
    mapping: str          # which of recipe.MAPPINGS was kept
    delay_ns: float       # longest path inside, by ABC: without registers, and with a load
    meets: bool           # ... is within what it was asked for
    area: fractions.Fraction
    cells: dict           # library cell -> how many
    children: dict        # module -> how many

    @property
    def json(self):
        """Netlist that `write_json` wrote."""
        return self.folder / "netlist.json"

    @property
    def verilog(self):
        """The same in Verilog, library cells and instances only."""
        return self.folder / "netlist.v"


@dataclasses.dataclass(frozen=True)
class Synthesis:
    """A synthesised design. The netlists of all its modules together are the whole of it."""

    design: object        # design.Design
    cells: object         # cells.Cells
    clock_ns: float
    top: str
    modules: dict         # name -> ModuleResult, children before parents

    @property
    def jsons(self):
        """Netlists in JSON, each module once."""
        return [module.json for module in self.modules.values()]

    @property
    def verilogs(self):
        """Netlists in Verilog, each module once."""
        return [module.verilog for module in self.modules.values()]

    def counts(self):
        """Module -> how many instances the design has of it, the top being one."""
        counts = dict.fromkeys(self.modules, 0)
        counts[self.top] = 1
        for name, module in reversed(self.modules.items()):
            for child, number in module.children.items():
                counts[child] += counts[name] * number
        return counts


def versions():
    """Of the tools that synthesis rests on."""
    return f"{tools.version('yosys')}\n{tools.abc_version()}"


def elaborate(design, runner):
    """Name -> rtlil.Module."""
    texts = [file.read_text(encoding="utf-8") for file in design.files]
    manifest = design.manifest
    script = recipe.elaboration([file.name for file in design.files], design.top,
                                manifest.generation)
    key = tools.digest(versions(), script, *texts)

    def work(folder):
        for file, text in zip(design.files, texts):
            (folder / file.name).write_text(text, encoding="utf-8")
        (folder / "elaborate.ys").write_text(script, encoding="utf-8")
        runner.run(["yosys", "-q", "elaborate.ys"], folder / "log.txt", folder)

    folder = store.into(tools.PPA / ELABORATED, key, work)
    text = (folder / "elaborated.il").read_text(encoding="utf-8")
    return rtlil.modules(text, manifest.block)


def _delay(mapping_log):
    found = re.findall(r"Delay = +([0-9.]+) ps", mapping_log)
    return float(found[-1]) / 1000 if found else 0.0


def _stat_cells(path, name):
    """Cell or module -> how many, of a netlist."""
    cells = {}
    module = json.loads(path.read_text(encoding="utf-8"))["modules"][name]
    for cell in module["cells"].values():
        cells[cell["type"]] = cells.get(cell["type"], 0) + 1
    return cells


def _area(counts, library):
    return sum((fractions.Fraction(str(library.cells[cell].area)) * number
                for cell, number in counts.items()), fractions.Fraction(0))


def _split(counts, library, children, name):
    """Library cells and children; anything else is an error."""
    cells = {cell: number for cell, number in counts.items() if cell in library.cells}
    inside = {cell: number for cell, number in counts.items() if cell in children}
    strange = set(counts) - set(cells) - set(inside)
    if strange:
        raise CheckError(f"module {name}: {', '.join(sorted(strange))}: no cell of {library.name} "
                         "can be used for it; a latch in the design, or a library without a cell")
    return cells, inside


@dataclasses.dataclass(frozen=True)
class _Candidate:
    mapping: str
    delay_ns: float
    meets: bool
    area: fractions.Fraction
    cells: dict
    children: dict


def _best(candidates):
    """The smallest that is fast enough, or one that is faster and not 1 % larger; if none is fast
    enough, the fastest."""
    enough = [candidate for candidate in candidates if candidate.meets]
    if enough:
        smallest = min(candidate.area for candidate in enough)
        enough = [candidate for candidate in enough if candidate.area <= smallest * 101 / 100]
    return min(enough or candidates, key=lambda candidate: (candidate.delay_ns, candidate.area))


def _candidates(folder, name, cells, children, delay_ns, mappings):
    for mapping in mappings:
        delay = _delay((folder / f"{mapping}.abc").read_text(encoding="utf-8"))
        counts = _stat_cells(folder / f"{mapping}.json", name)
        own, inside = _split(counts, cells.library, children, name)
        area = _area(own, cells.library)
        yield _Candidate(mapping, delay, delay <= delay_ns, area, own, inside)


def _choose(folder, name, cells, children, delay_ns, mappings):
    best = _best(list(_candidates(folder, name, cells, children, delay_ns, mappings)))
    for mapped in mappings:
        for suffix in ("json", "v"):
            file = folder / f"{mapped}.{suffix}"
            if mapped == best.mapping:
                file.rename(folder / f"netlist.{suffix}")
            else:
                file.unlink()
    summary = {"mapping": best.mapping, "delay_ns": best.delay_ns, "meets": best.meets,
               "cells": best.cells, "children": best.children}
    (folder / "summary.json").write_text(json.dumps(summary, indent=1), encoding="utf-8")


def _result(name, key, folder, library):
    summary = json.loads((folder / "summary.json").read_text(encoding="utf-8"))
    return ModuleResult(name, key, folder, summary["mapping"], summary["delay_ns"],
                        summary["meets"], _area(summary["cells"], library), summary["cells"],
                        summary["children"])


class _Job:
    """Synthesis of one module."""

    def __init__(self, module, sources, cells, delay_ns):
        self.name = module.name
        self.delay_ns = delay_ns
        self.cells = cells
        self.children = {*module.children, recipe.GATE}
        self.script = recipe.module_script(module.name, cells, delay_ns, recipe.MAPPINGS)
        self.files = {"module.il": module.source(sources), "abc.constr": recipe.constraints(cells),
                      recipe.MULTIPLIERS.name: recipe.MULTIPLIERS.read_text(encoding="utf-8")}
        if cells.clock_gate:
            self.files["clock_gate_map.v"] = recipe.clock_gate_map()
            self.files["clock_gate_stub.v"] = recipe.clock_gate_stub()
        # The library counts by its contents, not by where it is.
        script = self.script.replace(str(cells.library.path), cells.library.digest)
        self.key = tools.digest(versions(), cells.library.digest,
                                *(text for _, text in sorted(self.files.items())), script)

    def work(self, folder, runner):
        for name, text in self.files.items():
            (folder / name).write_text(text, encoding="utf-8")
        mapped = self._map(folder, runner)
        _choose(folder, self.name, self.cells, self.children, self.delay_ns, mapped)

    def _map(self, folder, runner):
        """Those of MAPPINGS that left a netlist: all at once, or each alone where one is refused."""
        if self._accepted(folder, runner, "synthesise", self.script):
            return tuple(recipe.MAPPINGS)
        mapped = [mapping for mapping in recipe.MAPPINGS if self._accepted(
            folder, runner, mapping,
            recipe.module_script(self.name, self.cells, self.delay_ns, [mapping]))]
        if not mapped:
            raise CheckError(f"module {self.name}: ABC refuses every mapping: "
                             f"{', '.join(recipe.MAPPINGS)}; what it said: {folder}/MAPPING.txt")
        return mapped

    @staticmethod
    def _accepted(folder, runner, name, script):
        """Whether ABC left a result; what else goes wrong is a CheckError."""
        (folder / f"{name}.ys").write_text(script, encoding="utf-8")
        log = folder / f"{name}.txt"
        try:
            runner.run(["yosys", "-q", f"{name}.ys"], log, folder)
        except CheckError:
            if _REFUSED not in log.read_text(encoding="utf-8"):
                raise
            return False
        return True


class _GateJob:
    """The clock gate's netlist, which is only written out."""

    def __init__(self, cells):
        self.name = recipe.GATE
        self.cells = cells
        self.verilog = recipe.clock_gate_verilog(cells)
        self.script = recipe.gate_script(cells)
        self.key = tools.digest(versions(), cells.library.digest, self.verilog)

    def work(self, folder, runner):
        (folder / "clock_gate.v").write_text(self.verilog, encoding="utf-8")
        (folder / "synthesise.ys").write_text(self.script, encoding="utf-8")
        runner.run(["yosys", "-q", "synthesise.ys"], folder / "log.txt", folder)
        counts = _stat_cells(folder / "gate.json", self.name)
        for suffix in ("json", "v"):
            (folder / f"gate.{suffix}").rename(folder / f"netlist.{suffix}")
        summary = {"mapping": "none", "delay_ns": 0.0, "meets": True, "cells": counts,
                   "children": {}}
        (folder / "summary.json").write_text(json.dumps(summary, indent=1), encoding="utf-8")


def _in_order(top, sources):
    """Names, children before parents, those that the top does not reach left out."""
    order = []

    def visit(name):
        if name not in order:
            for child in sources[name].children:
                visit(child)
            order.append(name)

    visit(top)
    return order


def _budget(module, clock_ns):
    """Delay that a module may have; what it comes to in the end is for timing analysis to say."""
    registers = re.search(r"(?m)^  cell \$\w*(?:dff|sr|mem)\w* ", module.text)
    share = recipe.REGISTERED_SHARE if registers else recipe.COMBINATIONAL_SHARE
    # The scheduler loop begins in tile rows. Of windows that look for no zeros it enters the staging alone.
    if module.parameters.get("NONZERO") != 0:
        share = recipe.LOOP_SHARES.get(rtlil.block_of(module.name), share)
    return clock_ns * share


def _top(design):
    """The top's name among the modules."""
    return design.manifest.block(design.top)


def _plan(design, cells, clock_ns, runner, only):
    """Jobs for the modules of a design, children before parents, the clock gate first."""
    sources = elaborate(design, runner)
    return ([_GateJob(cells)] if cells.clock_gate else []) + [
        _Job(sources[name], sources, cells, _budget(sources[name], clock_ns))
        for name in filter(only, _in_order(_top(design), sources))]


def _do(plans, runner):
    """Key -> folder of all modules of several plans; what they share is done once."""
    for tool in ("yosys", "berkeley-abc"):
        tools.find(tool)
    jobs = {job.key: job for plan in plans for job in plan}
    return store.run(MODULES, jobs.values(), runner, "modules")


def prepare(points, cells, runner):
    """Synthesises the modules of several (design, clock_ns), for synthesise() to find."""
    _do([_plan(design, cells, clock_ns, runner, lambda name: True) for design, clock_ns in points],
        runner)


def synthesise(designs, cells, clock_ns, runner=None, only=lambda name: True):
    """Synthesis of each of several designs, in their order; what they share is done once. only:
    says by its name whether a module is wanted. Throws UserError, or CheckError when a tool
    fails."""
    runner = runner or tools.Runner()
    plans = [_plan(design, cells, clock_ns, runner, only) for design in designs]
    folders = _do(plans, runner)
    results = []
    for design, plan in zip(designs, plans):
        modules = {job.name: _result(job.name, job.key, folders[job.key], cells.library)
                   for job in plan}
        if not any(recipe.GATE in module.children for module in modules.values()):
            modules.pop(recipe.GATE, None)
        results.append(Synthesis(design, cells, clock_ns, _top(design), modules))
    return results
