# SPDX-License-Identifier: Apache-2.0
"""Tokens of the emitted Verilog, with their places in the text."""

import dataclasses
import re

from toolbox.errors import CheckError

_PATTERN = re.compile(r"""
    (?P<blank>\s+|//[^\n]*|/\*.*?\*/|\(\*(?!\)).*?\*\))
  | (?P<directive>`[^\n]*)
  | (?P<number>\d*'[bdhBDH][0-9a-fA-FxXzZ_?]+|\d+)
  | (?P<name>[$A-Za-z_][\w$]*(?:::[A-Za-z_][\w$]*)?)
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


def _branch(stack, text, defines):
    """Follows `ifdef, `else and `endif; the stack holds for each open one whether it is read."""
    words = text.split()
    if words[0] == "`ifdef":
        stack.append(words[1] in defines)
    elif words[0] == "`ifndef":
        stack.append(words[1] not in defines)
    elif words[0] == "`else":
        stack[-1] = not stack[-1]
    elif words[0] == "`endif":
        stack.pop()


def pieces(text, defines=()):
    """Everything in order, blanks and directives too: (token, whether it is read)."""
    at, stack = 0, []
    while at < len(text):
        found = _PATTERN.match(text, at)
        if not found:
            line = text.count("\n", 0, at) + 1
            raise CheckError(f"line {line}: no token begins with {text[at:at + 20]!r}")
        token = Token(found.lastgroup, found.group(), at, found.end())
        if token.kind == "directive":
            _branch(stack, token.text, defines)
        yield token, all(stack)
        at = found.end()


def tokens(text):
    """The tokens that a reader without any define sees, and one that ends them."""
    read = [token for token, active in pieces(text)
            if active and token.kind not in ("blank", "directive")]
    return [*read, Token("end", "", len(text), len(text))]


def preprocessed(text):
    """What a reader without any define sees, for readers that define something of their own. Lines
    keep their numbers."""
    kept = []
    for token, active in pieces(text):
        conditional = token.kind == "directive" and token.text.split()[0] in (
            "`ifdef", "`ifndef", "`else", "`endif")
        kept.append(token.text if active and not conditional else "\n" * token.text.count("\n"))
    return "".join(kept)
