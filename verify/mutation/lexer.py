# SPDX-License-Identifier: Apache-2.0
"""Tokens of the emitted Verilog, with their places in the text."""

import dataclasses
import re

from toolbox.errors import CheckError

_PATTERN = re.compile(r"""
    (?P<blank>\s+|//[^\n]*|/\*.*?\*/|\(\*(?!\)).*?\*\))
  | (?P<directive>`[^\n]*)
  | (?P<number>\d*'[bdhBDH][0-9a-fA-FxXzZ_?]+|\d+)
  | (?P<name>[$A-Za-z_][\w$]*)
  | (?P<string>"[^"\n]*")
  | (?P<op><<<|>>>|===|!==|<<|>>|<=|>=|==|!=|&&|\|\||~&|~\||~\^|\+:|-:
      |[-+*/%&|^~!<>=?:;,.()\[\]{}\#@])
""", re.VERBOSE | re.DOTALL)


@dataclasses.dataclass(frozen=True)
class Token:
    """kind: number, name, string, op, or end behind the last one."""

    kind: str
    text: str
    start: int
    end: int


def pieces(text):
    """Everything in order, blanks and directives too."""
    at = 0
    while at < len(text):
        found = _PATTERN.match(text, at)
        if not found:
            line = text.count("\n", 0, at) + 1
            raise CheckError(f"line {line}: no token begins with {text[at:at + 20]!r}")
        yield Token(found.lastgroup, found.group(), at, found.end())
        at = found.end()


def tokens(text):
    """The tokens that have a meaning, and one that ends them."""
    read = [token for token in pieces(text) if token.kind not in ("blank", "directive")]
    return [*read, Token("end", "", len(text), len(text))]
