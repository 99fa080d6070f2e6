# SPDX-License-Identifier: Apache-2.0
"""All proofs that there are, and their verdicts."""

import concurrent.futures
import os

from toolbox import tools
from toolbox.progress import Progress

from . import dense, designs, intake, interconnect, leaves, row, scheduler, sequencer, tile, yosys

# Modules with proofs(design).
SUBJECTS = (scheduler, interconnect, row, intake, leaves, sequencer, dense, tile)


def proofs(design, blocks=None):
    """Those about a design, or about some blocks of it."""
    return [proof for subject in SUBJECTS for proof in subject.proofs(design)
            if blocks is None or proof.block in blocks]


def _all(function, items, what, runner, jobs):
    """function(item, runner) of each, the order kept. An exception of one ends the others."""
    progress = Progress(what, len(items))
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        try:
            running = [pool.submit(function, item) for item in items]
            for done in concurrent.futures.as_completed(running):
                done.result()
                progress.step()
        except BaseException:
            runner.stop()
            pool.shutdown(wait=True, cancel_futures=True)
            raise
        finally:
            progress.finish()
    return [done.result() for done in running]


def verdicts(listed, jobs=None):
    """Verdicts on proofs, in their order."""
    jobs = jobs or int(os.environ.get("TD_JOBS") or os.cpu_count() or 1)
    runner = tools.Runner()
    yosys.clean()
    models = {}
    of_proof = []
    for proof in listed:
        model = yosys.Model(proof)
        of_proof.append(models.setdefault(model.key, model))
    # The largest first: whatever is last should be short.
    _all(lambda model: model.build(runner), sorted(models.values(), key=lambda model: -model.size),
         "models", runner, jobs)
    return _all(lambda pair: yosys.judge(*pair, runner), list(zip(listed, of_proof)), "proofs",
                runner, jobs)


def judge_folder(folder, config, blocks=None, jobs=None):
    """Verdicts on Verilog that lies in a folder, named as tdgen names it."""
    return verdicts(proofs(designs.at(folder, config), blocks), jobs)
