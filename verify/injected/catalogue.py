# SPDX-License-Identifier: Apache-2.0
"""The catalogues of injected faults, of tiles (catalogue.toml) and of the engines around them
(engines.toml), and how one is injected."""

import dataclasses
import functools
import pathlib
import tomllib

from toolbox import tools
from toolbox.errors import CheckError

_FOLDER = pathlib.Path(__file__).parent


@dataclasses.dataclass(frozen=True)
class Fault:
    """One fault; what the fields are is told in catalogue.toml."""

    name: str
    block: str
    find: str
    replace: str
    replay: bool = False
    judge: bool = False
    asserts: tuple = ()
    four_state: bool = False
    netlist: tuple = ()
    proofs: dict = dataclasses.field(default_factory=dict, hash=False)
    quick: bool = False

    def injected(self, text):
        """The block's Verilog with the fault in it."""
        count = text.count(self.find)
        if count != 1:
            raise CheckError(f"{self.name}: {count} places in {self.block}, not one")
        return text.replace(self.find, self.replace)

    def inject(self, manifest, folder):
        """Changes the block's file in a folder with a design."""
        path = pathlib.Path(folder) / f"{manifest.generation}_{self.block}.v"
        tools.write(path, self.injected(path.read_text(encoding="utf-8")))


@functools.cache
def faults(catalogue="catalogue"):
    """All of one of them, in the file's order."""
    path = _FOLDER / f"{catalogue}.toml"
    entries = tomllib.loads(path.read_text(encoding="utf-8"))["fault"]
    found = tuple(Fault(**entry | {several: tuple(entry.get(several, ()))
                                   for several in ("asserts", "netlist")})
                  for entry in entries)
    names = [fault.name for fault in found]
    if len(set(names)) != len(names):
        raise CheckError(f"{path.name}: a name is there twice")
    return found


def refuting(listed, config, whole):
    """(fault, names) of faults and the proofs about a configuration that they refute; not whole:
    each proof with the first fault that does."""
    left = {name for fault in listed for name in fault.proofs.get(config, ())}
    for fault in listed:
        named = set(fault.proofs.get(config, ()))
        names = named if whole else named & left
        left -= named
        if names:
            yield fault, names
