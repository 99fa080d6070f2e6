# SPDX-License-Identifier: Apache-2.0
"""BPPSA (arXiv:1907.10134): the backward pass as a scan."""

from system.figures.row import Row

FILE = "scan_steps.json"
STEPS = {10: 5, 100: 12, 1000: 18, 10000: 25}


def rows(job):
    """All of this system."""
    for chain, steps in STEPS.items():
        full, serial = job.ask("bppsa", FILE, [{"chain": chain, "L_m": None},
                                               {"chain": chain, "L_m": 0}])
        yield Row("BPPSA", f"steps of a chain of {chain}", steps, "authors' simulation",
                  full["steps"], 0.0)
        yield Row("BPPSA", f"serial steps of a chain of {chain}", chain - 2, "formula n-2",
                  serial["steps"], 0.0)
    yield from job.entry_rows("BPPSA", "scan", "bppsa", FILE, source="authors' simulation")
    # The paper's longest recurrent network. What a step of the scan takes on its GPU is not known.
    full, serial = job.ask("bppsa", FILE, [{"chain": 30000, "L_m": length} for length in (None, 0)])
    yield Row("BPPSA", "largest speed-up of the backward pass; ours: steps of 30,000 over the scan's, each as long",
              108.0, "paper", serial["steps"] / full["steps"])
