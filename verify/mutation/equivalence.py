# SPDX-License-Identifier: Apache-2.0
"""Proves by SAT that a fault changes nothing: in its module, or in a module around it.

Registers become inputs and outputs of the module (their next values), so that one step of faulty
and sound module is compared for every state, reachable or not, and every input: if all outputs and
next values are equal then, started alike, both behave alike for ever.
"""

import pathlib
import re
import subprocess

from toolbox import tools

from . import lexer
from .store import Store

_SECONDS = 120  # for one question to the solver
_REGISTERS = pathlib.Path(__file__).with_name("registers.v")
_CELL_MODULES = ("multiplier", "adder", "to_bf16")

# A register's name has that of the bit that it drives and its kind, reset value included.
_PREPARE = ("read_verilog -sv {files}; hierarchy -check -top {top} {values}; proc; flatten; "
            "simplemap t:$*ff*; rename -wire t:$_*DFF*; opt_clean; read_verilog -lib {registers}; "
            "techmap -map {registers}; expose -evert t:td_register*; rename -top {name}; ")
_COMPARE = ("design -stash gate; design -copy-from gold -as gold gold; "
            "design -copy-from gate -as gate gate; miter -equiv -flatten -make_assert gold gate "
            "miter; hierarchy -top miter; opt_expr; opt_merge; opt_clean; "
            "select -assert-none t:$*ff* t:$*FF* t:$*latch*; "
            "sat -verify -prove-asserts -timeout {seconds} miter")
_PROVED = "SAT proof finished - no model found: SUCCESS!"


def surroundings(design, module):
    """The module, then those that contain it, outermost last."""
    contains = {name: re.findall(r"^ *(\w+) (?:#\(|\w+ \()", design.texts[file], re.MULTILINE)
                for file in design.texts if not file.endswith("_fp.v")
                for name in [file.removesuffix(".v")]}
    order, at = [module], 0
    while at < len(order):
        order += [name for name, inner in contains.items()
                  if order[at] in inner and name not in order]
        at += 1
    return sorted(order, key=lambda name: name == design.top)


def _starts(design, mutant):
    """The modules that a fault is in."""
    if not mutant.module.endswith("_fp"):
        return [mutant.module]
    names = [f"{design.name}_{cell}" for cell in _CELL_MODULES]
    return [name for name in names if f"{name}.v" in design.texts]


def _files(design, folder, texts):
    """Writes what Yosys shall read, its own conditions resolved as all others see them."""
    tools.make_folder(folder)
    for file, text in texts.items():
        tools.write(folder / file, lexer.preprocessed(text))
    return [folder / file for file in design.texts]


class Prover:
    """Asks for one design."""

    def __init__(self, design):
        self._design = design
        self._folder = design.folder / "equivalence"
        self._sound = _files(design, self._folder / "sound", design.texts)
        self._store = Store("equivalence")

    def proved(self, mutant):
        """How the fault was proved to change nothing, or "" if it was not."""
        parts = (_PREPARE, _COMPARE, str(_SECONDS), *self._design.texts.values(), mutant.file,
                 mutant.text())
        known = self._store.get(*parts)
        return known if known is not None else self._store.put(self._prove(mutant), *parts)

    def _prove(self, mutant):
        starts = _starts(self._design, mutant)
        if all(self._alone(mutant, module) for module in starts):
            return f"SAT, {' and '.join(starts)}"
        if len(starts) > 1:
            return ""
        for module in surroundings(self._design, starts[0])[1:]:
            if self._alone(mutant, module):
                return f"SAT, {module}"
        return ""

    def _alone(self, mutant, module):
        values = self._design.parameters.get(module, [{}])
        return all(self._compare(mutant, module, one) for one in values)

    def _compare(self, mutant, module, values):
        folder = self._folder / mutant.key
        faulty = _files(self._design, folder, {mutant.file: mutant.text()})
        faulty = [path if path.name == mutant.file else sound
                  for path, sound in zip(faulty, self._sound, strict=True)]
        given = " ".join(f"-chparam {name} {value}" for name, value in values.items())
        script = "".join(_PREPARE.format(files=" ".join(map(str, files)), top=module, values=given,
                                         name=name, registers=_REGISTERS) + ("design -stash gold; " if name == "gold"
                                                       else "")
                         for name, files in (("gold", self._sound), ("gate", faulty)))
        try:
            done = subprocess.run([tools.find("yosys"), "-p", script
                                   + _COMPARE.format(seconds=_SECONDS)], stdin=subprocess.DEVNULL,
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                                  check=False, timeout=4 * _SECONDS)
        except subprocess.TimeoutExpired:
            return False
        (folder / f"{module}.log").write_text(done.stdout)
        return done.returncode == 0 and _PROVED in done.stdout
