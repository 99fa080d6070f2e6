# SPDX-License-Identifier: Apache-2.0
"""What if there were more zeros: a slider over results that were computed, one after the other."""

from .. import inputs
from ..markup import Column, Part, chart, escape, section, table

FIELDS = (("cycles", Column("cycles", "cycles", ",d")),
          ("data_speedup_ratio", Column("data", "×", ".2f")),
          ("filled_in_speedup_ratio", Column("filled-in", "×", ".2f")),
          ("total_speedup_ratio", Column("total", "×", ".2f")),
          ("energy_pJ", Column("energy", "µJ", ",.1f", 1e-6)),
          ("total_system_efficiency_ratio", Column("efficiency", "× with memory", ".2f")))
# The tensor that is an operation's first operand.
FIRST = {"fwd": "activations", "dgrad": "gradients", "wgrad": "activations"}


def zero_share(run):
    """Share of zeros on side B of all operations, 0…1, padding aside."""
    zeros = elements = 0
    for one in run.document["operations"]:
        operand = "first" if one["side_b_tensor"] == FIRST[one["op"]] else "second"
        zeros += one[f"{operand}_tensor_zeros"]
        elements += one[f"{operand}_tensor_elements"]
    return zeros / elements


def groups(runs):
    """Runs of one network that differ in their operands: {(model, configuration): runs, fewest
    zeros first}."""
    found = {}
    for run in runs:
        document = run.document
        key = (document["source"]["model"], document["configuration"]["name"])
        found.setdefault(key, []).append(run)
    for key, same in found.items():
        same.sort(key=zero_share)
    return {key: same for key, same in found.items()
            if len({run.document["source"]["identity"] for run in same}) > 1}


def _slider(number, key, runs):
    name = f"whatif-{number}"
    columns = (Column("operands"), Column("zeros", "% of side B", ".1f", 100),
               *(column for _, column in FIELDS))
    rows = [({"step": step}, (run.document["source"]["dataset"], zero_share(run),
                              *(run.document["totals"]["all"][field] for field, _ in FIELDS)))
            for step, run in enumerate(runs)]
    title = f"{key[0]} on {key[1]}"
    return (f'<div class="whatif" data-whatif="{name}"><h3>{escape(title)}</h3>'
            f'<label for="{name}">Share of zeros</label> <input type="range" id="{name}" min="0" '
            f'max="{len(runs) - 1}" step="1" value="0"> '
            f'<output for="{name}" aria-live="polite"></output>'
            + table(f"Computed results of {title}", columns, rows, f"{name}-table") + "</div>")


def part(sources):
    """A slider for each network and configuration."""
    found = groups(inputs.of(sources, "run"))
    if not found:
        return None
    sliders, data = [], []
    for number, (key, runs) in enumerate(found.items()):
        sliders.append(_slider(number, key, runs))
        data += [{"group": f"{key[0]} on {key[1]}", "whatif": f"whatif-{number}", "step": step,
                  "zeros": zero_share(run),
                  "data": run.document["totals"]["all"]["data_speedup_ratio"],
                  "total": run.document["totals"]["all"]["total_speedup_ratio"]}
                 for step, run in enumerate(runs)]
    drawn = chart("whatif", "Data speed-up over the share of zeros on side B. Points are "
                  "results; the lines only join them.")
    return Part(section("whatif", "What if there were more zeros", drawn + "\n".join(sliders),
                        "Each position of a slider is a result that was computed; nothing is "
                        "interpolated."), {"whatif": data})
