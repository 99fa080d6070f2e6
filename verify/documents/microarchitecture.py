#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""docs/microarchitecture.md names every module of hw/ and files that exist; its latency is tdgen's.

usage: microarchitecture.py TDGEN
"""

import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
DOCUMENT = ROOT / "docs/microarchitecture.md"
PRESET = "paper_bf16"


def faults(text, latency):
    """What does not hold of the document."""
    rows = [[cell.strip() for cell in line.strip("|").split("|")]
            for line in text.splitlines() if line.startswith("|") and line.count("|") == 5]
    named = {folder: {name for row in rows for name in re.findall(r"`([^`]+[.]\w+)`", row[column])}
             for folder, column in (("hw", 2), ("sim", 3))}
    for folder, names in named.items():
        if len(names) < 3:
            yield f"no table of what stands in {folder}/"
        for name in sorted(names):
            if not (ROOT / folder / name).is_file():
                yield f"{folder}/{name} does not exist"
    for module in sorted((ROOT / "hw").glob("*/*.v")):
        name = str(module.relative_to(ROOT / "hw"))
        if name not in named["hw"]:
            yield f"hw/{name} is not named"
    stated = re.findall(r"\b(\d+)\s+clocks\s+(?:for `paper_bf16`|later)", text)
    if len(stated) < 2 or set(stated) != {latency}:
        yield f"states a latency of {' and '.join(stated) or 'nothing'}, tdgen {latency} clocks"


def main():
    explained = subprocess.run([sys.argv[1], "--explain", PRESET], check=True, capture_output=True,
                               text=True).stdout
    latency = re.search(r"output latency (\d+) clocks", explained).group(1)
    found = list(faults(DOCUMENT.read_text(encoding="utf-8"), latency))
    for fault in found:
        print(f"docs/{DOCUMENT.name}: {fault}", file=sys.stderr)
    if found:
        sys.exit(1)
    print(f"docs/{DOCUMENT.name}: modules, files and latency are there")


if __name__ == "__main__":
    main()
