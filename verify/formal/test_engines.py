#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Tests of the proofs about load and store engine and about control: they hold, and each is refuted
by injected faults, seen again in the wave. Without --all: fewer of them."""

import pathlib
import shutil
import sys
import tempfile

sys.dont_write_bytecode = True
ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "scripts"), str(ROOT / "verify")]

from formal import designs, library  # noqa: E402
from formal.proof import REFUTED  # noqa: E402
from injected import catalogue  # noqa: E402


def _name(proof):
    return f"{proof.block} {proof.signal}"


def _chosen(design, names):
    """A proof of each name."""
    return list({_name(proof): proof for proof in library.proofs(design)
                 if _name(proof) in names}.values())


def _refuted(fault, names):
    """Those of the names whose proof a fault refutes, with a wave."""
    with tempfile.TemporaryDirectory() as folder:
        rtl = pathlib.Path(folder) / "hw"
        shutil.copytree(ROOT / "hw", rtl)
        design = designs.Engines(rtl=rtl)
        path = design.file(fault.block)
        path.write_text(fault.injected(path.read_text(encoding="utf-8")), encoding="utf-8")
        found = library.verdicts(_chosen(design, names))
        return {_name(one.proof) for one in found
                if one.verdict == REFUTED and one.wave.stat().st_size}


def main():
    """Exit status."""
    whole = sys.argv[1:] == ["--all"]
    sound = library.proofs(designs.Engines())
    known = {_name(proof) for proof in sound}
    if not whole:
        sound = _chosen(designs.Engines(), known)
    missed = [f"not proved: {_name(one.proof)}" for one in library.verdicts(sound)
              if not one.proved]
    left = set(known)
    count = 0
    listed = (*catalogue.faults("engines"), *catalogue.faults("control"))
    for fault, names in catalogue.refuting(listed, "engines", whole):
        count += 1
        left -= names
        lost = names - _refuted(fault, names)
        print(f"{'MISSED' if lost else 'refuted'}: {fault.name}: {', '.join(sorted(names))}",
              flush=True)
        missed += sorted(lost)
    missed += [f"no fault refutes {name}" for name in sorted(left)]
    print("\n".join(missed or [f"{len(sound)} proofs hold, {count} faults refuted"]))
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
