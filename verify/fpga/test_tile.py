#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""An iCE40 netlist of the smallest tile computes the model's bits. Its cells are taken back to gates by
what Yosys says that they do, which tdgate then simulates; a netlist with one LUT spoilt is found."""

import json
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts"))

from fabric import families, synthesis  # noqa: E402
from netlists import cells  # noqa: E402
from toolbox import design, tools  # noqa: E402

TDGATE = sys.argv.pop(1)
CONFIG = ROOT / "verify/fpga/two_lanes.toml"
CELLS = pathlib.Path("/usr/share/yosys/ice40/cells_sim.v")
PASSES = 256

# Flip-flops of an iCE40 start at zero, ours do not rely on it: initial values go.
BACK = """\
read_json netlist.json
read_verilog -overwrite cells.v
hierarchy -check -top {top}
proc
flatten
setattr -unset init w:*
techmap
opt -fast
dfflibmap -liberty {liberty}
abc -fast -liberty {liberty}
opt_clean -purge
setundef -zero
write_json gates.json
"""


def models(netlist):
    """What Yosys says of the cells of a netlist; all of its file takes 40 s to read."""
    text = CELLS.read_text(encoding="utf-8")
    used = {cell["type"] for module in netlist["modules"].values() for cell in module["cells"].values()}
    found = {name: whole for whole, name in re.findall(r"(?ms)(^module (\w+).*?^endmodule)", text)}
    return text[:text.index("module")] + "\n".join(found[name] for name in sorted(used & set(found)))


class Tile(unittest.TestCase):
    """On one trace."""

    @classmethod
    def setUpClass(cls):
        cls.design = design.emit(CONFIG)
        cls.liberty = cells.load().library.path
        family = families.known()["ice40up"]  # has multipliers, too
        folder = synthesis.run(synthesis.texts(cls.design), cls.design.top, family.synthesis, tools.Runner(),
                               netlist=True)
        cls.netlist = (folder / synthesis.NETLIST).read_text(encoding="utf-8")

    def replay(self, netlist):
        """(exit status, lines) of tdgate."""
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            (folder / "netlist.json").write_text(json.dumps(netlist), encoding="utf-8")
            (folder / "cells.v").write_text(models(netlist), encoding="utf-8")
            (folder / "back.ys").write_text(BACK.format(
                top=self.design.top, liberty=self.liberty), encoding="utf-8")
            subprocess.run(["yosys", "-q", "back.ys"], cwd=folder, check=True, capture_output=True)
            done = subprocess.run(
                [TDGATE, "--config", CONFIG, "--liberty", self.liberty, "--netlist", folder / "gates.json",
                 "--trace", ROOT / "verify/traces/plain.safetensors", "--passes", str(PASSES)],
                capture_output=True, text=True, check=False)
        return done.returncode, (done.stdout + done.stderr).splitlines()

    def test_bits(self):
        status, lines = self.replay(json.loads(self.netlist))
        self.assertEqual(status, 0, lines)
        rows = [line.split() for line in lines if line.split()[:1] in (["fwd"], ["dgrad"], ["wgrad"])]
        outputs, mismatches = zip(*((int(row[5]), int(row[6])) for row in rows))
        self.assertEqual((len(rows), sum(mismatches)), (3, 0), lines)
        self.assertGreaterEqual(min(outputs), PASSES)

    def test_spoilt(self):
        netlist = json.loads(self.netlist)
        [multiplier] = [one for name, one in netlist["modules"].items() if "td1_multiplier" in name]
        lut = next(cell for cell in multiplier["cells"].values() if cell["type"] == "SB_LUT4")
        init = lut["parameters"]["LUT_INIT"]
        lut["parameters"]["LUT_INIT"] = "".join("10"[int(bit)] for bit in init)
        status, lines = self.replay(netlist)
        self.assertEqual(status, 1, lines)
        self.assertTrue(any("first mismatch" in line for line in lines), lines)


if __name__ == "__main__":
    unittest.main()
