# SPDX-License-Identifier: Apache-2.0
"""Suites: a TOML file that declares runs, and how many random configurations."""

import dataclasses
import pathlib
import shlex
import tomllib

from toolbox import tools
from toolbox.errors import UserError

FOLDER = pathlib.Path(__file__).resolve().parent
NAMES = ("smoke", "nightly", "accelerator")
PROGRAMS = ("tdreplay", "tdleaf", "tdaccel")
PRESETS = tools.ROOT / "presets"

# Options that the regression sets itself, or that would change what a run's exit status means.
RESERVED = ("--seed", "--wave", "--wave-from", "--clocks", "--coverage-file", "--repeat", "--help",
            "-h")


@dataclasses.dataclass(frozen=True)
class Run:
    """One line of a suite: `seeds` runs of a program with these options."""

    config: str  # a preset's name, or a path relative to the repository's root
    program: str
    options: str
    seeds: int


@dataclasses.dataclass(frozen=True)
class Random:
    """Configurations drawn from the suite's seed, each run with every one of the options."""

    configurations: int
    largest: int  # rows × columns × lanes
    options: tuple


@dataclasses.dataclass(frozen=True)
class Suite:
    """What a file declares. name: that of the file, without its suffix."""

    name: str
    file: str
    runs: tuple
    random: Random | None


def find(name):
    """The file of a suite: one of ours by name, or any other by path."""
    return FOLDER / f"{name}.toml" if name in NAMES else pathlib.Path(name)


def load(name):
    """A suite by name or path; refuses whatever is not a suite."""
    path = find(name)
    try:
        with open(path, "rb") as file:
            document = tomllib.load(file)
    except OSError as error:
        raise UserError(path, "suite", error.strerror,
                        f"{', '.join(NAMES)}, or a readable TOML file") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise UserError(path, "suite", f"\"{error}\"", "a TOML file") from error
    return _Reader(path).suite(document)


class _Reader:
    """Holds what every message names."""

    def __init__(self, path):
        self.path = path

    def suite(self, document):
        """The whole document."""
        self._known(document, "", ("run", "random"))
        tables = document.get("run", [])
        if not isinstance(tables, list) or not all(isinstance(one, dict) for one in tables):
            self._refuse("run", tables, "[[run]] tables")
        runs = tuple(run for table in tables for run in self._runs(table))
        drawn = self._random(document["random"]) if "random" in document else None
        if not runs and drawn is None:
            self._refuse("run", "(absent)", "at least one [[run]] or a [random] table")
        return Suite(self.path.stem, str(self.path), runs, drawn)

    def _runs(self, table):
        """A table stands for every one of its configurations with every one of its options."""
        self._known(table, "run.", ("config", "program", "options", "seeds"))
        if "config" not in table:
            self._refuse("run.config", "(absent)", "a preset, or a path from the repository's root")
        program = table.get("program", PROGRAMS[0])
        if program not in PROGRAMS:
            self._refuse("run.program", program, f"one of {', '.join(PROGRAMS)}")
        seeds = self._whole(table, "run.", "seeds", 1, 10000, 1)
        return [Run(self._config(config), program, self._options("run.options", options), seeds)
                for config in self._texts(table, "run.", "config")
                for options in self._texts(table, "run.", "options")]

    def _random(self, table):
        if not isinstance(table, dict):
            self._refuse("random", table, "a [random] table")
        self._known(table, "random.", ("configurations", "largest", "options"))
        if not table.get("options"):
            self._refuse("random.options", table.get("options", "(absent)"),
                         "options of tdreplay, at least one text")
        options = tuple(self._options("random.options", text)
                        for text in self._texts(table, "random.", "options"))
        return Random(self._whole(table, "random.", "configurations", 1, 100000, None),
                      self._whole(table, "random.", "largest", 2, 1024, 32), options)

    def _config(self, config):
        if not (PRESETS / f"{config}.toml").is_file() and not (tools.ROOT / config).is_file():
            self._refuse("run.config", config, "a preset, or a file's path from the repository's root")
        return config

    def _options(self, field, text):
        try:
            words = shlex.split(text)
        except ValueError as error:
            self._refuse(field, text, f"words of a command line ({error})")
        for word in words:
            if word.split("=")[0] in RESERVED:
                self._refuse(field, word, f"options of the program but {', '.join(RESERVED)}, "
                             "which the regression sets")
        return shlex.join(words)

    def _texts(self, table, prefix, key):
        """A text, or a list of texts."""
        value = table.get(key, "")
        texts = value if isinstance(value, list) else [value]
        if not texts or not all(isinstance(text, str) for text in texts):
            self._refuse(f"{prefix}{key}", value, "a text, or a list of texts")
        return texts

    def _whole(self, table, prefix, key, least, most, default):
        value = table.get(key, default)
        if type(value) is not int or not least <= value <= most:
            self._refuse(f"{prefix}{key}", "(absent)" if value is None else value,
                         f"{least}..{most}")
        return value

    def _known(self, table, prefix, keys):
        for key in table:
            if key not in keys:
                self._refuse(f"{prefix}{key}", table[key], f"no such field; known: "
                             f"{', '.join(f'{prefix}{known}' for known in keys)}")

    def _refuse(self, field, value, legal):
        raise UserError(self.path, field, value, legal)
