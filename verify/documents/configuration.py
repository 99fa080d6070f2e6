#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The tables of docs/configuration.md are the generator's, which takes the examples there.

usage: configuration.py TDGEN [--write]   (--write puts the generator's tables into the document)
"""

import json
import pathlib
import re
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "scripts"), str(ROOT / "verify")]

from schema import rules  # noqa: E402
from toolbox import schema, tools  # noqa: E402

DOCUMENT = ROOT / "docs/configuration.md"
NO_DEFAULT = {"name": "none, it must be given",
              "tile.interconnect.levels": "coloured from the pattern"}


def answer(tdgen, *arguments):
    """What tdgen prints on standard output."""
    return subprocess.run([tdgen, *arguments], check=True, capture_output=True, text=True).stdout


def table(head, rows):
    """Lines of a table; a bar in a cell would begin another one."""
    lines = [head, ["---"] * len(head), *rows]
    return [f"| {' | '.join(cell.replace('|', '&#124;') for cell in line)} |" for line in lines]


def parameters(tdgen, of_accelerator):
    """The table of the parameters, of the tile or of what stands around it."""
    rows = []
    for path, parameter in schema.flat(schema.document(tdgen)).items():
        if path.startswith("accelerator.") != of_accelerator:
            continue
        default = NO_DEFAULT.get(path) or f"`{json.dumps(parameter['default'])}`"
        source = f" ({parameter['x-source']})" if "x-source" in parameter else ""
        rows.append((f"`{path}`", parameter["x-legal"], default,
                     parameter["description"] + source))
    subject = "accelerator" if of_accelerator else "tile"
    return table((f"parameter of the {subject}", "legal", "default", "what"), rows)


def listed(tdgen, kind):
    """(name, text) of what `tdgen --list` has of a kind."""
    block = re.search(rf"^{kind}.*\n((?:  .*\n)+)", answer(tdgen, "--list"), re.M)
    return [line.split(None, 1) for line in block.group(1).splitlines()]


def presets(tdgen):
    """The table of the presets."""
    return table(("preset", "tile"),
                 [(f"`{name}`", text) for name, text in listed(tdgen, "presets")])


def patterns(tdgen):
    """The table of the patterns, with their options."""
    rows = []
    for name, text in listed(tdgen, "patterns"):
        options = re.search(r"^\w+ (\(0,0\).*)$", answer(tdgen, "--explain", name), re.M).group(1)
        rows.append((f"`{name}`", f"`{options}`", text))
    return table(("pattern", "options, first the first: (step, offset)", "what"), rows)


def comparisons(tdgen):
    """The table of the rules that compare parameters, with what tdgen says to who breaks one."""
    rows = []
    for rule, text, _ in rules.RULES:
        with tempfile.TemporaryDirectory() as folder:
            (pathlib.Path(folder) / "mine.toml").write_text(f'name = "mine"\n{text}')
            done = subprocess.run([tdgen, "--config", "mine.toml", "--hash"], check=False,
                                  cwd=folder, capture_output=True, text=True)
        if done.returncode != 2:
            sys.exit(f"{rule}: tdgen takes what breaks it")
        rows.append((rule, f"`{done.stderr.strip()}`"))
    return table(("rule", "message, where it is broken"), rows)


def check_examples(tdgen, document):
    """Every example is a configuration that tdgen takes."""
    examples = re.findall(r"^```toml\n(.*?)^```", document, re.M | re.S)
    if not examples:
        sys.exit(f"{DOCUMENT}: no example")
    for text in examples:
        with tempfile.NamedTemporaryFile("w", suffix=".toml") as file:
            file.write(text)
            file.flush()
            done = subprocess.run([tdgen, "--config", file.name, "--hash"], check=False,
                                  capture_output=True, text=True)
        if done.returncode:
            sys.exit(f"{DOCUMENT}: an example is refused: {done.stderr.strip()}")


def put(document, rows):
    """The document with the table that has this head replaced; None when there is none, or two."""
    found = re.compile(re.escape(rows[0]) + r"\n(\|.*\n)*")
    if len(found.findall(document)) != 1:
        return None
    return found.sub(lambda _: "\n".join(rows) + "\n", document)


def main():
    tdgen = str(pathlib.Path(sys.argv[1]).resolve())
    present = DOCUMENT.read_text(encoding="utf-8")
    wanted = present
    check_examples(tdgen, present)
    for rows in (parameters(tdgen, False), parameters(tdgen, True), presets(tdgen),
                 patterns(tdgen), comparisons(tdgen)):
        wanted = put(wanted, rows)
        if wanted is None:
            sys.exit(f"{DOCUMENT}: no table, or two, that begin with: {rows[0]}")
    if sys.argv[2:] == ["--write"]:
        tools.write(DOCUMENT, wanted)
    elif wanted != present:
        sys.exit(f"{DOCUMENT}: its tables are not the generator's; run "
                 "verify/documents/configuration.py build/tdgen --write")
    print(f"{DOCUMENT.name}: tables are the generator's, which takes every example")


if __name__ == "__main__":
    main()
