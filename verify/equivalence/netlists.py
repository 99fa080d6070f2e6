# SPDX-License-Identifier: Apache-2.0
"""RTL against the netlists of scripts/ppa, one proof for each module of a tile.

Modules inside a module are left out of its proof on both sides: that their inputs are equal is
proved, their outputs are anything. So the proofs of all modules together are one of the tile."""

import dataclasses
import json
import pathlib

from flow import design, recipe, rtlil, store, synthesis
from toolbox import tools
from toolbox.errors import CheckError

from . import cut, forms, prove

KIND = "equivalence"


@dataclasses.dataclass(frozen=True)
class Result:
    """One module of one configuration."""

    configuration: str
    block: str
    parameters: str       # of the module, as "REGISTERS=1", or ""
    library_cells: int    # of the netlist
    registers: int
    removed: list
    constant: list
    verdict: prove.Verdict
    folder: pathlib.Path
    planted: str = ""     # the fault in the netlist, if any

    @property
    def passed(self):
        """Whether both are equal."""
        return self.verdict.equal


def block_of(module):
    """The emitted block of a module's name."""
    return module.split(rtlil.VARIANT)[0]


class Job:
    """One module's proof."""

    def __init__(self, result, sources, cells, spoil):
        self.name, self.cells = result.name, cells
        self.netlist, self.planted = result.json.read_text(encoding="utf-8"), ""
        if spoil:
            self.netlist, self.planted = spoil(self.netlist, self.name)
        if result.name == recipe.GATE:
            self.source, self.ports = forms.GATE_RTL, {}
        else:
            module = sources[result.name]
            self.source = module.source(sources)
            self.ports = forms.child_ports(module, sources)
        self.size = len(self.netlist)
        code = [path.read_text(encoding="utf-8")
                for path in sorted(pathlib.Path(__file__).parent.glob("*.py"))
                if path.stem in ("cut", "forms", "gates", "netlists", "prove")]
        self.key = tools.digest(synthesis.versions(), cells.library.digest, self.source,
                                self.netlist, *code)

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


def _with_texts(emitted, change):
    """A copy of a design whose Verilog is changed: change(file name, text) -> text."""
    texts = {file.name: change(file.name, file.read_text(encoding="utf-8"))
             for file in emitted.files}
    folder = tools.make_folder(tools.BUILD / KIND / tools.digest(*texts, *texts.values()))
    for name, text in texts.items():
        tools.write(folder / name, text)
    tools.write(folder / f"{emitted.name}.f",
                (emitted.folder / f"{emitted.name}.f").read_text(encoding="utf-8"))
    return design.Design(emitted.name, emitted.hash, folder)


def significand_bits(emitted):
    """Of the operands."""
    return {"bf16": 8, "fp16": 11, "fp32": 24}[emitted.parameters["numerics"]["format"]]


def rtl(emitted, runner, change=None):
    """Name -> rtlil.Module, as Yosys reads it. Only where it multiplies may simulators read
    another form, whose equality is for product.py to prove."""
    plain = emitted if change is None else _with_texts(emitted, change)
    as_yosys = synthesis.elaborate(plain, runner)
    as_simulators = synthesis.elaborate(
        _with_texts(plain, lambda _, text: forms.simulators(text)), runner)
    different = [name for name in as_yosys if as_yosys[name] != as_simulators[name]]
    if set(as_yosys) != set(as_simulators) or \
            any(block_of(name) != "multiplier" for name in different):
        raise CheckError(f"{emitted.name}: {different}: Yosys and simulators read other modules")
    return as_yosys


def _result(emitted, module, parameters, job, folder):
    kept = json.loads((folder / "result.json").read_text(encoding="utf-8"))
    return Result(emitted.name, block_of(module.name), parameters, sum(module.cells.values()),
                  kept["registers"], kept["removed"], kept["constant"],
                  prove.Verdict(**kept["verdict"]), folder, job.planted)


def prove_all(designs, cells, wanted, runner, change=None, spoil=None):
    """Results of the modules for which wanted(design, block) holds, of several designs. change: of
    the RTL's texts, see rtl(); spoil(text, module) -> (text, what was done): of the netlists."""
    plan = []
    for emitted in designs:
        synthesised, = synthesis.synthesise([emitted], cells, cells.timing.clock_ns, runner,
                                            only=lambda name: wanted(emitted, block_of(name)))
        sources = rtl(emitted, runner, change)
        for name, module in synthesised.modules.items():
            if not wanted(emitted, block_of(name)):
                continue
            job = Job(module, sources, cells, spoil)
            parameters = sources[name].parameters if name in sources else ""
            plan.append((emitted, module, parameters, job))
    jobs = {job.key: job for *_, job in plan}
    folders = store.run(KIND, jobs.values(), runner, "proofs")
    return [_result(*entry, folders[entry[-1].key]) for entry in plan]
