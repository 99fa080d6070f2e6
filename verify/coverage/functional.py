# SPDX-License-Identifier: Apache-2.0
"""Functional coverage: reads what tdreplay --coverage-file writes, and adds runs up."""

import dataclasses
import json

from toolbox.errors import UserError

LEGAL = "a file that tdreplay --coverage-file wrote"
FORMAT = "tensordash-coverage-2"


@dataclasses.dataclass
class Functional:
    """Counts of one configuration. bins: name -> how often; unreachable: name -> why never."""

    configuration: str
    hash: str
    bins: dict
    unreachable: dict

    def holes(self):
        """Situations that can come up and never did."""
        return [name for name, count in self.bins.items()
                if count == 0 and name not in self.unreachable]

    def contradictions(self):
        """Situations that came up though they are said to be out of reach."""
        return [name for name in self.unreachable if self.bins[name]]

    def reachable(self):
        """Number of situations that can come up."""
        return len(self.bins) - len(self.unreachable)


def _field(path, table, key, kind):
    value = table.get(key) if isinstance(table, dict) else None
    if not isinstance(value, kind) or isinstance(value, bool) or value in ("", []):
        raise UserError(path, key, json.dumps(value)[:60], LEGAL)
    return value


def load(path):
    """One run's coverage."""
    try:
        with open(path, encoding="utf-8") as file:
            table = json.load(file)
    except OSError as error:
        raise UserError(path, "file", error.strerror, LEGAL) from error
    except ValueError as error:
        raise UserError(path, "contents", f"({error})", LEGAL) from error
    if _field(path, table, "format", str) != FORMAT:
        raise UserError(path, "format", table["format"], FORMAT)
    bins, unreachable = {}, {}
    for entry in _field(path, table, "bins", list):
        name, count = _field(path, entry, "name", str), _field(path, entry, "count", int)
        if name in bins or ": " not in name:
            raise UserError(path, "name", name, "BLOCK: what happens there, once each")
        if count < 0:
            raise UserError(path, "count", count, "0 or more")
        bins[name] = count
        if "unreachable" in entry:
            unreachable[name] = _field(path, entry, "unreachable", str)
    return Functional(_field(path, table, "configuration", str),
                      _field(path, table, "configuration_hash", str), bins, unreachable)


def add(total, run, path):
    """Adds a run to a configuration's total."""
    if run.hash != total.hash:
        raise UserError(path, "configuration_hash", run.hash,
                        f"{total.hash}, that of the other files: runs of one configuration")
    if run.bins.keys() != total.bins.keys() or run.unreachable != total.unreachable:
        raise UserError(path, "bins", f"{len(run.bins)}",
                        f"the {len(total.bins)} of the other files: runs of one program")
    for name, count in run.bins.items():
        total.bins[name] += count


def merge(paths):
    """The sum of the runs of one configuration."""
    total = load(paths[0])
    for path in paths[1:]:
        add(total, load(path), path)
    return total


def merge_by_configuration(paths):
    """One sum for each configuration, by name."""
    totals = {}
    for path in paths:
        run = load(path)
        if run.hash in totals:
            add(totals[run.hash], run, path)
        else:
            totals[run.hash] = run
    return sorted(totals.values(), key=lambda total: (total.configuration, total.hash))
