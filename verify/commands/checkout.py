# SPDX-License-Identifier: Apache-2.0
"""A copy of what commands need of a checkout, without build/; and programs that stand in for others."""

import pathlib
import shutil

ROOT = pathlib.Path(__file__).resolve().parents[2]


def copy(folder):
    """The copy, in a folder."""
    root = pathlib.Path(folder) / "checkout"
    for name in ("scripts", "presets", "sim/networks", "verify"):
        shutil.copytree(ROOT / name, root / name, ignore=shutil.ignore_patterns("traces"))
    return root


def stand_in(path, lines):
    """A program of the shell."""
    path = pathlib.Path(path)
    path.write_text(f"#!/bin/bash\n{lines}\n")
    path.chmod(0o755)
    return path
