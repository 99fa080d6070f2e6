# SPDX-License-Identifier: Apache-2.0
"""Timing constraints of one tile: values in front of constraints/tile.sdc."""

import dataclasses

from toolbox.errors import UserError
from toolbox.tools import ROOT

BODY = ROOT / "constraints" / "tile.sdc"


@dataclasses.dataclass(frozen=True)
class Constraints:
    """Clock and surroundings of a tile. Times in ns, load in pF, shares of the period."""

    clock_ns: float
    driving_cell: str           # in front of each input
    load_pf: float              # at each output
    uncertainty_ns: float       # jitter and skew, until there is a clock tree
    clock_slew_ns: float        # at every clock pin, until there is a clock tree
    input_share: float          # of the period, taken by whoever drives the inputs
    output_share: float         # of the period, taken by whoever reads the outputs
    gate_setup_ns: float        # of an enable in front of a clock gate's clock

    @classmethod
    def of(cls, cells, clock_ns=None):
        """As the cells' description says; at its clock unless another is given."""
        timing = cells.timing
        if timing is None:
            raise UserError(cells.file, "timing", "(absent)",
                            "a description with a [timing] table, by --cells; see constraints/cells")
        return cls(timing.clock_ns if clock_ns is None else clock_ns, cells.driving_cell,
                   cells.load_pf, timing.uncertainty_ns, timing.clock_slew_ns, timing.input_delay,
                   timing.output_delay, cells.clock_gate.setup_ns if cells.clock_gate else 0)

    def at(self, clock_ns):
        """The same at another clock."""
        return dataclasses.replace(self, clock_ns=clock_ns)

    def sdc(self, title, body=None):
        """Text of an SDC file that needs no other. title: one line that says what it is for."""
        values = {
            "clock_ns": self.clock_ns,
            "uncertainty_ns": self.uncertainty_ns,
            "clock_slew_ns": self.clock_slew_ns,
            "input_ns": self.clock_ns * self.input_share,
            "output_ns": self.clock_ns * self.output_share,
            "load_pf": self.load_pf,
            "gate_setup_ns": self.gate_setup_ns,
        }
        lines = [f"# {title}", "set_units -time ns -capacitance pF"]
        lines += [f"set {name} {value:.6g}" for name, value in values.items()]
        lines += [f"set driving_cell {self.driving_cell}", ""]
        return "\n".join(lines) + "\n" + (BODY.read_text() if body is None else body)
