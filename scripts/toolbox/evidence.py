# SPDX-License-Identifier: Apache-2.0
"""What the verification commands have shown, one JSON file for each in build/evidence.

scripts/evidence makes one table of them: a line for each block, a column for each kind of evidence.
"""

import dataclasses
import functools
import json

from . import tools
from .errors import CheckError

FOLDER = tools.BUILD / "evidence"

SOFTWARE = ("base", "gen", "sim")
# The modules of hw/, then the software.
BLOCKS = ("multiplier", "adder", "fused_product", "fused_terms", "fused_sum", "fused_adder", "fused",
          "from_fp8", "to_fp8", "to_bf16", "pipe", "skid", "reset", "intake", "moves", "search", "staging", "window",
          "scheduler", "interconnect", "row", "sequencer", "live", "adder_tree", "pe", "array", "counters", "tile",
          "dense_intake", "dense_line", *SOFTWARE)
# Modules that an accelerator has around its tiles, and that proofs are about.
ENGINES = ("fifo", "burst", "transfer", "store_rows", "axi_lite", "jobs", "fetch", "dispatch",
           "span", "control", "turns", "placer", "results", "operands")
COLUMNS = ("lint", "proof", "equivalence", "vectors", "coverage", "mutants")


@dataclasses.dataclass(frozen=True)
class Cell:
    """One cell of the table. text: what was counted, a few words."""

    block: str
    column: str
    text: str
    passed: bool

    def __post_init__(self):
        if self.block not in BLOCKS or self.column not in COLUMNS:
            raise ValueError(f"{self.block} × {self.column}: no such cell")


@functools.lru_cache(maxsize=None)
def sources():
    """Digest of what the evidence is about: hardware, presets and software, as git knows them."""
    return tools.digest(*(part for name in tools.sources("hw", "presets", *SOFTWARE)
                          for part in (name, tools.file_digest(tools.ROOT / name))))


def any_shown():
    """Whether a command has left evidence in this checkout."""
    return any(FOLDER.glob("*.json"))


def record(part, command, cells):
    """Keeps the cells that a command has shown. part: name of the file; command: as a user types it."""
    if not cells:
        raise CheckError(f"{part}: nothing was checked")
    text = json.dumps({"command": command, "sources": sources(),
                       "cells": [dataclasses.asdict(cell) for cell in cells]}, indent=1)
    tools.write(tools.make_folder(FOLDER) / f"{part}.json", f"{text}\n")
