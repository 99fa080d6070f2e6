# SPDX-License-Identifier: Apache-2.0
"""Proves by SAT that a fault changes nothing.

First in one step of its module, from every state, reachable or not: registers become inputs and
outputs (their next values), and if all outputs and next values are equal then, started alike, sound
and faulty module behave alike for ever. The same of those that it stands in, without their
arithmetic: they may read nothing of what has changed. Then for all time, in the module and in the tile.
"""

import pathlib

from toolbox import tools
from toolbox.answers import Answers

from . import always
from .designs import FOLDER

_SECONDS = 120  # of processor time, for one question to the solver
_PATIENCE = 600
_REGISTERS = pathlib.Path(__file__).with_name("registers.v")
# Beyond what is tried of a whole tile.
_ARITHMETIC = ("multiplier", "adder", "fused_sum", "fused_product", "fused_terms", "fused_adder",
               "to_bf16")
_DATAPATH = ("array", "pe", "adder_tree", "pipe", *_ARITHMETIC)

# A register's name has that of the bit that it drives and its kind, reset value included.
_PREPARE = ("read_verilog {files}; hierarchy -check -top {top} {values}; {keep} proc; flatten; "
            "{evert} simplemap t:$*ff*; rename -wire t:$_*DFF*; opt_clean; read_verilog -lib {registers}; "
            "techmap -map {registers}; expose -evert t:td_register*; rename -top {name}; "
            "design -stash {name}; ")
_COMPARE = always.MITER + ("select -assert-none t:$*ff* t:$*FF* t:$*latch*; "
                           "write_aiger {circuit}")
# SAT on nodes that simulate alike, from the inputs on: a factor's exchange is found behind the
# product already.
_SOLVE = "&r {circuit}; &cec -m"
_PROVED = "Networks are equivalent."


def surroundings(design, module):
    """The module, then those that contain it, directly or through others."""
    order, at = [module], 0
    while at < len(order):
        order += [name for name, inside in design.inside.items()
                  if order[at] in inside and name not in order]
        at += 1
    return order


def options(values):
    """What tells Yosys the parameters of a module."""
    return " ".join(f"-chparam {name} {value}" for name, value in values.items())


def same_step(folder, sides, module, values, omitted=()):
    """Whether SAT proves that one step of a module is the same on both sides, lists of files, from
    every state; values: see options(); omitted: modules that are compared at their inputs."""
    keep, evert = always.apart(omitted)
    script = "".join(_PREPARE.format(files=" ".join(map(str, side)), top=module, values=values,
                                     name=name, registers=_REGISTERS, keep=keep, evert=evert)
                     for name, side in zip(("gold", "gate"), sides, strict=True))
    circuit = folder / f"{module}.step.aig"
    circuit.unlink(missing_ok=True)
    always.run([tools.find("yosys"), "-p", script + _COMPARE.format(circuit=circuit)], folder,
               f"{module}.step.log", _PATIENCE)
    if not circuit.exists():
        return False
    said = always.run([tools.find("prlimit"), f"--cpu={_SECONDS}", "berkeley-abc", "-c",
                       _SOLVE.format(circuit=circuit)], folder, f"{module}.cec.log", _PATIENCE)
    return _PROVED in said


class Prover:
    """Asks for one design."""

    def __init__(self, design):
        self._design = design
        self._folder = tools.make_folder(design.folder / "equivalence")
        self._sound = self._write("sound", design.texts)
        self._view = self._folder / "view.v"
        tools.write(self._view, always.view(design))
        self._answers = Answers(FOLDER / "equivalence")

    def _write(self, name, texts):
        folder = tools.make_folder(self._folder / name)
        for file, text in texts.items():
            tools.write(folder / file, text)
        return {file: folder / file for file in texts}

    def known(self, mutant):
        """What proved() has found; None: it has not been asked yet."""
        return self._answers.get(self._key(mutant))

    def proved(self, mutant):
        """How the fault was proved to change nothing, or "" if it was not. The call is a shard."""
        known = self.known(mutant)
        return known if known is not None else self._answers.put(self._key(mutant),
                                                                 self._prove(mutant))

    def _key(self, mutant):
        return tools.digest(
            _PREPARE, _COMPARE, _SOLVE, always.SIDE, always.BOTH, always.SOLVE,
            always.STARTS.read_text(), _REGISTERS.read_text(), self._view.read_text(),
            *self._design.texts.values(), mutant.file, mutant.text())

    def _prove(self, mutant):
        faulty = {**self._sound, **self._write(mutant.key, {mutant.file: mutant.text()})}
        sides = (list(self._sound.values()), list(faulty.values()))
        folder = self._folder / mutant.key
        module = mutant.module
        if self._step(folder, sides, module):
            return f"SAT, one step, {module}"
        for name, inside in self._design.inside.items():
            if module in inside and self._step(folder, sides, name, self._arithmetic(module)):
                return f"SAT, one step, {name}"
        if self._always(folder, sides, module):
            return f"SAT, all time, {module}"
        if mutant.block in _DATAPATH:
            return ""
        views = [[*side, self._view] for side in sides]
        omitted = always.left_out(self._design, surroundings(self._design, module))
        return (f"SAT, all time, {self._design.manifest.top}"
                if always.proved(folder, views, "td_view", "", omitted) else "")

    def _given(self, module):
        """For each set of parameters that the design uses: options of Yosys."""
        return [options(values) for values in self._design.parameters.get(module, [{}])]

    def _always(self, folder, sides, module):
        return all(always.proved(folder, sides, module, values, [])
                   for values in self._given(module))

    def _step(self, folder, sides, module, omitted=()):
        return all(same_step(folder, sides, module, values, omitted)
                   for values in self._given(module))

    def _arithmetic(self, but):
        names = (f"{self._design.manifest.generation}_{block}" for block in _ARITHMETIC)
        return [name for name in names if f"{name}.v" in self._design.texts and name != but]
