# SPDX-License-Identifier: Apache-2.0
"""Proofs for all time: ABC looks for an inductive invariant that implies the property (property
directed reachability) and checks it, or finds a way to a failure. Registers start with anything,
but where the Verilog says what they start with."""

import collections
import re

from toolbox import tools
from toolbox.errors import CheckError

from .proof import PROVED, REFUTED

_SCRIPT = """\
read_rtlil {model}
cd proof
add -assert {signal}
delete -output o:*
opt_clean
techmap
opt -fast
dffunmap
simplemap
opt_clean
abc -g AND -fast
opt_clean
write_aiger -B -zinit -map circuit.aim circuit.aig
"""


def judge(proof, model, folder, runner):
    """The verdict; for what is refuted, the counterexample is in circuit.aiw."""
    (folder / "circuit.ys").write_text(
        _SCRIPT.format(model=model.folder / "model.il", signal=proof.signal), encoding="utf-8")
    runner.run(["yosys", "-q", "circuit.ys"], folder / "circuit.txt", folder)
    runner.run(["berkeley-abc", "-c", "read_aiger circuit.aig; strash; scorr; pdr; "
                "write_cex -a circuit.aiw"], folder / "log.txt", folder, proof.limit)
    said = (folder / "log.txt").read_text(encoding="utf-8")
    if "Property proved." in said:
        return PROVED
    if re.search(r"Output 0 of miter .* was asserted in frame", said):
        return REFUTED
    raise CheckError(f"berkeley-abc: no verdict; all of its output: {folder / 'log.txt'}")


def clocks(folder):
    """Signal -> bits in each clock of the counterexample: inputs, and in the first the registers
    whose start is not in the Verilog."""
    places = collections.defaultdict(list)
    for line in (folder / "circuit.aim").read_text(encoding="utf-8").splitlines():
        what, index, bit, name = line.split()
        if what in ("input", "init"):
            places[what, name].append((int(bit), int(index)))
    # A line for the state at the start, which is zero here (empty without registers), and one for
    # each clock.
    text = (folder / "circuit.aiw").read_text(encoding="utf-8").partition("#")[0]
    frames = text.splitlines()[1:]
    result = []
    for number, frame in enumerate(frames):
        signals = {}
        for (what, name), bits in places.items():
            if what == "input" or number == 0:
                value = dict.fromkeys(range(max(bit for bit, _ in bits) + 1), "0")
                value |= {bit: "1" if frame[index] == "1" else "0" for bit, index in bits}
                signals[name] = "".join(value[bit] for bit in sorted(value, reverse=True))
        result.append(signals)
    return result
