#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Some operations of an accelerator's timeline as a picture: what its engines were at work on.

usage: spans.py TIMELINE PICTURE OPERATION…   (tdaccel step --perfetto TIMELINE; TensorDash's side)
"""

import json
import pathlib
import sys
from xml.sax.saxutils import escape

LEFT, WIDTH, TRACK, GAP, TOP = 84, 900, 22, 8, 46
FILLS = {"operations": "#e3d9ef", "load": "#cfe8f5", "fill": "#fbe3c6", "compute": "#f2f2f2",
         "store": "#e8e0c8"}
TILE = "#d6ebd3"
TICKS = 6


def spans_of(events, wanted):
    """Process, tracks by number, first and last clock of the operations, and all spans."""
    process = next(event["pid"] for event in events if event["name"] == "process_name"
                   and "TensorDash" in event["args"]["name"])
    mine = [event for event in events if event["pid"] == process]
    tracks = {event["tid"]: event["args"]["name"] for event in mine if event["name"] == "thread_name"}
    spans = [event for event in mine if event["ph"] == "X"]
    shown = [event["args"] for event in spans if event["tid"] == 0 and event["name"] in wanted]
    if len(shown) != len(wanted):
        sys.exit(f"spans.py: OPERATION = {', '.join(wanted)} is illegal; legal: operations of the file")
    begin = min(args["begin_cycle"] for args in shown)
    end = max(args["begin_cycle"] + args["cycles"] for args in shown)
    return tracks, begin, end, spans


def text(x, y, words, anchor="start"):
    return (f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-family="sans-serif" '
            f'font-size="11" fill="#1a1a1a">{escape(words)}</text>')


def drawn(tracks, begin, end, spans):
    """The picture's text."""
    height = TOP + len(tracks) * (TRACK + GAP) + 20
    scale = WIDTH / (end - begin)
    lines = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{LEFT + WIDTH + 20}" height="{height}">',
             f'<rect width="{LEFT + WIDTH + 20}" height="{height}" fill="white"/>']
    for tick in range(TICKS):
        clock = begin + (end - begin) * tick // (TICKS - 1)
        lines.append(text(LEFT + (clock - begin) * scale, 20, f"{clock:,}", "middle"))
    lines.append(text(8, 20, "clock"))
    for number, name in sorted(tracks.items()):
        top = TOP + number * (TRACK + GAP)
        lines.append(text(8, top + TRACK - 7, name))
        for span in spans:
            first = max(begin, span["args"]["begin_cycle"])
            last = min(end, span["args"]["begin_cycle"] + span["args"]["cycles"])
            if span["tid"] != number or last <= first:
                continue
            x = LEFT + (first - begin) * scale
            lines.append(f'<rect x="{x:.1f}" y="{top}" width="{(last - first) * scale:.1f}" '
                         f'height="{TRACK}" fill="{FILLS.get(name, TILE)}" stroke="#4d4d4d" '
                         f'stroke-width="0.6"><title>{escape(span["name"])}</title></rect>')
            if number == 0:
                lines.append(text(x + 5, top + TRACK - 7, span["name"]))
    return "\n".join([*lines, "</svg>", ""])


def main():
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    events = json.loads(pathlib.Path(sys.argv[1]).read_text(encoding="utf-8"))["traceEvents"]
    pathlib.Path(sys.argv[2]).write_text(drawn(*spans_of(events, sys.argv[3:])), encoding="utf-8")


if __name__ == "__main__":
    main()
