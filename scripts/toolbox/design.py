# SPDX-License-Identifier: Apache-2.0
"""Emitted designs: tdgen's Verilog of a configuration, and of its dense counterpart."""

import dataclasses
import functools
import pathlib
import re
import tomllib

from .manifest import Manifest
from .tools import RTL, TDGEN, answer, lock, make_folder, write

_LONGEST_NAME = 32   # of a configuration, by base/configuration/parameters.cpp


@dataclasses.dataclass(frozen=True)
class Design:
    """An emitted configuration: folder holds NAME.json, the manifest; the Verilog that it lists; and
    NAME.toml, the configuration with every parameter."""

    name: str
    hash: str
    folder: pathlib.Path

    @functools.cached_property
    def manifest(self):
        """What there is in the design, as manifest.Manifest."""
        return Manifest(self.folder / f"{self.name}.json")

    @property
    def top(self):
        """Name of the top module in the emitted Verilog."""
        return self.manifest.top

    @property
    def files(self):
        """Verilog files."""
        return [self.folder / name for name in self.manifest.verilog]

    @property
    def parameters(self):
        """The configuration as a dictionary of TOML's tables."""
        return tomllib.loads((self.folder / f"{self.name}.toml").read_text(encoding="utf-8"))

    @property
    def is_dense(self):
        """Whether it has no sparse path at all."""
        return self.parameters["tile"]["scheduling"] in ("dense", "zero_gated")


def emit(config):
    """Emits a configuration (a TOML file or a preset) into build/designs/HASH/rtl."""
    identity, name = answer(TDGEN, "--config", config, "--hash").split()
    folder = RTL / identity
    with lock(folder):
        answer(TDGEN, "--config", config, "--out", folder / "rtl")
    return Design(name, identity, folder / "rtl")


def baseline(design, scheduling):
    """The same configuration with tile.scheduling = "dense" or "zero_gated", by the rule that the
    simulation uses. design: a sparse one."""
    text = (design.folder / f"{design.name}.toml").read_text(encoding="utf-8")
    name = f"{scheduling}_{re.sub('^paper_', '', design.name)}"[:_LONGEST_NAME]
    text = re.sub(r'(?m)^name = .*$', f'name = "{name}"', text, count=1)
    text = re.sub(r'(?m)^scheduling = .*$', f'scheduling = "{scheduling}"', text, count=1)
    text = re.sub(r'(?m)^(pattern|levels|interconnect) = .*\n', '', text)
    path = make_folder(design.folder.parent) / f"{name}.toml"
    write(path, text)
    return emit(path)
