# SPDX-License-Identifier: Apache-2.0
"""Emitted designs, and the faults that each of them offers."""

import dataclasses
import difflib
import functools
import json
import pathlib
import re
import subprocess

from toolbox import tools
from toolbox.errors import CheckError, Refused

from . import operators, render
from .source import Source

FOLDER = tools.BUILD / "mutation"

# Functions of the package, by the leaf cell that they are.
_CELLS = (("mul", "multiplier"), ("significand", "multiplier"), ("add", "adder"),
          ("leading", "adder"), ("to_bf16", "to_bf16"))
_INSTANCE = re.compile(r"(\w+) #\(\s*((?:\.\w+\(\d+\),?\s*)+)\)")
_GIVEN = re.compile(r"\.(\w+)\((\d+)\)")


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
        """The module that the fault is in; of a package: none of them is."""
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


def block_of(file, name, function):
    """The block of the evidence table that a fault counts for."""
    part = pathlib.Path(file).stem.removeprefix(f"{name}_")
    if part != "fp":
        return part
    for prefix, cell in _CELLS:
        if function.startswith(prefix):
            return cell
    raise CheckError(f"{file}: function {function} belongs to no leaf cell")


class Design:
    """What tdgen emits for a configuration."""

    def __init__(self, config):
        self.config = config
        said = _call([tools.TDGEN, "--config", config, "--hash"])
        self.hash, self.name = said.split()
        self.folder = tools.make_folder(FOLDER / self.hash)
        self.rtl = self.folder / "rtl"
        _call([tools.TDGEN, "--config", config, "--out", self.rtl])
        self.manifest = json.loads((self.rtl / f"{self.name}.json").read_text())
        self.top = self.manifest["top"]
        self.texts = {file: (self.rtl / file).read_text() for file in self.manifest["verilog"]}

    @functools.cached_property
    def parameters(self):
        """For each module the values that its instances give, once each."""
        given = {}
        for text in self.texts.values():
            for module, values in _INSTANCE.findall(text):
                one = {name: int(value) for name, value in _GIVEN.findall(values)}
                if one not in given.setdefault(module, []):
                    given[module].append(one)
        return given

    @functools.cached_property
    def mutants(self):
        """All faults that can be planted in what the design uses."""
        sources = {file: Source(text, self.parameters) for file, text in self.texts.items()}
        widths = {}
        for source in sources.values():
            for module, ports in source.ports.items():
                widths[module] = {port: width for port, (direction, width) in ports.items()
                                  if direction == "input"}
        called = _called([region for source in sources.values() for region in source.regions])
        return [mutant for file, source in sources.items()
                for mutant in self._of_file(file, source, widths, called)]

    def _of_file(self, file, source, widths, called):
        plain = tools.digest(self._anonymous(source.text))
        for regions, changes in operators.changes(source, widths):
            function = regions[0].function
            if function and function not in called:
                continue
            start = source.text.rfind("\n", 0, changes[0].start) + 1
            end = source.text.find("\n", changes[-1].end)
            place = source.text.count("\n", 0, start) + 1
            faulty = render.applied(source.text[start:end],
                                    [render.moved(change, start) for change in changes])
            key = tools.digest(plain, str(place), self._anonymous(faulty))
            yield Mutant(self, block_of(file, self.name, function), file, place,
                         changes[0].operator, regions, changes, key)

    def _anonymous(self, text):
        """Without the configuration's name and hash."""
        return re.sub(rf"\b{self.name}(?=_)", "td", re.sub(r"// Emitted by .*", "", text))

    def write(self, folder, texts):
        """A copy of the design with some files replaced or added in front; returns the folder."""
        folder = tools.make_folder(folder)
        added = [file for file in texts if file not in self.texts]
        manifest = {**self.manifest, "verilog": [*added, *self.manifest["verilog"]]}
        tools.write(folder / f"{self.name}.json", json.dumps(manifest, indent=2))
        tools.write(folder / f"{self.name}.toml", (self.rtl / f"{self.name}.toml").read_text())
        for file, text in {**self.texts, **texts}.items():
            path = folder / file
            if not path.exists() or path.read_text() != text:  # what is the same is not built again
                tools.write(path, text)
        return folder


def _called(regions):
    """Names of the functions that any module uses, directly or through others."""
    calls = {}
    for region in regions:
        if region.node is not None:
            calls.setdefault(region.function, set()).update(
                node.op.text.rpartition("::")[2] for node in region.node.walk()
                if node.kind == "call")
    reached, ahead = set(), [""]
    while ahead:
        found = calls.get(ahead.pop(), set()) - reached
        reached |= found
        ahead += found
    return reached


def _call(command):
    done = subprocess.run([str(word) for word in command], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True, check=False)
    if done.returncode == 2:
        raise Refused(done.stderr.strip().splitlines()[-1])
    if done.returncode != 0:
        raise CheckError(f"{command[0]}: status {done.returncode}: {done.stderr.strip()}")
    return done.stdout
