# SPDX-License-Identifier: Apache-2.0
"""Results from memory to memory, and what is said in their place of one that is of compute alone."""

import json

from .markup import escape

ALONE = ("This result is of compute alone, of tiles that are always served: it has no clocks and no "
         "energy from memory to memory.")


def has(run):
    """Whether a result has the accelerator around its tiles."""
    return run["latency_clocks"] is not None


def memory_text(memory):
    """What a result says of the memory behind the bus."""
    bandwidth = memory["bandwidth_bytes_in_1000_clocks"]
    moves = f" and moves {bandwidth / 1000:g} bytes a clock" if bandwidth else ""
    return f"a memory that answers after {memory['latency_clocks']} clocks{moves}"


def of(runs):
    """Sources with it."""
    return [run for run in runs if has(run.document)]


def shown(runs, content):
    """Content that is of those with it; of each other one a sentence. Which is seen, the choosers say."""
    labels = [run.label for run in of(runs)]
    listed = escape(json.dumps(labels))
    kept = f'<div data-results="{listed}">\n{content}\n</div>' if labels else ""
    return kept + "".join(f'<p data-result="{escape(run.label)}">{ALONE}</p>'
                          for run in runs if run.label not in labels)
