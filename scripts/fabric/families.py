# SPDX-License-Identifier: Apache-2.0
"""Families of FPGAs, as constraints/fpga describes them."""

import dataclasses
import functools
import tomllib

from toolbox import tools
from toolbox.errors import CheckError

FOLDER = tools.ROOT / "constraints" / "fpga"
RESOURCES = ("LUT", "FF", "DSP", "RAM")


@dataclasses.dataclass(frozen=True)
class Device:
    """An FPGA. has: resource -> how many; route: words of nextpnr-ice40's command line that name it,
    or None where that does not know it."""

    name: str
    has: dict
    route: list | None

    def fullest(self, counts):
        """(share of the resource that these counts use most of, which); more than 1 does not fit."""
        def share(resource):
            if counts[resource] == 0:
                return 0.0
            return counts[resource] / self.has[resource] if self.has[resource] else float("inf")
        return max((share(resource), resource) for resource in RESOURCES)


@dataclasses.dataclass(frozen=True)
class Family:
    """Devices of one architecture, the smallest first."""

    key: str         # name of its file, and on the command line
    name: str
    synthesis: str   # Yosys' command
    cells: dict      # resource -> {cell of Yosys -> how many one takes}; "free": cells that take none
    devices: tuple   # of Device

    def counts(self, cells):
        """Resource -> how many these cells take. cells: cell of Yosys -> how many."""
        known = {cell for takes in self.cells.values() for cell in takes}
        strange = sorted(set(cells) - known)
        if strange:
            raise CheckError(f"{self.name}: {', '.join(strange)}: not in {FOLDER / self.key}.toml")
        return {resource: sum(number * self.cells[resource].get(cell, 0)
                              for cell, number in cells.items()) for resource in RESOURCES}

    def smallest(self, counts):
        """The smallest device that holds so much, or None."""
        return next((device for device in self.devices if device.fullest(counts)[0] <= 1), None)


def _device(name, table):
    route = table.get("route")
    return Device(name, {resource: table[resource] for resource in RESOURCES},
                  route.split() if route else None)


@functools.lru_cache(maxsize=None)
def known():
    """All families, by their files' names."""
    found = {}
    for path in sorted(FOLDER.glob("*.toml")):
        table = tomllib.loads(path.read_text(encoding="utf-8"))
        devices = tuple(_device(*item) for item in table["devices"].items())
        found[path.stem] = Family(path.stem, table["name"], table["synthesis"], table["cells"], devices)
    return found
