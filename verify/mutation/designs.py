# SPDX-License-Identifier: Apache-2.0
"""Emitted designs, and the faults that each of them offers."""

import dataclasses
import difflib
import functools
import json
import pathlib
import re

from netlists import parameters
from toolbox import design, tools

from . import operators, render
from .source import Source

FOLDER = tools.BUILD / "mutation"

@dataclasses.dataclass(frozen=True, eq=False)
class Mutant:
    """One fault of one design. key: the same for the same fault in designs of other names."""

    design: object
    block: str
    file: str
    line: int
    operator: str
    regions: tuple
    changes: tuple
    key: str

    @property
    def module(self):
        """The module that the fault is in."""
        return pathlib.Path(self.file).stem

    def text(self):
        """The whole file with the fault."""
        return render.applied(self.design.texts[self.file], self.changes)

    def diff(self):
        """Lines of a unified diff."""
        before = self.design.texts[self.file].splitlines()
        return list(difflib.unified_diff(before, self.text().splitlines(), f"a/{self.file}",
                                         f"b/{self.file}", n=1, lineterm=""))

    def described(self):
        """What the fault is, in one line."""
        before = self.design.texts[self.file]
        parts = [f"{_short(before[one.start:one.end])} -> {_short(one.text)}"
                 for one in self.changes]
        return f"{self.operator}: {'; '.join(parts)}"


def _short(text):
    text = " ".join(text.split())
    return text if len(text) <= 60 else f"{text[:40]} ... {text[-15:]}"


class Design:
    """What tdgen emits for a configuration."""

    def __init__(self, config):
        self.config = config
        self._emitted = design.emit(config)
        self.hash, self.name = self._emitted.hash, self._emitted.name
        self.manifest = self._emitted.manifest
        self.folder = tools.make_folder(FOLDER / self.hash)
        self.texts = {file.name: file.read_text(encoding="utf-8") for file in self._emitted.files}

    def __getstate__(self):
        """For a shard: without what is read from the texts again."""
        return {name: value for name, value in self.__dict__.items()
                if name not in ("_sources", "inside", "mutants")}

    @functools.cached_property
    def parameters(self):
        """Module -> the sets of values that its instances have."""
        blocks = parameters.of(self._emitted, tools.Runner())
        names = {pathlib.Path(file).stem for file in self.texts} - {self.manifest.top}
        return {name: blocks[self.manifest.block(name)] for name in names}

    @functools.cached_property
    def _sources(self):
        return {file: Source(text, self.parameters) for file, text in self.texts.items()}

    @functools.cached_property
    def inside(self):
        """Module -> the modules that stand in it."""
        return {module: inside for source in self._sources.values()
                for module, inside in source.inside.items()}

    @functools.cached_property
    def mutants(self):
        """All faults that can be injected in what the design uses."""
        widths = {module: {port: width for port, (direction, width) in ports.items()
                           if direction == "input"}
                  for source in self._sources.values() for module, ports in source.ports.items()}
        return [mutant for file, source in self._sources.items()
                for mutant in self._of_file(file, source, widths)]

    def _of_file(self, file, source, widths):
        block = self.manifest.block(pathlib.Path(file).stem)
        plain = tools.digest(self._anonymous(source.text))
        for regions, changes in operators.changes(source, widths):
            start = source.text.rfind("\n", 0, changes[0].start) + 1
            end = source.text.find("\n", changes[-1].end)
            place = source.text.count("\n", 0, start) + 1
            faulty = render.applied(source.text[start:end],
                                    [render.moved(change, start) for change in changes])
            key = tools.digest(plain, str(place), faulty)
            yield Mutant(self, block, file, place, changes[0].operator, regions, changes, key)

    def _anonymous(self, text):
        """Without what only says which configuration it is."""
        return re.sub(r"(?m)^//.*\n", "", text).replace(f"{self.name}_", "")

    def write(self, folder, texts):
        """A copy of the design with some files replaced or added in front; returns the folder."""
        folder = tools.make_folder(folder)
        added = [file for file in texts if file not in self.texts]
        manifest = {**self.manifest.json, "verilog": [*added, *self.manifest.verilog]}
        tools.write(folder / f"{self.name}.json", json.dumps(manifest, indent=2))
        tools.write(folder / f"{self.name}.toml",
                    (self._emitted.folder / f"{self.name}.toml").read_text(encoding="utf-8"))
        for file, text in {**self.texts, **texts}.items():
            path = folder / file
            if not path.exists() or path.read_text() != text:  # what is the same is not built again
                tools.write(path, text)
        return folder
