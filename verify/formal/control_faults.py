# SPDX-License-Identifier: Apache-2.0
"""Injects faults in the control of cut-down tiles, in operands and results of OFP8, in fused sums, and
in the lines of a zero-gated tile, and demands that the right proofs are refuted, each with a wave, and that without a
fault they hold.

usage: verify/formal/control_faults.sh [--all]   (without it: a few, in a minute)
"""

import re
import sys

from injected import catalogue
from toolbox import tools

from . import designs, library
from .proof import REFUTED

CONFIGS = (*(designs.CUT / f"{name}.toml" for name in ("cut", "cut_columns", "cut_two_sided")),
           designs.CONFIGS / "fp8_lanes5.toml",
           designs.CONFIGS / "fp8_results.toml",
           designs.CONFIGS / "fused_lanes6.toml", designs.CONFIGS / "late.toml", designs.CONFIGS / "zero_gated.toml")


def _design(config, fault=None):
    """A copy of the emitted Verilog, with a fault or without."""
    sound = designs.emit(config)
    name = fault.name if fault else f"sound {config.stem}"
    folder = tools.make_folder(tools.BUILD / "proofs" / "faults" / re.sub(r"\W", "_", name))
    for path in sound.emitted.files:
        tools.write(folder / path.name, path.read_text(encoding="utf-8"))
    if fault:
        fault.inject(sound.manifest, folder)
    return designs.at(folder, config)


def _name(proof, wanted):
    """What of `wanted` names the proof: "block signal", or "block signal, size"; or None."""
    name = f"{proof.block} {proof.signal}"
    return next((one for one in (name, f"{name}, {proof.size}") if one in wanted), None)


def _chosen(design, wanted):
    """Proofs that are named."""
    return [proof for proof in library.proofs(design) if _name(proof, wanted)]


def _missed(config, injected):
    """How many of the faults are not refuted by all that they name."""
    wanted = {name for fault in injected for name in fault.proofs[config.stem]}
    false = [one.proof.signal for one in library.verdicts(_chosen(_design(config), wanted))
             if not one.proved]
    if false:
        sys.exit(f"without a fault: not proved: {', '.join(false)}")
    missed = 0
    for fault in injected:
        names = fault.proofs[config.stem]
        found = library.verdicts(_chosen(_design(config, fault), names))
        lived = [one.proof.signal for one in found
                 if one.verdict != REFUTED or not one.wave.stat().st_size]
        caught = {_name(one.proof, names) for one in found} == set(names) and not lived
        missed += not caught
        print(f"{'refuted' if caught else 'MISSED'}: {fault.name}: {', '.join(lived or names)}",
              flush=True)
    return missed


def main():
    """Exit status."""
    whole = sys.argv[1:] == ["--all"]
    total = missed = 0
    for config in CONFIGS:
        injected = [fault for fault in catalogue.faults()
                    if config.stem in fault.proofs and (whole or fault.quick)]
        total += len(injected)
        missed += _missed(config, injected)
    print(f"{total - missed} of {total} faults refuted")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
