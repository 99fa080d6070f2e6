# SPDX-License-Identifier: Apache-2.0
"""Planted faults judged by the proofs of verify/formal: which of them refutes a fault."""

import concurrent.futures
import dataclasses

from formal import designs as proof_designs
from formal import library
from formal.proof import REFUTED
from toolbox import evidence, pool
from toolbox.progress import Progress

from .equivalence import Prover
from .report import place

# Those whose every function is proved; of the arithmetic cells only some is.
BLOCKS = ("skid", "pipe", "reset", "intake", "staging", "window", "scheduler", "interconnect",
          "row", "sequencer", "array", "counters", "tile", "dense_intake", "dense_line")


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
    """Proofs about a block alone, those of one clock first; then those about whole tiles."""
    found = [one for one in library.proofs(design) if block in one.blocks]
    alone = [one for one in found if one.block == block and "tile" not in one.blocks]
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


def judge_all(design, mutants):
    """Results, in the order of the faults."""
    progress, prover = Progress("mutants", len(mutants)), Prover(design)
    with concurrent.futures.ThreadPoolExecutor(pool.cores()) as executor:
        asked = [executor.submit(judge, mutant, prover) for mutant in mutants]
        for future in concurrent.futures.as_completed(asked):
            future.result()
            progress.step()
    progress.finish()
    return [future.result() for future in asked]


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
            found.append(evidence.Cell(block, "proof", f"{refuted} of {len(counted)} planted "
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
