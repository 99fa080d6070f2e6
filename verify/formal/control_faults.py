# SPDX-License-Identifier: Apache-2.0
"""Injects faults in the control of the cut-down tile and demands that the right proofs are refuted,
each with a wave, and that without a fault they hold.

usage: verify/formal/control_faults.sh [--all]   (without it: a few, in a minute)
"""

import re
import sys

from injected import catalogue
from toolbox import tools

from . import designs, library
from .proof import REFUTED

CONFIG = designs.CUT / "cut.toml"


def _design(fault=None):
    """A copy of the emitted Verilog, with a fault or without."""
    sound = designs.emit(CONFIG)
    name = fault.name if fault else "sound"
    folder = tools.make_folder(tools.BUILD / "proofs" / "faults" / re.sub(r"\W", "_", name))
    for path in sound.emitted.files:
        tools.write(folder / path.name, path.read_text(encoding="utf-8"))
    if fault:
        fault.inject(sound.manifest, folder)
    return designs.at(folder, CONFIG)


def _chosen(design, wanted):
    """Proofs that are named, as "block signal"."""
    return [proof for proof in library.proofs(design) if f"{proof.block} {proof.signal}" in wanted]


def main():
    """Exit status."""
    whole = sys.argv[1:] == ["--all"]
    injected = [fault for fault in catalogue.faults()
               if CONFIG.stem in fault.proofs and (whole or fault.quick)]
    wanted = {name for fault in injected for name in fault.proofs[CONFIG.stem]}
    false = [one.proof.signal for one in library.verdicts(_chosen(_design(), wanted))
             if not one.proved]
    if false:
        sys.exit(f"without a fault: not proved: {', '.join(false)}")
    missed = 0
    for fault in injected:
        names = fault.proofs[CONFIG.stem]
        found = library.verdicts(_chosen(_design(fault), names))
        lived = [one.proof.signal for one in found
                 if one.verdict != REFUTED or not one.wave.stat().st_size]
        judged = {f"{one.proof.block} {one.proof.signal}" for one in found}
        caught = judged == set(names) and not lived
        missed += not caught
        print(f"{'refuted' if caught else 'MISSED'}: {fault.name}: {', '.join(lived or names)}",
              flush=True)
    print(f"{len(injected) - missed} of {len(injected)} faults refuted")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
