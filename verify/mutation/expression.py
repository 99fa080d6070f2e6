# SPDX-License-Identifier: Apache-2.0
"""Expressions of the emitted Verilog as trees over the text."""

import dataclasses

from toolbox.errors import CheckError

from . import lexer

_LEVELS = {"||": 1, "&&": 2, "|": 3, "^": 4, "~^": 4, "&": 5, "==": 6, "!=": 6, "<": 7, "<=": 7,
           ">": 7, ">=": 7, "<<": 8, ">>": 8, "+": 9, "-": 9, "*": 10, "/": 10, "%": 10}
_UNARY = {"~", "!", "&", "|", "^", "~&", "~|", "~^", "-", "+"}


@dataclasses.dataclass
class Node:
    """kind: number, string, name, select, part, call, concat, replicate, paren, unary, binary or
    ternary. op: the operator's token, or the name's."""

    kind: str
    start: int
    end: int
    children: list
    op: lexer.Token | None = None

    def walk(self):
        """This node and all values below it, in the order of the text: not the bounds of selects
        and the counts of replications, which are known before simulation."""
        yield self
        first, last = {"replicate": (1, None), "select": (0, 1), "part": (0, 1)}.get(
            self.kind, (0, None))
        for child in self.children[first:last]:
            yield from child.walk()


class Reader:
    """Goes through tokens; statements are read by the class derived from it."""

    def __init__(self, text):
        self.text = text
        self.tokens = lexer.tokens(text)
        self.at = 0

    @property
    def here(self):
        """The token not yet taken."""
        return self.tokens[self.at]

    def take(self, *wanted):
        """The next token, which must be one of those wanted."""
        token = self.here
        if wanted and token.text not in wanted:
            line = self.text.count("\n", 0, token.start) + 1
            raise CheckError(f"line {line}: {token.text!r} instead of {' or '.join(wanted)}")
        self.at += 1
        return token

    def skip(self, text):
        """Takes the next token if it is this one."""
        found = self.here.text == text
        self.at += found
        return found

    def expression(self, level=0):
        """One expression; level: of the operators that may stand in it."""
        left = self._unary()
        while True:
            op = self.here
            if op.text == "?" and level == 0:
                self.take()
                yes = self.expression()
                self.take(":")
                no = self.expression()
                left = Node("ternary", left.start, no.end, [left, yes, no], op)
            elif op.kind == "op" and _LEVELS.get(op.text, 0) > level:
                self.take()
                right = self.expression(_LEVELS[op.text])
                left = Node("binary", left.start, right.end, [left, right], op)
            else:
                return left

    def _unary(self):
        if self.here.kind == "op" and self.here.text in _UNARY:
            op = self.take()
            operand = self._unary()
            return Node("unary", op.start, operand.end, [operand], op)
        return self._selected(self._primary())

    def _primary(self):
        token = self.here
        if token.kind in ("number", "string"):
            self.take()
            return Node(token.kind, token.start, token.end, [], token)
        if token.kind == "name":
            self.take()
            if self.here.text != "(":
                return Node("name", token.start, token.end, [], token)
            arguments = self._list("(", ")")
            return Node("call", token.start, self.tokens[self.at - 1].end, arguments, token)
        if token.text == "(":
            self.take()
            inner = self.expression()
            return Node("paren", token.start, self.take(")").end, [inner], token)
        return self._braces()

    def _list(self, opening, closing):
        self.take(opening)
        elements = [self.expression()]
        while self.skip(","):
            elements.append(self.expression())
        self.take(closing)
        return elements

    def _braces(self):
        opening = self.take("{")
        first = self.expression()
        if self.here.text == "{":
            elements = self._list("{", "}")
            end = self.take("}").end
            return Node("replicate", opening.start, end, [first, *elements], opening)
        elements = [first]
        while self.skip(","):
            elements.append(self.expression())
        return Node("concat", opening.start, self.take("}").end, elements, opening)

    def _selected(self, node):
        while self.here.text in ("[", "."):
            if self.skip("."):
                name = self.take()
                # Into a generate block: what selects the block must stay.
                node = Node("name", node.start, name.end, [], name)
                continue
            self.take()
            first = self.expression()
            if self.here.text in (":", "+:", "-:"):
                op = self.take()
                second = self.expression()
                node = Node("part", node.start, self.take("]").end, [node, first, second], op)
            else:
                node = Node("select", node.start, self.take("]").end, [node, first])
        return node


def number(text):
    """Width (None: unsized), base letter and value of a literal."""
    size, tick, digits = text.partition("'")
    if not tick:
        return None, "d", int(text)
    base = digits[0].lower()
    return int(size or 32), base, int(digits[1:].replace("_", ""), {"b": 2, "d": 10, "h": 16}[base])


def evaluate(node, names):
    """Value of a constant expression, or None where it has a name of unknown value."""
    if node.kind == "number":
        return number(node.op.text)[2]
    if node.kind == "name":
        return names.get(node.op.text)
    if node.kind == "paren":
        return evaluate(node.children[0], names)
    values = [evaluate(child, names) for child in node.children]
    if None in values:
        return None
    if node.kind == "call":
        return max(values[0] - 1, 0).bit_length() if node.op.text == "$clog2" else None
    if node.kind == "ternary":
        return values[1] if values[0] else values[2]
    if node.kind != "binary":
        return None
    left, right = values
    compute = {"+": left + right, "-": left - right, "*": left * right, "==": left == right,
               "!=": left != right, ">=": left >= right, "<=": left <= right, ">": left > right,
               "<": left < right, "<<": left << right if 0 <= right < 64 else None,
               ">>": left >> right if right >= 0 else None,
               "/": left // right if right > 0 else None,
               "%": left % right if right > 0 else None}
    value = compute.get(node.op.text)
    return None if value is None else int(value)
