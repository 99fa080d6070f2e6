# SPDX-License-Identifier: Apache-2.0
"""Reads declarations: ports, ranges and constants of modules."""

from .expression import Reader, evaluate


class Declarations(Reader):
    """What is known of names. _add(role, node, target) is of the class derived from it, for wires
    that have their value with their declaration."""

    def __init__(self, text):
        super().__init__(text)
        self.ports = {}  # of each module: name -> (direction, text of the range)
        self._name = ""
        self._constants = [{}]  # of each set of parameters
        self._ranges = {}

    def _names(self):
        """Constants on whose values all instances agree."""
        first, *others = self._constants
        return {name: value for name, value in first.items()
                if all(other.get(name) == value for other in others)}

    def _header(self):
        if self.skip("#"):
            self.take("(")
            while not self.skip(")"):
                self.take("parameter")
                self._range()
                name = self.take().text
                self.take("=")
                self._constant(name, self.expression())
                self.skip(",")
        ports = self.ports.setdefault(self._name, {})
        self.take("(")
        while not self.skip(")"):
            direction = self.take("input", "output").text
            if not self.skip("wire"):
                self.skip("reg")
            bounds, text = self._range()
            name = self.take().text
            self._ranges[name] = bounds
            ports[name] = (direction, text)
            self.skip(",")

    def _constant(self, name, node):
        for values in self._constants:
            values.setdefault(name, evaluate(node, values))

    def _range(self):
        """Bounds as numbers (None: not known here) and as text, of a declaration."""
        if self.here.text != "[":
            return (0, 0), "[0:0]"
        start = self.take("[").start
        high = self.expression()
        self.take(":")
        low = self.expression()
        end = self.take("]").end
        names = self._names()
        return (evaluate(high, names), evaluate(low, names)), self.text[start:end].replace(" ", "")

    def _declaration(self):
        """wire, reg, input, integer, genvar or localparam, up to the semicolon."""
        kind = self.take().text
        self.skip("reg")
        bounds, _ = self._range()
        while True:
            name = self.take().text
            self._ranges[name] = (31, 0) if kind == "integer" else bounds
            self._range()  # of a memory's words
            if self.skip("="):
                node = self.expression()
                if kind == "localparam":
                    self._constant(name, node)
                else:
                    self._add("continuous", node, target=name)
            if not self.skip(","):
                break
        self.take(";")
