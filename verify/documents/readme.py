#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The README's table of ports is the generator's, and it names every preset.

usage: readme.py TDGEN [--write]   (--write puts the generator's table into the README)
"""

import json
import pathlib
import re
import subprocess
import sys
import tempfile

README = pathlib.Path(__file__).resolve().parents[2] / "README.md"
PRESET = "paper_bf16"


def run(*command):
    return subprocess.run([str(word) for word in command], check=True, capture_output=True,
                          text=True).stdout


def port_table(tdgen):
    with tempfile.TemporaryDirectory() as folder:
        run(tdgen, "--config", PRESET, "--out", folder)
        manifest = json.loads((pathlib.Path(folder) / f"{PRESET}.json").read_text())
    rows = ["| port | direction | bits | what |", "|---|---|---|---|"]
    for port in manifest["ports"]:
        rows.append(f"| `{port['name']}` | {port['direction']} | {port['bits']} | "
                    f"{port['text']} |")
    return rows


def put(readme, rows):
    """The README with the table that has this header replaced; None when there is none."""
    table = re.compile(re.escape(rows[0]) + r"\n(\|.*\n)+")
    if len(table.findall(readme)) != 1:
        return None
    return table.sub(lambda _: "\n".join(rows) + "\n", readme)


def main():
    tdgen = pathlib.Path(sys.argv[1])
    readme = README.read_text()
    rows = port_table(tdgen)
    wanted = put(readme, rows)
    if wanted is None:
        sys.exit(f"README.md: no table, or two, that begin with: {rows[0]}")
    for preset in re.search(r"^presets.*\n((?:  .*\n)+)", run(tdgen, "--list"), re.M).group(
            1).splitlines():
        if f"`{preset.split()[0]}`" not in readme:
            sys.exit(f"README.md: does not name the preset {preset.split()[0]}")
    if sys.argv[2:] == ["--write"]:
        README.write_text(wanted)
    elif wanted != readme:
        sys.exit("README.md: its table is not the generator's; run verify/documents/readme.py "
                 "build/tdgen --write")
    print("README.md: ports and presets are the generator's")


if __name__ == "__main__":
    main()
