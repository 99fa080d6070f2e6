# SPDX-License-Identifier: Apache-2.0
"""The runs that a fault is put through."""

import dataclasses
import pathlib
import tomllib

from toolbox import tools
from toolbox.errors import UserError

SMOKE = tools.ROOT / "verify" / "regress" / "smoke.toml"
PROGRAMS = ("tdreplay", "tdleaf")


@dataclasses.dataclass(frozen=True)
class Run:
    """One program with its options."""

    program: str
    options: tuple

    def __str__(self):
        return " ".join((self.program, *self.options))


def load(path):
    """For each configuration of a suite its runs, in the order of the file."""
    try:
        with open(path, "rb") as file:
            listed = tomllib.load(file).get("run", [])
    except (OSError, tomllib.TOMLDecodeError) as error:
        raise UserError(path, "file", str(error), "a readable suite in TOML") from error
    runs = {}
    for at, run in enumerate(listed):
        if not isinstance(run.get("config"), str):
            raise UserError(path, f"run[{at}].config", run.get("config"), "a preset or a file")
        if run.get("program") not in PROGRAMS:
            raise UserError(path, f"run[{at}].program", run.get("program"), " or ".join(PROGRAMS))
        options = tuple(str(run.get("options", "")).split())
        runs.setdefault(_config(run["config"]), []).append(Run(run["program"], options))
    if not runs:
        raise UserError(path, "run", "(none)", "at least one [[run]]")
    return runs


def _config(text):
    """Files are named as seen from the repository's root."""
    path = tools.ROOT / text
    return str(path) if pathlib.Path(text).suffix and path.is_file() else text
