#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The pictures of tiles in docs/images are those that tdgen draws; no font decides about them.

usage: pictures.py TDGEN [--write]   (--write puts the generator's pictures there)
"""

import os
import pathlib
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

sys.dont_write_bytecode = True
ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts"))

from toolbox import tools  # noqa: E402

IMAGES = ROOT / "docs/images"
# What documents show, by configuration.
SHOWN = {"paper_bf16": ("tile", "pe", "lane", "step"), "pe_two_sided": ("tile", "step"),
         "dense_bf16": ("tile",), "accel_quad": ("accelerator",)}
NO_FONTS = ('<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd">'
            "<fontconfig></fontconfig>")


def drawn(tdgen, **environment):
    """Name and bytes of every picture that documents show."""
    with tempfile.TemporaryDirectory() as folder:
        fonts = pathlib.Path(folder) / "no_fonts.conf"
        fonts.write_text(NO_FONTS)
        if "FONTCONFIG_FILE" in environment:
            environment["FONTCONFIG_FILE"] = str(fonts)
        out = pathlib.Path(folder) / "out"
        for name in SHOWN:
            subprocess.run([tdgen, "diagram", "--config", name, "--out", str(out)], check=True,
                           stdout=subprocess.DEVNULL, env=os.environ | environment)
        names = [f"{name}_{kind}.svg" for name, kinds in SHOWN.items() for kind in kinds]
        return {name: (out / name).read_text(encoding="utf-8") for name in names}


def check(pictures, tdgen):
    """Says what is wrong, and leaves."""
    if drawn(tdgen, FONTCONFIG_FILE="none") != pictures:
        sys.exit("pictures: other fonts make other bytes")
    for name, svg in pictures.items():
        root = xml.etree.ElementTree.fromstring(svg.encode())
        if not root.tag.endswith("}svg") or not len(list(root.iter())) > 20:
            sys.exit(f"{name}: no picture")
        present = IMAGES / name
        if not present.exists() or present.read_text(encoding="utf-8") != svg:
            sys.exit(f"docs/images/{name}: not what tdgen draws; run verify/documents/pictures.py "
                     "build/tdgen --write")


def main():
    tdgen = str(pathlib.Path(sys.argv[1]).resolve())
    pictures = drawn(tdgen)
    if sys.argv[2:] == ["--write"]:
        IMAGES.mkdir(exist_ok=True)
        for name, svg in pictures.items():
            tools.write(IMAGES / name, svg)
    check(pictures, tdgen)
    print(f"docs/images: {len(pictures)} pictures are tdgen's")


if __name__ == "__main__":
    main()
