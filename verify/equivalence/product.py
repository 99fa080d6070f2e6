# SPDX-License-Identifier: Apache-2.0
"""The significands' product that Yosys reads is the one that simulators read.

No prover finishes on a whole array of partial products against another. So F, the function that
Yosys reads, is proved to be multiplication by induction over the bits of b:
  F(a, 0) = 0, and F(a, 2^n + low) = F(a, low) + a * 2^n for all a and all low < 2^n.
What simulators read must be one multiplication, and nothing else."""

import json
import pathlib
import re

from flow import store, synthesis
from toolbox import tools
from toolbox.errors import CheckError

from . import cut, forms, netlists, prove

_STEP = """\
module product(input [{top}:0] a, b, output [{wide}:0] y);
  assign y = td_fp::significand_product(a, {left});
endmodule
module expected(input [{top}:0] a, b, output [{wide}:0] y);
  assign y = {right};
endmodule
"""
_PLAIN = """\
module product(input [{top}:0] a, b, output [{wide}:0] y);
  assign y = td_fp::significand_product(a, b);
endmodule
"""
# Of processor time for one step; the last ones of 24 bits take a third of it.
_LIMIT_S = 100
_READ = "read_verilog -sv fp.v step.v; hierarchy -top {top}; proc; opt -full; "


def _anonymous(emitted):
    """The package of the operators, the same for all configurations with a format."""
    text = (emitted.folder / f"{emitted.name}_fp.v").read_text(encoding="utf-8")
    return re.sub(rf"\b{emitted.name}_fp\b", "td_fp", re.sub("// Emitted by .*", "", text))


class _Job:
    """One step of the induction, or its beginning."""

    def __init__(self, emitted, bits, step):
        self.step, self.size = step, 0 if step is None else step
        self.fp = _anonymous(emitted)
        self.text = self._text(bits)
        code = [pathlib.Path(module.__file__).read_text(encoding="utf-8")
                for module in (cut, prove)]
        self.key = tools.digest(synthesis.versions(), self.fp, self.text, _READ, forms.GATES, *code)

    def _text(self, bits):
        if self.step is None:
            left, right = f"{bits}'d0", f"{2 * bits}'d0"
        else:
            low = f"(b & {bits}'d{(1 << self.step) - 1})"
            left = f"{low} | {bits}'d{1 << self.step}"
            right = (f"td_fp::significand_product(a, {low}) "
                     f"+ ({{{bits}'d0, a}} << {self.step})")
        return _STEP.format(top=bits - 1, wide=2 * bits - 1, left=left, right=right)

    def work(self, folder, runner):
        """Writes result.json."""
        (folder / "fp.v").write_text(self.fp, encoding="utf-8")
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


def _check_plain(emitted, bits, runner):
    """What simulators read is one multiplication of both operands, with zeros above them."""
    folder = tools.make_folder(tools.BUILD / netlists.KIND / emitted.hash / "plain")
    tools.write(folder / "fp.v", forms.simulators(_anonymous(emitted)))
    tools.write(folder / "step.v", _PLAIN.format(top=bits - 1, wide=2 * bits - 1))
    runner.run(["yosys", "-q", "-p", _READ.format(top="product").replace("opt -full", "opt_clean")
                + "write_json plain.json"], folder / "plain.txt", folder)
    module = json.loads((folder / "plain.json").read_text(encoding="utf-8"))["modules"]["product"]
    a, b, y = (module["ports"][port]["bits"] for port in "aby")
    zeros = ["0"] * bits
    expected = {"A": a + zeros, "B": b + zeros, "Y": y}
    cells = [(cell["type"], cell["connections"]) for cell in module["cells"].values()]
    if cells != [("$mul", expected)]:
        raise CheckError(f"{folder}: what simulators read is not one multiplication: {cells}")


def prove_all(designs, runner):
    """netlists.Result for each configuration: Yosys' product against that of simulators."""
    plans = []
    for emitted in designs:
        bits = netlists.significand_bits(emitted)
        _check_plain(emitted, bits, runner)
        plans.append((emitted, bits, [_Job(emitted, bits, step) for step in (None, *range(bits))]))
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
        results.append(netlists.Result(emitted.name, "multiplier", f"product {bits}x{bits}, Yosys' "
                                       "form = simulators'", 0, 0, [], [], total, failed))
    return results
