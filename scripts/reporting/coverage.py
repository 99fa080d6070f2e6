# SPDX-License-Identifier: Apache-2.0
"""What share of a training step a result is of, and what it does not hold: said wherever its figures are."""

import math

from .markup import escape

MOST = 8  # things that are named one by one


def share(one):
    """Of a snapshot, in percent, rounded down: what is not all of it never looks so."""
    most = "at\u00a0most\u00a0" if one["is_upper_bound"] else ""
    return f"{most}{_percent(one['captured_ratio'])}"


def _percent(ratio):
    return f"{math.floor(1000 * ratio) / 10:.1f}\u00a0%"


def least(run, snapshot):
    """The share of a snapshot, of all ('') the smallest; a dash where the source does not say."""
    snapshots = [one for one in run["source"]["coverage"] if snapshot in ("", one["snapshot"])]
    return share(min(snapshots, key=lambda one: one["captured_ratio"])) if snapshots else "–"


def _missing(one, step_macs):
    part = f", {_percent(one['macs'] / step_macs)}" if one["macs"] else ""
    return f"<li>{escape(one['name'])} ({escape(one['operator'])}{part}): {escape(one['why'])}</li>"


def _snapshot(one):
    missing = sorted(one["not_captured"], key=lambda lost: -math.inf if lost["macs"] is None else -lost["macs"])
    items = [_missing(lost, one["step_macs"]) for lost in missing[:MOST]]
    if len(missing) > MOST:
        items.append(f"<li>and {len(missing) - MOST} more, in the file</li>")
    partial = " partial" if one["captured_ratio"] < 1 else ""
    said = (f"<p>The source holds {share(one)} of the step’s multiply-accumulates "
            f"({escape(one['snapshot'])})" + (", without:</p>" if items else ".</p>"))
    return (f'<div class="coverage{partial}" data-snapshot="{escape(one["snapshot"])}">{said}'
            + (f"<ul>{''.join(items)}</ul>" if items else "") + "</div>")


def html(run):
    """A paragraph for each snapshot; nothing where the source does not say."""
    return "".join(map(_snapshot, run["source"]["coverage"]))
