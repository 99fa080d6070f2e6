# SPDX-License-Identifier: Apache-2.0
"""Result files: what kind each is of, and that it has what the page shows."""

import dataclasses
import json
import pathlib
import re

from toolbox.errors import UserError

# Kind -> the format that its files name, and members that they must have.
FORMATS = {
    "run": ("tensordash-result-14", ("configuration", "accelerator", "technology", "source",
                                    "latency_clocks", "operations", "totals")),
    "ppa": ("tensordash-ppa-3", ("name", "tiles", "ratios", "clock_ns", "library", "corner", "trace")),
    "explore": ("tensordash-explore-2", ("objectives", "points")),
    "pass": ("tensordash-pass-1", ("configuration", "source", "passes")),
    "accelerator": ("tensordash-accelerator-4", ("configuration", "accelerator", "technology",
                                                 "memory", "source", "operations", "totals")),
}
# Files without a format, by members: of the document, or of each entry of a list.
EVIDENCE, REGRESS = {"command", "cells"}, {"configuration", "run", "status", "passes"}
BATCH = {"scenario", "batch", "samples", "memory_gb"}
JOB = "percent_of_time"   # what a member's name ends in, behind the hardware's
# What a document leads to that is not as its format has it.
MALFORMED = (LookupError, TypeError, AttributeError, ValueError, ArithmeticError)
# What a file must have something of.
FILLED = {"run": "operations", "ppa": "tiles", "explore": "points",
          "pass": "passes", "accelerator": "operations", "evidence": "cells"}
LEGAL = ("a result of tdsim --json (" + FORMATS["run"][0] + "), of scripts/ppa ("
         + FORMATS["ppa"][0] + "), of tdsim explore (" + FORMATS["explore"][0]
         + "), of tdaccel step (" + FORMATS["accelerator"][0]
         + "), of tdjob plan --json for a batch size or a job, results.json of scripts/regress, or a file of "
         "build/evidence")


@dataclasses.dataclass(frozen=True)
class Source:
    """A file that was read. label: short, and no other source of the page has it."""

    kind: str
    path: str
    label: str
    document: object


def _text(path):
    try:
        with open(path, encoding="utf-8") as file:
            return file.read()
    except OSError as error:
        raise UserError(path, "file", error.strerror, "a readable result") from error
    except UnicodeDecodeError as error:
        raise UserError(path, "file", f"byte {error.start} that is no UTF-8", LEGAL) from error


def _document(path):
    try:
        return json.loads(_text(path), parse_constant=_no_number)
    except (ValueError, RecursionError) as error:
        raise UserError(path, "JSON", str(error) or "nested too deep", LEGAL) from error


def _no_number(text):
    raise ValueError(f"{text} is no number of JSON")


def _kind_of_format(path, document):
    found = document.get("format")
    for kind, (name, members) in FORMATS.items():
        if found == name:
            for member in members:
                if member not in document:
                    raise UserError(path, member, "missing", f"what {name} has")
            return kind
    raise UserError(path, "format", "missing" if found is None else json.dumps(found), LEGAL)


def _kind(path, document):
    if isinstance(document, dict) and EVIDENCE <= document.keys():
        return "evidence"
    if isinstance(document, dict) and BATCH <= document.keys():
        return "batch"
    if isinstance(document, dict) and any(name.endswith(JOB) for name in document):
        return "job"
    if isinstance(document, dict):
        return _kind_of_format(path, document)
    if not isinstance(document, list):
        raise UserError(path, "JSON", type(document).__name__, LEGAL)
    if not document:
        raise UserError(path, "entries", 0, "1 or more")
    if not all(isinstance(one, dict) and REGRESS <= one.keys() for one in document):
        raise UserError(path, "entries", "unknown", LEGAL)
    return "regress"


def _name(kind, document, path):
    """What a reader calls a source."""
    stem = pathlib.Path(path).stem
    if kind == "run":
        source = document["source"]
        drawn = re.match(r"zeros of (\S+?)(?:\.toml)?, ", source["dataset"])
        zeros = f" ({drawn.group(1)})" if drawn else ""
        return f"{source['model']}{zeros}, {document['configuration']['name']}"
    if kind == "ppa":
        return f"{document['name']}, {document['trace']}"
    if kind == "explore":
        return document.get("space") or stem
    if kind == "regress":
        return pathlib.Path(path).resolve().parent.name  # that of the suite
    if kind == "batch":
        return pathlib.Path(document["scenario"]).stem
    if kind == "accelerator":
        return f"{document['source']['model']}, {document['configuration']['name']}: Verilog"
    if kind == "pass":
        return f"{document['source']['model']}, {document['configuration']['name']}: passes"
    return stem


def read(paths):
    """Sources in the order of the paths. Throws UserError."""
    sources, labels = [], set()
    for path in paths:
        document = _document(path)
        kind = _kind(path, document)
        if kind in FILLED and not document[FILLED[kind]]:
            raise UserError(path, FILLED[kind], "nothing", "1 or more")
        try:
            label = _name(kind, document, path)
        except MALFORMED as error:
            raise missing(path, error) from error
        if label in labels:
            label = f"{label} ({len(sources) + 1})"
        labels.add(label)
        sources.append(Source(kind, str(path), label, document))
    return sources


def missing(path, error):
    """The error for a member that a section asked for in vain."""
    what = error.args[0] if isinstance(error, KeyError) and error.args else error
    return UserError(path, what, "missing or of another kind", "what its format has")


def source_text(source):
    """Network and data of a result's source, as far as they are known."""
    return ": ".join(filter(None, (source["model"], source["dataset"])))


def moments(run):
    """[(snapshot, its totals)]; all of them together are '', where there are several."""
    totals = run["totals"]
    each = [(one["snapshot"], one) for one in totals["by_snapshot"]]
    return each if len(each) == 1 else [("", totals["all"]), *each]


def sums(run):
    """(snapshot or '', operation or '' for all, totals)"""
    totals = run["totals"]
    for snapshot, everything in moments(run):
        each = ([one for one in totals["by_snapshot_op"] if one["snapshot"] == snapshot]
                if snapshot else totals["by_op"])
        yield from ((snapshot, one["op"], one) for one in each)
        yield snapshot, "", everything


def of(sources, *kinds):
    """Those of these kinds."""
    return [source for source in sources if source.kind in kinds]
