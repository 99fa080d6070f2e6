# SPDX-License-Identifier: Apache-2.0
"""What synthesis makes of the significands' product is their product.

No prover finishes on a whole array of partial products against another. So F, the circuit that
stands for a multiplication behind forms.PRODUCTS, is proved to be one by induction over the bits of
b:
  F(a, 0) = 0, and F(a, 2^n + low) = F(a, low) + a * 2^n for all a and all low < 2^n.
That the multiplier's RTL multiplies so, and no more than once, is checked."""

import json
import pathlib

from netlists import recipe, store, synthesis
from toolbox import tools
from toolbox.errors import CheckError

from . import cut, forms, netlists, prove

_STEP = """\
module product(input [{top}:0] a, b, output [{wide}:0] y);
  wire [{top}:0] factor = {left};
  assign y = {{{{{bits}{{1'b0}}}}, a}} * {{{{{bits}{{1'b0}}}}, factor}};
endmodule
module expected(input [{top}:0] a, b, output [{wide}:0] y);
  wire [{top}:0] factor = {low};
  wire [{wide}:0] part = {{{{{bits}{{1'b0}}}}, a}} * {{{{{bits}{{1'b0}}}}, factor}};
  assign y = {right};
endmodule
"""
# Of processor time for one step; the last ones of 24 bits take a third of it.
_LIMIT_S = 100
_READ = f"read_verilog step.v; hierarchy -top {{top}}; proc; {forms.PRODUCTS}opt -full; "


class _Job:
    """One step of the induction, or its beginning."""

    def __init__(self, bits, step):
        self.step = step
        self.text = self._text(bits)
        code = [pathlib.Path(module.__file__).read_text(encoding="utf-8")
                for module in (cut, prove)]
        self.key = tools.digest(synthesis.versions(), tools.file_digest(recipe.MULTIPLIERS),
                                self.text, _READ, forms.GATES, *code)

    def _text(self, bits):
        low = left = f"{bits}'d0"
        right = f"{2 * bits}'d0"
        if self.step is not None:
            low = f"b & {bits}'d{(1 << self.step) - 1}"
            left = f"({low}) | {bits}'d{1 << self.step}"
            right = f"part + ({{{bits}'d0, a}} << {self.step})"
        return _STEP.format(bits=bits, top=bits - 1, wide=2 * bits - 1, left=left, low=low,
                            right=right)

    def work(self, folder, runner):
        """Writes result.json."""
        (folder / "step.v").write_text(self.text, encoding="utf-8")
        sides = []
        for top in ("product", "expected"):
            script = f"{_READ.format(top=top)}{forms.GATES}; opt -full; write_json {top}.json"
            runner.run(["yosys", "-q", "-p", script], folder / f"{top}.txt", folder)
            text = (folder / f"{top}.json").read_text(encoding="utf-8")
            sides.append(cut.read(json.loads(text)["modules"][top], {}))
        verdict = prove.decide(cut.pair(*sides), folder, runner, _LIMIT_S)
        (folder / "result.json").write_text(json.dumps(verdict.__dict__, indent=1),
                                            encoding="utf-8")


def _significand_bits(emitted, runner):
    """Of the factors of a multiplier's product, or of a lane's of a fused sum, of which there is one,
    with as many zeros above them."""
    modules = synthesis.elaborate(emitted, runner)
    name = "multiplier" if "multiplier" in modules else "fused_product"
    module = modules[name]
    bits = module.parameters["WIDTH"] - module.parameters["EXP"]
    folder = tools.make_folder(tools.BUILD / netlists.KIND / emitted.hash / "product")
    tools.write(folder / f"{name}.il", module.text)
    runner.run(["yosys", "-q", "-p", f"read_rtlil {name}.il; write_json {name}.json"],
               folder / "log.txt", folder)
    text = (folder / f"{name}.json").read_text(encoding="utf-8")
    cells = json.loads(text)["modules"][name]["cells"].values()
    products = [cell["connections"] for cell in cells if cell["type"] == "$mul"]
    zeros = ["0"] * bits
    if [[factor[bits:] for factor in (pins["A"], pins["B"])] + [len(pins["Y"])]
            for pins in products] != [[zeros, zeros, 2 * bits]]:
        raise CheckError(f"{folder}: the RTL is not one product of {bits} bits each: {products}")
    return bits


def prove_all(designs, runner):
    """netlists.Result for each configuration: synthesis' product against multiplication."""
    plans = []
    for emitted in designs:
        bits = _significand_bits(emitted, runner)
        plans.append((emitted, bits, [_Job(bits, step) for step in (None, *range(bits))]))
    waiting = {job.key: job for *_, jobs in plans for job in jobs}
    folders = store.run(netlists.KIND, waiting.values(), runner, "steps of products")
    results = []
    for emitted, bits, jobs in plans:
        verdicts = [prove.Verdict(**json.loads((folders[job.key] / "result.json").read_text()))
                    for job in jobs]
        worst = min(verdicts, key=lambda one: (one.equal, one.proved))
        total = prove.Verdict(worst.equal, worst.method, 2 * bits, 2 * bits,
                              round(sum(one.seconds for one in verdicts), 2), worst.vector,
                              worst.differing)
        failed = folders[jobs[verdicts.index(worst)].key]
        results.append(netlists.Result(emitted.name, "multiplier", f"product {bits}x{bits} in gates",
                                       0, 0, [], [], total, failed))
    return results
