# SPDX-License-Identifier: Apache-2.0
"""Two circuits without state: equal by ABC's proof, or else a vector for which they differ."""

import dataclasses
import random
import time

from toolbox.errors import CheckError

BATCH = 1 << 16   # random vectors at once; one batch goes before each proof
_BATCHES = 64     # ... and so many speak for the circuits when no proof finishes
_LIMIT_S = 120    # for one proof

_PROVE = """\
read_blif gold.blif; strash; write_aiger gold.aig; \
read_blif gate.blif; strash; write_aiger gate.aig; &r gold.aig; &cec -T {limit} gate.aig"""
_DIFFER = "miter gold.aig gate.aig; iprove; write_cex -n vector.txt"


@dataclasses.dataclass(frozen=True)
class Verdict:
    """method: "proof", or how many vectors where no proof finished. vector: input -> bit of a
    counterexample, and differing: outputs that it sets apart."""

    equal: bool
    method: str
    outputs: int
    inputs: int
    seconds: float
    vector: dict
    differing: dict


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


def _said(folder, runner, log, commands):
    runner.run(["berkeley-abc", "-c", commands], folder / log, folder)
    return (folder / log).read_text(encoding="utf-8")


def decide(pair, folder, runner):
    """The Verdict on a cut.Pair; files go to folder."""
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
    text = _said(folder, runner, "prove.txt", _PROVE.format(limit=_LIMIT_S))
    if "Networks are equivalent" in text:
        return verdict(True, "proof")
    if "NOT EQUIVALENT" not in text:
        for batch in range(1, _BATCHES):
            found = _counterexample(pair, _draw(draws, pair.inputs, batch), BATCH)
            if found:
                return verdict(False, "simulation", found)
        return verdict(True, f"{_BATCHES * BATCH} vectors")
    _said(folder, runner, "differ.txt", _DIFFER)
    found = _counterexample(pair, _abc_vector(folder, pair), 1)
    if found is None:
        raise CheckError(f"{folder}: ABC's vector does not set the circuits apart")
    return verdict(False, "proof", found)
