# SPDX-License-Identifier: Apache-2.0
"""What the page was made from, the figures of each run at a glance, and the choosers of all runs."""

from .. import coverage, inputs, machine
from ..markup import Column, Part, chooser, escape, folded, headline, section, table

KINDS = {"run": "tdsim run or synth", "ppa": "scripts/ppa", "explore": "tdsim explore",
         "evidence": "evidence", "regress": "scripts/regress",
         "pass": "tdsim pass", "accelerator": "tdaccel step", "batch": "tdjob plan", "job": "tdjob plan"}
# Of totals.all: what a reader wants to know first. Of compute alone there is nothing of the last two.
HEAD = (("data_speedup_ratio", "×", "data speed-up", ".2f", 1),
        ("filled_in_speedup_ratio", "×", "filled-in speed-up", ".2f", 1),
        ("total_speedup_ratio", "×", "total speed-up", ".2f", 1),
        ("utilisation_ratio", "%", "of multipliers used", ".1f", 100),
        ("total_memory_speedup_ratio", "×", "total speed-up with memory", ".2f", 1),
        ("total_system_efficiency_ratio", "×", "energy efficiency, memory included", ".2f", 1))


def _glance(source):
    run = source.document
    configuration, accelerator = run["configuration"], run["accelerator"]
    around = machine.memory_text(run) if machine.has(run) else "compute alone"
    said = (f"{configuration['name']}: {accelerator['tiles']} tiles of {configuration['rows']}×"
            f"{configuration['columns']} PEs, {configuration['lanes']} lanes, depth "
            f"{configuration['depth_rows']}, {configuration['format']}, "
            f"{run['technology']['clock_MHz']} MHz, {around}. {inputs.source_text(run['source'])}.")
    shown = "\n".join(
        headline(((what, unit, form, scale, total[name]) for name, unit, what, form, scale in HEAD
                  if total[name] is not None),
                {"snapshot": snapshot, "exact": "snapshot"})
        for snapshot, total in inputs.moments(run))
    notes = "".join(f"<li>{escape(note)}</li>" for note in run["notes"])
    notes = folded(f"{len(run['notes'])} notes", f"<ul>{notes}</ul>") if notes else ""
    return (f'<div class="glance" data-result="{escape(source.label)}"><p>{escape(said)} All '
            f"layers and operations of the snapshot that is chosen:</p>{coverage.html(run)}{shown}{notes}</div>")


def _choices(runs):
    """The choosers, and what there is to choose in each run."""
    def names(run, key):
        return list(dict.fromkeys(one[key] for one in run.document["operations"]))

    def snapshots(run):
        return [snapshot for snapshot, _ in inputs.moments(run.document)]

    first = runs[0]
    every = [("", "all")]
    html = '<form id="choosers" aria-label="What is shown">' + "".join((
        chooser("result", "Result", [(run.label, run.label) for run in runs]),
        chooser("snapshot", "Snapshot", [(one, one or "all") for one in snapshots(first)]),
        chooser("layer", "Layer", every + [(one, one) for one in names(first, "layer")]),
        chooser("op", "Operation", every + [(one, one) for one in names(first, "op")]))) + "</form>"
    return html, [{"result": run.label, "snapshots": snapshots(run), "layers": names(run, "layer"), "ops": names(run, "op")} for run in runs]


def part(sources):
    """Head of the page."""
    columns = (Column("result"), Column("kind"), Column("written by"), Column("file"))
    rows = [({}, (source.label, KINDS[source.kind],
                  source.document.get("program", "–") if isinstance(source.document, dict) else "–",
                  source.path)) for source in sources]
    listed = table("Files that this page was made from", columns, rows, "sources")
    runs = inputs.of(sources, "run")
    if not runs:
        return Part(section("overview", "Results", listed))
    choosers, choices = _choices(runs)
    glances = "\n".join(_glance(run) for run in runs)
    return Part(choosers + section("overview", "At a glance", f"{glances}\n"
                        + folded(f"{len(sources)} files that this page was made from", listed),
                        "Speed-ups are over dense tiles with the same operands. <em>Data</em> is "
                        "what zeros of the tensors gain, <em>filled-in</em> what dropping the "
                        "mapping’s own padding gains; <em>total</em> is their product."),
                {"choices": choices})
