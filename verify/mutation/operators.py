# SPDX-License-Identifier: Apache-2.0
"""The faults: for each region of a source every small change that is offered."""

import dataclasses

from .expression import evaluate, number

_SWAPS = {"&": "|^", "|": "&^", "^": "|&", "+": "-", "-": "+", "*": "+", "<<": (">>",),
          ">>": ("<<",), "<": ("<=", ">="), "<=": ("<", ">"), ">": (">=", "<="), ">=": (">", "<"),
          "==": ("!=",), "!=": ("==",), "&&": ("||",), "||": ("&&",)}
_REDUCTIONS = {"&": "|^", "|": "&^", "^": "|&", "~&": ("~|",), "~|": ("~&",)}
_ORDERED = ("-", "<<", ">>", "<", "<=", ">", ">=")


@dataclasses.dataclass(frozen=True)
class Change:
    """One fault: text[start:end] becomes `text`; lies within its region."""

    operator: str
    start: int
    end: int
    text: str


class _Changes:
    def __init__(self, source, region):
        self.text, self.region = source.text, region

    def of(self, node):
        """The text of a node."""
        return self.text[node.start:node.end]

    def of_region(self):
        """All changes of the region, each text once."""
        region = self.region
        if region.role == "reset":
            return [Change("lost reset", region.start, region.end, "begin end")]
        seen, kept = {self.text[region.start:region.end]}, []
        for change in [*self._whole(), *(one for node in region.node.walk()
                                         for one in self._node(node))]:
            result = (self.text[region.start:change.start] + change.text
                      + self.text[change.end:region.end])
            if result not in seen:
                seen.add(result)
                kept.append(change)
        return kept

    # The region as a whole.

    def _whole(self):
        region = self.region
        whole = f"({self.of(region.node)})"

        def change(operator, text):
            return Change(operator, region.start, region.end, text)

        if region.role == "condition":
            forced = "lost enable" if region.in_register else "stuck bit"
            yield change(forced, "1'b1")
            yield change("stuck bit", "1'b0")
            yield change("inversion", f"!{whole}")
            return
        if region.in_reset:
            yield change("wrong reset value", f"~{whole}")
            return
        if region.node.kind != "number" or number(region.node.op.text)[2] != 0:
            yield change("stuck bit", "1'b0")  # all bits: the value is extended
        yield change("stuck bit", "~1'b0")
        if region.role != "next":
            yield change("inversion", f"~{whole}")
        selects = [node for node in region.node.walk() if node.kind == "select"]
        for first, second in zip(selects, selects[1:], strict=False):
            if self.of(first.children[0]) == self.of(second.children[0]):
                yield from self._exchange("order of bits", first, second)
        for bit in self._bits():
            if self._can_be(bit, 0):
                yield change("stuck bit", f"{whole} | (1'b1 << {bit})")
            if self._can_be(bit, 1):
                yield change("stuck bit", f"{whole} & ~(1'b1 << {bit})")

    def _can_be(self, bit, value):
        """Whether a bit of the region can have a value; of constants it has just one."""
        node = self.region.node
        return node.kind != "number" or number(node.op.text)[2] >> bit & 1 == value

    def _bits(self):
        """Lowest, middle and highest bit of the target, where its width is known and above 1."""
        bounds = self.region.ranges.get(self.region.target)
        if not bounds or None in bounds or bounds[0] <= bounds[1]:
            return []
        top = bounds[0] - bounds[1]
        return sorted({0, top // 2, top})

    # Single nodes.

    def _node(self, node):
        method = getattr(self, f"_{node.kind}", None)
        return method(node) if method else []

    def _token(self, operator, token, text):
        return Change(operator, token.start, token.end, text)

    def _exchange(self, operator, first, second):
        """The texts of two nodes, with what stands between them."""
        if self.of(first) == self.of(second):
            return []
        between = self.text[first.end:second.start]
        return [Change(operator, first.start, second.end,
                       self.of(second) + between + self.of(first))]

    def _binary(self, node):
        op = node.op.text
        changes = [self._token("operator", node.op, other) for other in _SWAPS.get(op, ())]
        if op in _ORDERED:
            changes += self._exchange("operands", *node.children)
        return changes

    def _unary(self, node):
        op, operand = node.op.text, node.children[0]
        if op in ("~", "!", "-"):
            return [Change("inversion", node.start, node.end, self.of(operand))]
        return [self._token("operator", node.op, other) for other in _REDUCTIONS.get(op, ())]

    def _ternary(self, node):
        condition, yes, no = node.children
        return [*self._exchange("operands", yes, no),
                Change("inversion", condition.start, condition.end, f"!({self.of(condition)})")]

    def _number(self, node):
        width, base, value = number(node.op.text)
        if width is None:
            return []  # of a select or a count: the node above it
        letter = {"d": "d", "h": "x", "b": f"0{width}b"}[base]
        return [Change("constant", node.start, node.end, f"{width}'{base}{other:{letter}}")
                for other in (value - 1, value + 1) if 0 <= other < 1 << width]

    def _concat(self, node):
        pairs = zip(node.children, node.children[1:], strict=False)
        return [change for first, second in pairs
                for change in self._exchange("order of bits", first, second)]

    def _replicate(self, node):
        count = node.children[0]
        if count.kind != "number" or number(count.op.text)[2] < 2:
            return []
        return [Change("constant", count.start, count.end, str(number(count.op.text)[2] - 1))]

    def _limits(self, node):
        base = node.children[0]
        bounds = self.region.ranges.get(base.op.text) if base.kind == "name" else None
        return bounds if bounds and None not in bounds else None

    def _replaced(self, node, part, text):
        """A select with another text for one of its parts."""
        return Change("constant", node.start, node.end, self.text[node.start:part.start] + text
                      + self.text[part.end:node.end])

    def _select(self, node):
        """The neighbours of what is selected; out of range there is none."""
        limits, index = self._limits(node), node.children[1]
        if limits is None:
            return []
        if index.kind != "number":
            return [self._replaced(node, index, f"{self.of(index)} {step} 1") for step in "-+"]
        at = number(index.op.text)[2]
        return [self._replaced(node, index, str(at + step)) for step in (-1, 1)
                if limits[1] <= at + step <= limits[0]]

    def _part(self, node):
        limits, (_, first, second) = self._limits(node), node.children
        if limits is None:
            return []
        if node.op.text == "+:":
            return [self._replaced(node, first, f"{self.of(first)} {step} {self.of(second)}")
                    for step in "-+"]
        values = [evaluate(part, {}) for part in (first, second)]
        if None in values:
            return []
        return [Change("constant", first.start, second.end,
                       f"{values[0] + up}{self.text[first.end:second.start]}{values[1] + down}")
                for up, down in ((1, 1), (-1, -1), (-1, 0), (0, 1))
                if limits[1] <= values[1] + down <= values[0] + up <= limits[0]]


def _neighbours(source, widths):
    """Connections of one instance, next to each other among its inputs, of the same width."""
    groups = {}
    for region in source.regions:
        if region.role == "connection":
            groups.setdefault(region.instance, []).append(region)
    for (module, _), regions in groups.items():
        ports = widths.get(module, {})
        for first, second in zip(regions, regions[1:], strict=False):
            if ports.get(first.target) and ports.get(first.target) == ports.get(second.target):
                yield first, second


def changes(source, widths):
    """All faults of a file as (regions, changes): one of each, or two whose connections are
    exchanged. widths: of each module's inputs, as text."""
    for region in source.regions:
        for change in _Changes(source, region).of_region():
            yield (region,), (change,)
    for first, second in _neighbours(source, widths):
        texts = [source.text[one.start:one.end] for one in (first, second)]
        if texts[0] != texts[1]:
            yield (first, second), (Change("connections", first.start, first.end, texts[1]),
                                    Change("connections", second.start, second.end, texts[0]))
