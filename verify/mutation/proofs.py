# SPDX-License-Identifier: Apache-2.0
"""Planted faults judged by the proofs of verify/formal: which of them refutes a fault."""

import concurrent.futures
import dataclasses

from formal import designs as proof_designs
from formal import library
from formal.proof import REFUTED
from toolbox import pool
from toolbox.errors import CheckError
from toolbox.progress import Progress

from .equivalence import Prover
from .report import place

# About blocks, not about a whole tile: those take minutes each.
BLOCKS = ("scheduler", "interconnect", "row", "intake", "sequencer", "skid", "counters", "pipe",
          "reset")


@dataclasses.dataclass(frozen=True)
class Result:
    """One fault. proof: which was refuted, or ""; wave: of its counterexample; refused: why the
    faulty Verilog could not be asked about; equivalent: how it was proved to change nothing."""

    mutant: object
    proof: str = ""
    wave: str = ""
    refused: str = ""
    equivalent: str = ""

    @property
    def open(self):
        """Whether nothing is known of it."""
        return not (self.proof or self.refused or self.equivalent)


def _listed(design, block):
    """Proofs about a block alone, those of one clock first."""
    found = [one for one in library.proofs(design, {block}) if "tile" not in one.blocks]
    return sorted(found, key=lambda one: one.method.engine == "pdr")


def proved(design):
    """Blocks of a design that there are proofs of."""
    sound = proof_designs.emit(design.config)
    return [block for block in BLOCKS if _listed(sound, block)]


def judge(mutant, prover):
    """The first proof of its block that a fault refutes; SAT is asked of what none does."""
    design = mutant.design
    folder = design.write(design.folder / "faulty" / mutant.key, {mutant.file: mutant.text()})
    try:
        for proof in _listed(proof_designs.at(folder, design.config), mutant.block):
            [found] = library.verdicts([proof], 1)
            if found.verdict == REFUTED:
                return Result(mutant, f"{proof.block} {proof.signal}", str(found.wave))
    except CheckError as error:
        return Result(mutant, refused=str(error))
    return Result(mutant, equivalent=prover.proved(mutant))


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
                              for what in ("proof", "equivalent", "refused", "open"))]
    return f"{name:14}" + "".join(f"{count:>13}" for count in counts)


def lines(results):
    """The report as text."""
    heads = ("mutants", "refuted", "equivalent", "refused", "not refuted")
    text = [f"{'block':14}" + "".join(f"{head:>13}" for head in heads)]
    for block in BLOCKS:
        if chosen := [one for one in results if one.mutant.block == block]:
            text.append(_row(block, chosen))
    text.append(_row("all", results))
    for one in results:
        what = f"{place(one.mutant)}: {one.mutant.described()}"
        if one.open:
            text.append(f"not refuted {one.mutant.key[:8]}: {what}")
        elif one.refused:
            text.append(f"refused {one.mutant.key[:8]}: {what}: {one.refused}")
        elif one.proof:
            text.append(f"refuted {one.mutant.key[:8]}: {what}: {one.proof}: {one.wave}")
    return text
