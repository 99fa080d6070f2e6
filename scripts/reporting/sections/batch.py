# SPDX-License-Identifier: Apache-2.0
"""A batch size: a slider moves rate, time and memory at once, and a command writes the choice."""

from .. import inputs
from ..markup import Column, Part, chart, escape, section, table

FIT = ("run_time_slope_ms", "run_time_bias_ms", "memory_slope", "memory_bias")
LIMITS = ("max_samples_per_s", "batch_at_80_percent_of_max", "largest_batch")
MEASURED = ("batch", "run_time_ms", "peak_bytes")
COLUMNS = (Column("hardware"), Column("rate", "samples/s", ",.1f"),
           Column("of the most", "%", ".1f"), Column("iteration", "ms", ",.2f"),
           Column("job", "hours", ",.2f"), Column("memory", "GB", ",.2f", 1e-9))
SAMPLES = (Column("hardware"), Column("batch", "samples", ",.0f"), Column("iteration", "ms", ",.2f"),
           Column("memory", "GB", ",.2f", 1e-9))


def hardware(document):
    """What there are times of; "" where a scenario names none."""
    found = [key.removesuffix(LIMITS[0]).rstrip() for key in document if key.endswith(LIMITS[0])]
    if not found:
        raise KeyError(LIMITS[0])
    return found


def number(document, key):
    """A member that the script counts with."""
    value = document[key]
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise TypeError(key)
    return value


def model(document, name):
    """The lines of one kind of hardware, its limits and what was measured."""
    said = {key: number(document, f"{name} {key}".lstrip()) for key in (*FIT, *LIMITS)}
    measured = document[f"{name} measured".lstrip()]
    columns = [measured[key] for key in MEASURED]
    return {"hardware": name or "as given", **said,
            "measured": [dict(zip(MEASURED, one)) for one in zip(*columns, strict=True)]}


def _controls(place, document, largest):
    """The same number as a slider and as a field, and places to jump to."""
    name, value = f"batch-{place}", number(document, "batch")
    return (f'<label for="{name}">Batch size</label> <input type="range" id="{name}" min="1" '
            f'max="{largest}" step="1" value="{value}"> <input type="number" min="1" '
            f'max="{largest}" step="1" value="{value}" aria-label="Batch size, as a number"> '
            '<span class="jumps"></span>')


def _one(place, source):
    """(HTML, what the script needs)"""
    document = source.document
    models = [model(document, name) for name in hardware(document)]
    largest = min(one["largest_batch"] for one in models)
    rows = [({}, (one["hardware"], *(None for _ in COLUMNS[1:]))) for one in models]
    measured = [({}, (one["hardware"], *sample.values()))
                for one in models for sample in one["measured"]]
    html = (f'<div class="batch" data-batch="{place}"><h3>{escape(source.label)}</h3>'
            + _controls(place, document, largest)
            + f'<output for="batch-{place}" aria-live="polite"></output>'
            + table(f"At this batch size, of {document['samples']:,.0f} samples in all", COLUMNS,
                    rows, f"batch-table-{place}")
            + "<p>This command writes the choice into the scenario:</p>"
            '<pre class="command" tabindex="0"></pre>'
            + chart("batch", "Rate, iteration and memory over the batch size, by lines through what "
                    "was measured (points); the upright line is the choice.")
            + table(f"What {source.label} was made from", SAMPLES, measured,
                    f"batch-measured-{place}") + "</div>")
    return html, {"models": models, "largest": largest, "scenario": document["scenario"],
                  **{key: number(document, key) for key in ("samples", "memory_gb")}}


def part(sources):
    """A slider for each plan of a batch size."""
    found = inputs.of(sources, "batch")
    if not found:
        return None
    made = [_one(place, source) for place, source in enumerate(found)]
    return Part(section("batch", "Which batch size", "\n".join(html for html, _ in made),
                        "Every figure is of one accelerator, by two lines: time and memory over the "
                        "batch size."), {"batches": [data for _, data in made]})
