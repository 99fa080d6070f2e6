# SPDX-License-Identifier: Apache-2.0
"""Injected faults judged by the proofs of verify/formal: which of them refutes a fault."""

import dataclasses
import functools

from formal import designs as proof_designs
from formal import library
from formal.proof import REFUTED
from toolbox import evidence, tools
from toolbox.answers import Answers

from .designs import FOLDER
from .equivalence import Prover
from .report import place

# Those whose every function is proved; of the arithmetic cells only some is.
BLOCKS = ("skid", "pipe", "reset", "intake", "moves", "search", "staging", "window", "scheduler", "interconnect", "row",
          "sequencer", "array", "counters", "tile", "dense_intake", "dense_line")


@dataclasses.dataclass(frozen=True)
class Result:
    """One fault. proof: which was refuted, or ""; wave: of its counterexample; equivalent: how it
    was proved to change nothing."""

    mutant: object
    proof: str = ""
    wave: str = ""
    equivalent: str = ""

    @property
    def open(self):
        """Whether nothing is known of it."""
        return not (self.proof or self.equivalent)


def _listed(design, block):
    """Proofs about a block alone, or about what it is a part of, those of one clock first; then those about whole
    tiles."""
    found = [one for one in library.proofs(design) if block in one.blocks]
    own = [one for one in found if one.block == block] or found
    alone = [one for one in own if "tile" not in one.blocks]
    return (sorted(alone, key=lambda one: one.method.engine == "pdr"),
            [one for one in found if "tile" in one.blocks])


def proved(design):
    """Blocks of a design that there are proofs of."""
    sound = proof_designs.emit(design.config)
    return [block for block in BLOCKS if any(_listed(sound, block))]


def _refuting(listed):
    """The first of some proofs that is refuted; what it is of, and its wave."""
    for proof in listed:
        [found] = library.verdicts([proof], 1)
        if found.verdict == REFUTED:
            return f"{proof.block} {proof.signal}", str(found.wave)
    return None


def judge(mutant, prover):
    """The first proof that a fault refutes, of its block if one does; SAT is asked of what none of
    those does, and only then the proofs about the tile, which take minutes."""
    design = mutant.design
    folder = design.write(design.folder / "faulty" / mutant.key, {mutant.file: mutant.text()})
    alone, whole = _listed(proof_designs.at(folder, design.config), mutant.block)
    if found := _refuting(alone):
        return Result(mutant, *found)
    if how := prover.proved(mutant):
        return Result(mutant, equivalent=how)
    return Result(mutant, *(_refuting(whole) or ()))


class _Judge:
    """The faults of one design."""

    def __init__(self, design):
        self._prover, self._answers = Prover(design), Answers(FOLDER / "proofs")

    def known(self, mutant):
        """The Result of a fault, or None: it has not been judged yet."""
        answer = self._answers.get(self._key(mutant))
        return Result(mutant, **answer) if answer is not None else None

    def judge(self, mutant):
        """One shard."""
        found = judge(mutant, self._prover)
        self._answers.put(self._key(mutant), {"proof": found.proof, "wave": found.wave,
                                              "equivalent": found.equivalent})

    def _key(self, mutant):
        return tools.digest(_judges(), *mutant.design.texts.values(), mutant.file, mutant.text())


@functools.lru_cache(maxsize=None)
def _judges():
    """Digest of the proofs, and of what asks SAT."""
    files = [file for folder in ("formal", "mutation")
             for file in sorted((tools.ROOT / "verify" / folder).glob("*.py"))]
    return tools.digest(*map(tools.file_digest, files))


def judge_all(design, mutants, run_shards):
    """Results, in the order of the faults."""
    one = _Judge(design)
    asked = [mutant for mutant in mutants if one.known(mutant) is None]
    run_shards({mutant.key: functools.partial(one.judge, mutant) for mutant in asked}, "mutants",
               len(asked), lambda: sum(one.known(mutant) is None for mutant in asked))
    return [one.known(mutant) for mutant in mutants]


def _row(name, results):
    counts = [len(results), *(sum(bool(getattr(one, what)) for one in results)
                              for what in ("proof", "equivalent", "open"))]
    return f"{name:14}" + "".join(f"{count:>13}" for count in counts)


def cells(results):
    """One for each block."""
    found = []
    for block in BLOCKS:
        chosen = [one for one in results if one.mutant.block == block]
        counted = [one for one in chosen if not one.equivalent]
        if counted:
            refuted = sum(bool(one.proof) for one in counted)
            found.append(evidence.Cell(block, "proof", f"{refuted} of {len(counted)} injected "
                                       "faults refuted", refuted == len(counted)))
    return found


def lines(results):
    """The report as text."""
    heads = ("mutants", "refuted", "equivalent", "not refuted")
    text = [f"{'block':14}" + "".join(f"{head:>13}" for head in heads)]
    for block in BLOCKS:
        if chosen := [one for one in results if one.mutant.block == block]:
            text.append(_row(block, chosen))
    text.append(_row("all", results))
    for one in results:
        what = f"{place(one.mutant)}: {one.mutant.described()}"
        if one.open:
            text.append(f"not refuted {one.mutant.key[:8]}: {what}")
        elif one.proof:
            text.append(f"refuted {one.mutant.key[:8]}: {what}: {one.proof}: {one.wave}")
    return text
