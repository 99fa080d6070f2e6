# SPDX-License-Identifier: Apache-2.0
"""Assertions of hw/: which there are, and which a simulation says have failed."""

import re

from toolbox import tools

_FAILED = re.compile(r"%Error: \S*?td\d+_(\w+)_assert\.sv:\d+: Assertion failed in \S*?(\w+):")
_LABEL = re.compile(r"(?m)^ *(\w+): assert property")


def known(room="tile"):
    """All of a folder of hw/, as "block label"."""
    return {f"{path.stem.split('_', 1)[1].removesuffix('_assert')} {label}"
            for path in (tools.ROOT / "hw").glob(f"{room}/*_assert.sv")
            for label in _LABEL.findall(path.read_text(encoding="utf-8"))}


def failed(output):
    """Those that Verilator's output names."""
    return {f"{block} {label}" for block, label in _FAILED.findall(output)}
