# SPDX-License-Identifier: Apache-2.0
"""What a proof is, and what came of it."""

import dataclasses
import pathlib

from toolbox import evidence

from .designs import Design

PROVED, REFUTED, UNFINISHED = "proved", "refuted", "unfinished"


@dataclasses.dataclass(frozen=True)
class Method:
    """How a proof is tried. text: as the table has it; engine: "sat" (Yosys' own solver) or
    "pdr" (ABC); clocks: how many are looked at, the first included."""

    text: str
    engine: str
    clocks: int


# For all inputs of a circuit without registers.
SAT = Method("SAT", "sat", 1)

# For all inputs in any state: the property compares a clock with what the one before it demands,
# and means nothing in the first.
STEP = Method("SAT, a clock from any state", "sat", 2)


# In every clock there will ever be.
ALWAYS = Method("unbounded, PDR", "pdr", 0)


@dataclasses.dataclass(frozen=True)
class Proof:
    """One property of one design. text: Verilog with the module `proof`, which instantiates what it
    is about; `signal` is a wire of it that is 1 where the property holds, its `assume`s are heeded;
    blocks: what else is read; size: "full", or what the design was cut to; limit: seconds of
    a processor."""

    block: str
    name: str
    signal: str
    design: Design
    size: str
    method: Method
    text: str
    blocks: tuple
    limit: int = 300

    def __post_init__(self):
        if self.block not in evidence.BLOCKS + evidence.ENGINES:
            raise ValueError(f"{self.block}: no such block")


@dataclasses.dataclass(frozen=True)
class Verdict:
    """What came of a proof. wave: VCD of the counterexample, of what is refuted only."""

    proof: Proof
    verdict: str
    seconds: float
    wave: pathlib.Path | None = None

    @property
    def proved(self):
        """Whether it is."""
        return self.verdict == PROVED
