# SPDX-License-Identifier: Apache-2.0
"""Verdicts as a table, as JSON and as evidence."""

import json

from toolbox import evidence, text_table, tools

from .proof import PROVED, REFUTED
from .yosys import FOLDER


def _row(proof):
    return [proof.block, proof.name, proof.design.name, proof.size, proof.method.text]


def list_lines(listed):
    """The proofs, unproved."""
    return text_table.lines([["block", "proof", "configuration", "size", "method"],
                             *map(_row, listed)], left=5)


def lines(found, rtl):
    """Table of the verdicts; then, for each that is refuted, its wave and how to see it again."""
    rows = [["block", "proof", "configuration", "size", "method", "verdict", "seconds"]]
    rows += [[*_row(one.proof), one.verdict, f"{one.seconds:.1f}"] for one in found]
    result = text_table.lines(rows, left=6)
    for one in found:
        if one.verdict != REFUTED:
            continue
        proof = one.proof
        folder = f" --rtl {rtl}" if rtl else ""
        result += ["", f"refuted: {proof.block}: {proof.name}: {proof.signal} = 0 at the end of "
                   "the wave",
                   f"  wave: {one.wave}",
                   f"  again: scripts/prove{folder} --config {proof.design.config} "
                   f"--block {proof.block}"]
    proved = sum(one.verdict == PROVED for one in found)
    seconds = sum(one.seconds for one in found)
    result += ["", f"{proved} of {len(found)} proofs proved, {seconds:.1f} s of them"]
    return result


def write(found):
    """All verdicts as a JSON file; returns its path."""
    path = tools.make_folder(FOLDER) / "proofs.json"
    text = json.dumps([{"block": one.proof.block, "proof": one.proof.name,
                        "configuration": one.proof.design.name, "hash": one.proof.design.hash,
                        "size": one.proof.size, "method": one.proof.method.text,
                        "verdict": one.verdict, "seconds": round(one.seconds, 3),
                        "wave": one.wave and str(one.wave)} for one in found], indent=1)
    tools.write(path, f"{text}\n")
    return path


def record(found):
    """Keeps what the whole list has shown, as evidence on each block."""
    cells = []
    for block in evidence.BLOCKS:
        own = [one for one in found if one.proof.block == block]
        if not own:
            continue
        proved = sum(one.verdict == PROVED for one in own)
        designs = len({one.proof.design.name for one in own})
        count = f"{proved}" if proved == len(own) else f"{proved} of {len(own)}"
        cells.append(evidence.Cell(block, "proof", f"{count} proved, {designs} configurations",
                                   proved == len(own)))
    evidence.record("proof", "scripts/prove", cells)
