# SPDX-License-Identifier: Apache-2.0
"""All proofs that there are, and their verdicts."""

from toolbox import pool, tools

from . import designs, yosys
from .blocks import (control, dense, engines, fused, intake, intake_stalls, interconnect, leaves,
                     live, operands_fp8, results_fp8, row, scheduler, sequencer, staging, tile)

# Modules with proofs(design).
SUBJECTS = (scheduler, interconnect, staging, row, intake, intake_stalls, leaves, live, fused,
            operands_fp8, results_fp8, sequencer, dense, tile)


def proofs(design, blocks=None):
    """Those about a design, or about some blocks of it."""
    subjects = (*engines.SUBJECTS, *control.SUBJECTS) if isinstance(design, designs.Engines) else SUBJECTS
    return [proof for subject in subjects for proof in subject.proofs(design)
            if blocks is None or proof.block in blocks]


def verdicts(listed, jobs=None):
    """Verdicts on proofs, in their order."""
    runner = tools.Runner()
    yosys.clean()
    models = {}
    of_proof = []
    for proof in listed:
        model = yosys.Model(proof)
        of_proof.append(models.setdefault(model.key, model))
    # The largest first: whatever is last should be short.
    pool.for_each(lambda model: model.build(runner),
                  sorted(models.values(), key=lambda model: -model.size), "models", runner, jobs)
    return pool.for_each(lambda pair: yosys.judge(*pair, runner), list(zip(listed, of_proof)),
                         "proofs", runner, jobs)
