#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Leaves one of each function that Verilator wrote for every instance of a module.

usage: share_functions.py FOLDER
Verilator copies the functions of a module that it inlines: a tile of 4x4 PEs gets 2,000 of them, of
which 7 differ. Without the copies the C++ compiles in half of the time, and the simulation's code fits
the caches. Functions count as equal if their texts are, but for their own names; where Verilator
writes something else than what is looked for here, nothing changes."""

import pathlib
import re
import sys

# Functions that are called, not inlined: see no_inline_task in hw/.
_DEFINED = re.compile(r"^(?:VL_INLINE_OPT )?void \w+::(__VnoInFunc_\w+)\(.*?\n}\n", re.M | re.S)
_DECLARED = re.compile(r"^ *(?:static )?void (__VnoInFunc_\w+)\([^;]*\);\n", re.M)
_NAMED = re.compile(r"__VnoInFunc_\w+")


def equals(texts):
    """Function -> the one that stands for it, of those that another one can stand for."""
    first, found = {}, {}
    for text in texts:
        for function in _DEFINED.finditer(text):
            name = function[1]
            body = re.sub(r"\s+", " ", function[0].replace(name, "@"))
            if first.setdefault(body, name) != name:
                found[name] = first[body]
    return found


def shared(text, instead):
    """A text of C++ without the functions that others stand for."""
    for pattern in (_DEFINED, _DECLARED):
        text = pattern.sub(lambda found: "" if found[1] in instead else found[0], text)
    return _NAMED.sub(lambda found: instead.get(found[0], found[0]), text)


def main():
    """Changes the files in place."""
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    files = sorted(pathlib.Path(sys.argv[1]).glob("*.cpp"))
    texts = [file.read_text(encoding="utf-8") for file in files]
    instead = equals(texts)
    headers = sorted(pathlib.Path(sys.argv[1]).glob("*.h"))
    for file, text in [*zip(files, texts), *((file, file.read_text(encoding="utf-8"))
                                             for file in headers)]:
        changed = shared(text, instead)
        if changed != text:
            file.write_text(changed, encoding="utf-8")


if __name__ == "__main__":
    main()
