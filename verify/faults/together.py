# SPDX-License-Identifier: Apache-2.0
"""All faults of a design in one text: which of them is in force is chosen when simulation runs."""

import os

from mutation import render
from mutation.operators import Change
from mutation.source import Source
from toolbox.errors import CheckError


def environment(number):
    """Of a simulation with the fault of that number in force; 0: none."""
    return {**os.environ, render.VARIABLE: str(number)}


def _common(first, second):
    return len(os.path.commonprefix([first, second]))


def _change(fault, text):
    """What the fault changes, without what its two texts begin and end with alike."""
    fault.injected(text)  # says so where the text is not there once
    start, old, new = text.index(fault.find), fault.find, fault.replace
    front = _common(old, new)
    back = _common(old[front:][::-1], new[front:][::-1])
    return Change(fault.name, start + front, start + len(old) - back, new[front:len(new) - back])


def _region(source, change):
    """The smallest expression or statement of a reset that the change is in."""
    around = [one for one in source.regions if one.start <= change.start and change.end <= one.end]
    if not around:
        raise CheckError(f"catalogue.toml: {change.operator}: in no expression that simulation could "
                         "choose")
    return min(around, key=lambda one: one.end - one.start)


def texts(sound, injected):
    """File -> text with all of its faults. sound: file -> text; injected: (number, fault, file)."""
    result = {f"{render.PACKAGE}.v": render.PACKAGE_TEXT}
    for file, text in sound.items():
        source = Source(text, {})
        changes = [(number, _change(fault, text)) for number, fault, of in injected if of == file]
        result[file] = render.PERMISSIONS + render.schemata(
            text, [(number, _region(source, change), change) for number, change in changes])
    return result
