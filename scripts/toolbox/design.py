# SPDX-License-Identifier: Apache-2.0
"""Emitted designs: tdgen's Verilog of a configuration's tile or accelerator, and of its dense counterpart."""

import dataclasses
import functools
import pathlib
import re
import tomllib

from .manifest import Manifest
from .tools import ROOT, RTL, TDGEN, answer, lock, make_folder, write

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


class Accelerator(Design):
    """An emitted accelerator, which has no manifest: what follows from file names alone."""

    @property
    def top(self):
        return f"{self.name}_accelerator"

    @property
    def files(self):
        listed = (self.folder / f"{self.name}.f").read_text(encoding="utf-8").split()
        return [pathlib.Path(file) for file in listed]


def _emit(config, part, *options):
    identity, name = answer(TDGEN, "--config", config, "--hash").split()
    folder = RTL / identity / part
    with lock(folder.parent):
        answer(TDGEN, "--config", config, *options, "--out", folder)
    return name, identity, folder


def emit(config):
    """Emits a configuration (a TOML file or a preset) into build/designs/HASH/rtl."""
    return Design(*_emit(config, "rtl"))


def emit_accelerator(config, kind=Accelerator):
    """Emits the accelerator of a configuration into build/designs/HASH/accelerator, as a kind of
    Accelerator."""
    return kind(*_emit(config, "accelerator", "--accelerator"))


def baseline(design, scheduling, emitted=emit):
    """The same configuration with tile.scheduling = "dense" or "zero_gated", by the rule that the
    simulation uses, but of the default depth: no such tile looks ahead. It is a preset where it
    equals one, so that all tiles beside one baseline share what is measured of it. design: a sparse
    one; emitted: what emits it."""
    text = (design.folder / f"{design.name}.toml").read_text(encoding="utf-8")
    name = f"{scheduling}_{re.sub('^paper_', '', design.name)}"[:_LONGEST_NAME]
    text = re.sub(r'(?m)^name = .*$', f'name = "{name}"', text, count=1)
    text = re.sub(r'(?m)^scheduling = .*$', f'scheduling = "{scheduling}"', text, count=1)
    text = re.sub(r'(?m)^(depth|pattern|levels|scheduler|interconnect) = .*\n', '', text)
    path = make_folder(design.folder.parent) / f"{name}.toml"
    write(path, text)
    found = emitted(path)
    preset = ROOT / "presets" / f"{scheduling}_{found.parameters['tile']['numerics']['format']}.toml"
    if not preset.is_file():
        return found
    known = emitted(preset)
    return known if known.parameters == found.parameters | {"name": known.name} else found
