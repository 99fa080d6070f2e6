# SPDX-License-Identifier: Apache-2.0
"""What tdgen's manifest says of a design: its sizes, ports, and the names of what is inside.

usage: python3 -m toolbox.manifest MANIFEST [SIZE=N]…   refuses sizes that the design cannot have"""

import functools
import json
import math
import pathlib
import re
import sys

from .errors import UserError
from .program import run


FORMAT = "tensordash-design-3"


class Manifest:
    """A design at its default sizes, or at others: a dictionary such as {"ROWS": 2}."""

    def __init__(self, path, sizes=None):
        self.path = pathlib.Path(path)
        self.json = json.loads(self.path.read_text(encoding="utf-8"))
        if self.json.get("format") != FORMAT:
            raise UserError(self.path, "format", self.json.get("format"), FORMAT)
        self.given = dict(sizes or {})
        for name, value in self.given.items():
            self._check(name, value)
        self.sizes = {name: self.given.get(name, size["default"])
                      for name, size in self.json["sizes"].items()}

    def _check(self, name, value):
        sizes = self.json["sizes"]
        if name not in sizes:
            raise UserError("command line", "size", name, f"one of {', '.join(sizes)}")
        least, most = sizes[name]["minimum"], sizes[name]["maximum"]
        if not least <= value <= most:
            raise UserError("command line", name, value, f"{least}..{most}")

    @property
    def name(self):
        """The configuration's."""
        return self.json["parameters"]["name"]

    @property
    def hash(self):
        """The configuration's; sizes that differ from the defaults do not change it."""
        return self.json["configuration_hash"]

    @property
    def generation(self):
        """Of the modules of hw/, such as td1."""
        return self.json["generation"]

    @property
    def top(self):
        """Name of the top module."""
        return self.json["top"]

    @property
    def is_dense(self):
        """Whether it has no sparse path."""
        return self.parameter("tile.scheduling") in ("dense", "zero_gated")

    def parameter(self, path):
        """Value of a parameter of the configuration, such as tile.lanes, at the design's sizes."""
        for name, size in self.json["sizes"].items():
            if size["parameter"] == path:
                return self.sizes[name]
        return self.json["parameters"][path]

    def bits(self, product):
        """Value of a width as the manifest writes it, such as "768*COLUMNS"."""
        return math.prod(self.sizes.get(factor) or int(factor) for factor in product.split("*"))

    @functools.cached_property
    def ports(self):
        """Name of each port of the top, in order -> (direction, bits)."""
        return {port["name"]: (port["direction"], self.bits(port["bits"]))
                for port in self.json["ports"]}

    @property
    def verilog(self):
        """Names of the Verilog files."""
        return self.json["verilog"]

    @property
    def assertions(self):
        """Names of the SystemVerilog files with assertions."""
        return self.json["assertions"]

    def module(self, instance):
        """The module of an instance, such as td1_intake."""
        return self.json["instances"][instance]["module"]

    def has_instance(self, instance):
        """Whether the design has one."""
        return instance in self.json["instances"]

    def instance(self, instance, **indices):
        """Path of an instance below the top, such as u_tile.u_array. indices: row, column, lane."""
        return _indexed(self.json["instances"][instance]["path"], indices)

    def pattern(self, instance):
        """Path of all instances of a kind below the top, with * for each index."""
        return _all(self.json["instances"][instance]["path"])

    def probe_pattern(self, probe):
        """Path of a register or wire in all of them, with * for each index."""
        found = self._probe(probe)
        return f"{self.pattern(found['instance'])}.{_all(found['signal'])}"

    def probes(self):
        """Name -> (instance, signal in its module, bits)."""
        return {name: (probe["instance"], probe["signal"], self.bits(probe["bits"]))
                for name, probe in self.json["probes"].items()}

    def signal(self, probe, **indices):
        """A probe's path within its instance."""
        return _indexed(self._probe(probe)["signal"], indices)

    def probe(self, probe, **indices):
        """Path of a register or wire below the top."""
        instance = self._probe(probe)["instance"]
        return f"{self.instance(instance, **indices)}.{self.signal(probe, **indices)}"

    def inside(self, outer, probe, **indices):
        """Path of a register or wire below an instance, such as the row that it is in."""
        around = self.pattern(outer)
        if not self.probe_pattern(probe).startswith(f"{around}."):
            raise ValueError(f"{probe}: not inside of {outer}")
        parts = around.count(".") + 1
        found = self._probe(probe)
        path = ".".join((self.json["instances"][found["instance"]]["path"], found["signal"]))
        return _indexed(".".join(path.split(".")[parts:]), indices)

    def _probe(self, probe):
        return self.json["probes"][probe]

    def block(self, module):
        """The block that a module is, without the generation or the configuration's name."""
        for prefix in (f"{self.generation}_", f"{self.name}_"):
            if module.startswith(prefix):
                return module.removeprefix(prefix)
        return module


def _indexed(path, indices):
    return re.sub(r"\{(\w+)\}", lambda found: str(indices[found[1]]), path)


def _all(path):
    return re.sub(r"\[\{\w+\}\]", "*", path)


def main():
    """The check of the command line."""
    Manifest(sys.argv[1], {name: int(size)
                           for name, size in (one.split("=") for one in sys.argv[2:])})


if __name__ == "__main__":
    sys.exit(run("replay", main))
