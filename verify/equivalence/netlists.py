# SPDX-License-Identifier: Apache-2.0
"""RTL against the netlists of scripts/ppa, one proof for each module of a tile.

Modules inside a module are left out of its proof on both sides: that their inputs are equal is
proved, their outputs are anything. So the proofs of all modules together are one of the tile."""

import dataclasses
import json
import pathlib

from netlists import recipe, rtlil, store, synthesis
from toolbox import design, tools

from . import cut, forms, prove

KIND = "equivalence"


@dataclasses.dataclass(frozen=True)
class Result:
    """One module of one configuration."""

    configuration: str
    block: str
    parameters: str       # that tell it from others of the block, as "REGISTERS=1", or ""
    library_cells: int    # of the netlist
    registers: int
    removed: list
    constant: list
    verdict: prove.Verdict
    folder: pathlib.Path
    injected: str = ""     # the fault in the netlist or the RTL, if any

    @property
    def passed(self):
        """Whether both are equal."""
        return self.verdict.equal


class Job:
    """One module's proof."""

    def __init__(self, result, sources, cells, spoil):
        self.name, self.cells = result.name, cells
        self.netlist, self.injected = result.json.read_text(encoding="utf-8"), ""
        if spoil:
            self.netlist, self.injected = spoil(self.netlist, self.name)
        if result.name == recipe.GATE:
            self.source, self.ports = forms.GATE_RTL, {}
        else:
            module = sources[result.name]
            self.source = module.source(sources)
            self.ports = forms.child_ports(module, sources)
        code = [path.read_text(encoding="utf-8")
                for path in sorted(pathlib.Path(__file__).parent.glob("*.py"))
                if path.stem in ("cut", "forms", "gates", "netlists", "prove")]
        self.key = tools.digest(synthesis.versions(), cells.library.digest, self.source,
                                self.netlist, tools.file_digest(recipe.MULTIPLIERS), *code)

    def _by_steps(self, verdict, gate, folder, runner):
        """A verdict by vectors, of which all but how additions become sums may still be proved."""
        form = forms.between(folder, self.name, self.ports, runner)
        steps = {"before": (form["plain"], form["reduced"]), "behind": (form["gathered"], gate)}
        proved = all(prove.decide(cut.pair(*sides), tools.make_folder(folder / step), runner).proved
                     for step, sides in steps.items())
        return prove.but_for_sums(verdict) if proved else verdict

    def work(self, folder, runner):
        """Writes result.json, and all that leads to it."""
        liberty = self.cells.library.path
        if self.name == recipe.GATE:
            gold = forms.clock_gate(folder, runner)
        else:
            gold = forms.gold(folder, self.name, self.source, self.ports, runner)
        gate = forms.gate(folder, self.name, self.netlist, liberty, self.ports, runner)
        kept = {"registers": 0, "removed": [], "constant": []}
        try:
            pair = cut.pair(gold, gate)
            kept = {"registers": pair.registers, "removed": pair.removed, "constant": pair.constant}
            verdict = prove.decide(pair, folder, runner)
            if verdict.equal and not verdict.proved:
                verdict = self._by_steps(verdict, gate, folder, runner)
        except cut.Different as error:
            verdict = prove.Verdict(False, "structure", 0, 0, 0.0, {}, {str(error): []})
        (folder / "result.json").write_text(
            json.dumps(kept | {"verdict": dataclasses.asdict(verdict)}, indent=1), encoding="utf-8")


def _with_faults(emitted, faults):
    """A copy of a design with faults in its Verilog."""
    texts = {file.name: file.read_text(encoding="utf-8") for file in emitted.files}
    for fault in faults:
        name = f"{emitted.manifest.generation}_{fault.block}.v"
        if name in texts:
            texts[name] = fault.injected(texts[name])
    folder = tools.make_folder(tools.BUILD / KIND / tools.digest(*texts, *texts.values()))
    manifest = f"{emitted.name}.json"
    texts[manifest] = (emitted.folder / manifest).read_text(encoding="utf-8")
    for name, text in texts.items():
        tools.write(folder / name, text)
    return design.Design(emitted.name, emitted.hash, folder)


def told(sources, name):
    """The parameters that tell a module from others of its block, as "REGISTERS=1", or ""."""
    block = rtlil.block_of(name)
    others = [module.parameters for other, module in sources.items()
              if rtlil.block_of(other) == block]
    own = sources[name].parameters if name in sources else {}
    return " ".join(f"{parameter}={value}" for parameter, value in own.items()
                    if any(other[parameter] != value for other in others))


def _result(emitted, module, parameters, injected, _, folder):
    kept = json.loads((folder / "result.json").read_text(encoding="utf-8"))
    return Result(emitted.name, rtlil.block_of(module.name), parameters, sum(module.cells.values()),
                  kept["registers"], kept["removed"], kept["constant"],
                  prove.Verdict(**kept["verdict"]), folder, injected)


def prove_all(designs, cells, wanted, runner, faults=(), spoil=None):
    """Results of the modules for which wanted(design, block) holds, of several designs. faults: of
    the catalogue, injected in the RTL; spoil(text, module) -> (text, what was done): of the
    netlists."""
    names = {block: fault.name for fault in faults for block in fault.netlist}
    plan = []
    for emitted in designs:
        synthesised, = synthesis.synthesise(
            [emitted], cells, cells.timing.clock_ns, runner,
            only=lambda name: wanted(emitted, rtlil.block_of(name)))
        sources = synthesis.elaborate(_with_faults(emitted, faults) if faults else emitted, runner)
        for name, module in synthesised.modules.items():
            block = rtlil.block_of(name)
            if wanted(emitted, block):
                job = Job(module, sources, cells, spoil)
                injected = job.injected or names.get(block, "")
                plan.append((emitted, module, told(sources, name), injected, job))
    jobs = {job.key: job for *_, job in plan}
    folders = store.run(KIND, jobs.values(), runner, "proofs")
    return [_result(*entry, folders[entry[-1].key]) for entry in plan]
