# SPDX-License-Identifier: Apache-2.0
"""What came of a block that was routed, beside what tdplace said of it."""

import dataclasses
import json

from netlists import cells
from toolbox.errors import CheckError

from . import lvs, routing, wires

WITHIN = 0.05
MATCH = "Circuits match uniquely."


@dataclasses.dataclass(frozen=True)
class Routed:
    """Lengths in um, times of the latest signal in ns. Without the nets at ports: timed, and the times."""

    block: str
    seed: int
    cells: int         # with repeaters and clock buffers
    nets: int
    unrouted: int
    said_um: float
    routed_um: float
    timed: int
    bare_ns: float     # without wires
    placed_ns: float   # with those that tdplace said
    routed_ns: float
    lvs: str           # netgen's result

    def failures(self):
        """What is not as it must be, in words."""
        found = [f"{self.unrouted} nets are not routed"] if self.unrouted else []
        for what, ours, theirs in (("wires", self.said_um, self.routed_um),
                                   ("the latest signal", self.placed_ns, self.routed_ns)):
            if abs(ours - theirs) > WITHIN * theirs:
                found.append(f"{what}: {ours:g} said, {theirs:g} routed, more than {WITHIN:.0%} apart")
        if self.lvs != MATCH:
            found.append(f"netgen: {self.lvs}")
        return [f"{self.block}, seed {self.seed}: {text}" for text in found]


def measure(block, seed, folder, runner):
    """Places and routes a block in a folder."""
    osu018 = cells.load()
    routing.route(block, seed, osu018, folder, runner)
    placed = json.loads((folder / "placed.json").read_text())
    ours = wires.said((folder / "placed.spef").read_text())
    theirs = wires.routed((folder / "routed.def").read_text())
    if ours.keys() != theirs.keys():
        raise CheckError(f"{folder}: nets of placed.spef and routed.def differ")
    count = placed["cells"] + placed["repeaters"] + placed["clock_buffers"]
    return Routed(block, seed, count, len(ours), routing.unrouted(folder), sum(ours.values()),
                  sum(theirs.values()), *wires.arrivals(block, osu018, folder, runner),
                  lvs.verdict(block, osu018, folder, runner))
