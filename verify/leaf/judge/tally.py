# SPDX-License-Identifier: Apache-2.0
"""What the judges of the floating point cells print, added up by cell."""

import re

from toolbox.errors import CheckError
from toolbox.evidence import Cell

BLOCKS = ("multiplier", "adder", "to_bf16")
# Cells of the functions that TestFloat knows.
FUNCTIONS = {"f32_mul": "multiplier", "f32_add": "adder"}

# How the evidence calls what tdleaf counts.
_NAMES = {"vectors": "by two oracles", "swept pairs": "bf16 pairs", "pairs of 16 bits": "bf16 pairs (all)",
          "pairs of 9 bits": "fp8 pairs (all)"}

_CHECKED = re.compile(r"(\w+): (\d+) (vectors|swept pairs|pairs of \d+ bits) checked, all equal")
_TESTFLOAT = re.compile(r"(f32_\w+): (\d+) vectors, (\d+) failures")


class Tally:
    """Vectors and failures of each cell."""

    def __init__(self):
        self.counts = {block: {} for block in BLOCKS}
        self.failed = {block: [] for block in BLOCKS}

    def judged(self, config, output, status):
        """Takes in what tdleaf printed about a configuration."""
        silent = list(BLOCKS)
        for line in output.splitlines():
            match = _CHECKED.fullmatch(line)
            if not match or match[1] not in BLOCKS:
                raise CheckError(f"{config}: the judge said: {line}")
            self._add(match[1], match[3], int(match[2]))
            if match[1] in silent:
                silent.remove(match[1])
        # It stops at the first wrong result; the multiplier may be judged a second time.
        for block in silent or (["multiplier"] if status else []):
            self.failed[block].append(config)

    def demand_all_pairs(self):
        """Unless all pairs of bf16 factors were judged, the multiplier failed."""
        if self.counts["multiplier"].get("pairs of 16 bits") != 2**32:
            self.failed["multiplier"].append("all bf16 pairs")

    def testfloat(self, function, output, status):
        """Takes in what scripts/judge testfloat printed about the vectors by hand."""
        match = _TESTFLOAT.fullmatch(output.strip())
        if not match or match[1] != function:
            raise CheckError(f"{function}: scripts/judge testfloat said: {output.strip()}")
        self._add(FUNCTIONS[function], "by hand", int(match[2]))
        if status or int(match[3]):
            self.failed[FUNCTIONS[function]].append(function)

    def cells(self):
        """Evidence for each cell; a cell without vectors is a failed check."""
        return [self._cell(block) for block in BLOCKS]

    def _add(self, block, what, number):
        self.counts[block][what] = self.counts[block].get(what, 0) + number

    def _cell(self, block):
        counts = self.counts[block]
        if self.failed[block]:
            return Cell(block, "vectors", f"failed: {', '.join(self.failed[block])}", False)
        if not sum(counts.values()):
            raise CheckError(f"{block}: nothing was checked")
        return Cell(block, "vectors", ", ".join(f"{number:,} {_NAMES.get(what, what)}"
                                                for what, number in counts.items()), True)
