# SPDX-License-Identifier: Apache-2.0
"""Two circuits without state: equal by ABC's proof, or else a vector for which they differ."""

import dataclasses
import random
import time

from toolbox.errors import CheckError, TimeLimit

BATCH = 1 << 16   # random vectors at once; one batch goes before each proof
_BATCHES = 64     # ... and so many speak for the circuits when no proof finishes
# Seconds of processor time for a proof, unless its caller has patience. ABC's own limits do not
# always end it.
_LIMIT_S = 15

_PROVE = """\
read_blif gold.blif; strash; write_aiger gold.aig; \
read_blif gate.blif; strash; write_aiger gate.aig; &r gold.aig; &cec gate.aig"""
# Decision diagrams, for counts of many bits: SAT does not finish on one tree of adders against
# another, but a diagram need only know how many ones there were. Those that finish take a second.
_DIAGRAM_LIMIT_S = 10
_DIAGRAM = "miter gold.aig gate.aig; collapse -B 2000000; strash; write_aiger miter.aig"
_SAME = "aig {inputs} {inputs} 0 1 0\n0\n"   # ... in which no input makes a difference
_BUT_FOR_SUMS = "proof; order of sums: "
_DIFFER = "miter gold.aig gate.aig; iprove; write_cex -n vector.txt"


@dataclasses.dataclass(frozen=True)
class Verdict:
    """method: "proof", or how many vectors where no proof finished; or how many saw to what was
    left open of one. vector: input -> bit of a counterexample, and differing: outputs that it sets
    apart."""

    equal: bool
    method: str
    outputs: int
    inputs: int
    seconds: float
    vector: dict
    differing: dict

    @property
    def proved(self):
        """Whether both are equal for certain."""
        return self.equal and self.method == "proof"

    @property
    def but_for_sums(self):
        """Whether all is proved but the order in which the terms of a sum are added."""
        return self.equal and self.method.startswith(_BUT_FOR_SUMS)


def but_for_sums(verdict):
    """A verdict by vectors, all else being proved."""
    return dataclasses.replace(verdict, method=f"{_BUT_FOR_SUMS}{verdict.method}")


def _simulated(pair, values, ones):
    gold, gate = pair.gold.simulate(values, ones), pair.gate.simulate(values, ones)
    return {name: gold[name] ^ gate[name] for name in pair.outputs if gold[name] != gate[name]}


def _counterexample(pair, values, count):
    """The lowest of `count` vectors that sets an output apart: (inputs, output -> both values)."""
    different = _simulated(pair, values, (1 << count) - 1)
    if not different:
        return None
    place = min((mask & -mask).bit_length() - 1 for mask in different.values())
    vector = {name: values[name] >> place & 1 for name in pair.inputs}
    gold, gate = pair.gold.simulate(vector, 1), pair.gate.simulate(vector, 1)
    return vector, {name: [gold[name], gate[name]] for name in pair.outputs
                    if gold[name] != gate[name]}


def _draw(draws, inputs, batch):
    """Random vectors, an input's in one mask. Half of the batches have many zeros or many ones:
    exponents at their ends, which even bits hardly meet."""
    def mask(kind):
        bits = draws.getrandbits(BATCH)
        if kind == 1:
            return bits & draws.getrandbits(BATCH) & draws.getrandbits(BATCH)
        if kind == 3:
            return bits | draws.getrandbits(BATCH) | draws.getrandbits(BATCH)
        return bits
    return {name: mask(batch % 4) for name in inputs}


def _abc_vector(folder, pair):
    bits = [line.split("=")[1] for line in (folder / "vector.txt").read_text().splitlines()
            if line.startswith("p")]
    return {name: int(bit) for name, bit in zip(pair.inputs, bits, strict=True)}


def said(folder, runner, log, commands, limit=_LIMIT_S):
    """What ABC says; nothing if it takes more than `limit` seconds of processor time."""
    log = folder / log
    try:
        status = runner.status(["berkeley-abc", "-c", commands], log, folder, limit)
    except TimeLimit:
        return ""
    if status != 0:
        raise CheckError(f"berkeley-abc: ended with status {status}; all of its output: {log}")
    return log.read_text(encoding="utf-8")


def _same(folder, runner, inputs, limit):
    """Whether both are equal; None if no proof finishes."""
    verdict = said(folder, runner, "prove.txt", _PROVE, limit)
    if "Networks are equivalent" in verdict:
        return True
    if "NOT EQUIVALENT" in verdict:
        return False
    said(folder, runner, "diagram.txt", _DIAGRAM, _DIAGRAM_LIMIT_S)
    miter = folder / "miter.aig"
    return miter.read_bytes().startswith(_SAME.format(inputs=inputs).encode()) \
        if miter.exists() else None


def decide(pair, folder, runner, limit=_LIMIT_S):
    """The Verdict on a cut.Pair; files go to folder. limit: of SAT, seconds of processor time."""
    begin = time.monotonic()

    def verdict(equal, method, found=None):
        vector, differing = found or ({}, {})
        return Verdict(equal, method, len(pair.outputs), len(pair.inputs),
                       round(time.monotonic() - begin, 2), vector, differing)

    if not pair.outputs:
        raise CheckError("nothing to compare")
    draws = random.Random(1)
    found = _counterexample(pair, _draw(draws, pair.inputs, 0), BATCH)
    if found:
        return verdict(False, "simulation", found)
    for name, circuit in (("gold", pair.gold), ("gate", pair.gate)):
        (folder / f"{name}.blif").write_text(circuit.blif(pair.inputs, pair.outputs),
                                             encoding="utf-8")
    same = _same(folder, runner, len(pair.inputs), limit)
    if same:
        return verdict(True, "proof")
    if same is None:
        for batch in range(1, _BATCHES):
            found = _counterexample(pair, _draw(draws, pair.inputs, batch), BATCH)
            if found:
                return verdict(False, "simulation", found)
        return verdict(True, f"{_BATCHES * BATCH} vectors")
    said(folder, runner, "differ.txt", _DIFFER)
    if not (folder / "vector.txt").exists():
        return verdict(False, "proof", ({}, {"no vector found in time": []}))
    found = _counterexample(pair, _abc_vector(folder, pair), 1)
    if found is None:
        raise CheckError(f"{folder}: ABC's vector does not set the circuits apart")
    return verdict(False, "proof", found)
