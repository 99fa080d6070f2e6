# SPDX-License-Identifier: Apache-2.0
"""Places of descriptors' fields in Verilog, in bits: constants below a comment that asks for them, as

  // descriptors.toml, load: side row
  localparam AT_SIDE = 96, AT_ROW = 192;

`compute from word 3` counts from there; fields of `load store` must be in the same places of both. A
walk's `levels` is where its levels begin, `level` how many bits one has, and `level.count` where a
field is within one. A constant of such a name that no comment asks for is a mistake."""

import re

from .. import tools
from ..errors import CheckError, UserError
from . import descriptors

_CONSTANTS = r"(?: *localparam (?:AT|BITS)_[^;]*;\n)"
_ASKS = re.compile(r"^( *)// descriptors\.toml, ([a-z ]+?)(?: from word (\d+))?: (.*)\n"
                   rf"({_CONSTANTS}*)", re.MULTILINE)
_COLUMNS = 100


def files():
    """The modules that ask, by their paths in the tree."""
    found = []
    for path in sorted((tools.ROOT / "hw").glob("*/td1_*.v")):
        code = path.read_text(encoding="utf-8")
        if re.search(_CONSTANTS, _ASKS.sub("", code)):
            raise CheckError(f"{path}: constants of fields that no comment asks for")
        if _ASKS.search(code):
            found.append(str(path.relative_to(tools.ROOT)))
    return found


def _places(described, section):
    """Name -> constant's name and value."""
    fields = {"common": described.head, "walk": described.walk}
    fields.update({name: kind[3] for name, kind in described.kinds.items()})
    found = {field.name: ("AT", field.places.start) for field in fields.get(section, ())}
    if section == "walk":
        found["levels"] = ("AT", 32 * described.level_word)
        found["level"] = ("BITS", 32 * (described.level[-1].word + 1))
        found.update({f"level.{field.name}": ("AT", field.places.start)
                      for field in described.level})
    return found


def _lines(indent, words):
    """Declarations of constants, as many in a line as there is room for."""
    lines, line = [], ""
    for word in words:
        more = f"{line}, {word}" if line else f"{indent}localparam {word}"
        if len(more) + 1 > _COLUMNS:
            lines.append(line)
            more = f"{indent}localparam {word}"
        line = more
    return "".join(f"{one};\n" for one in [*lines, line])


def text(name):
    """The text that the file should have."""
    path = tools.ROOT / name
    described = descriptors.read()

    def written(match):
        indent, sections, begin, names, _ = match.groups()
        places = [_places(described, section) for section in sections.split()]
        words = []
        for one in names.split():
            found = {some.get(one) for some in places}
            kind, place = found.pop() or ("", -1)
            place -= 0 if kind == "BITS" else 32 * int(begin or 0)
            if found or place < 0:
                raise UserError(path, f"descriptors.toml, {sections}", one,
                                "a field that is there, from that word on, in one place of all")
            words.append(f"{kind}_{one.upper().replace('.', '_')} = {place}")
        return match.group(0)[:match.start(5) - match.start(0)] + _lines(indent, words)

    return _ASKS.sub(written, path.read_text(encoding="utf-8"))
