# SPDX-License-Identifier: Apache-2.0
"""Finds in one file of a design the regions that a fault can be injected in."""

import dataclasses

from toolbox.errors import CheckError

from .declarations import Declarations
from .expression import Node, evaluate


@dataclasses.dataclass
class Region:
    """An expression or a statement that a fault can stand in for as a whole, while simulation runs.

    role: continuous, next (what a register takes), blocking, condition, connection, reset (a
    statement of a reset's branch). function: the one around it, or "". ranges: declared bounds of
    the names around it. target: the name that takes the value, or of the port.
    """

    role: str
    start: int
    end: int
    node: Node | None
    function: str
    ranges: dict
    target: str = ""
    instance: tuple = ()  # of a connection: the instance's module and name
    in_reset: bool = False
    in_register: bool = False  # inside a clocked process


class Source(Declarations):
    """Reads one file. parameters: for each module the sets of values that its instances give.
    inside: for each module the modules that stand in it."""

    def __init__(self, text, parameters):
        super().__init__(text)
        self.regions = []
        self.inside = {}
        self._parameters = parameters
        self._function = ""
        self._dead = 0
        self._clocked = self._reset = False
        self._read()

    def _read(self):
        while self.here.kind != "end":
            self.take("module")
            self._name = self.take().text
            self.inside[self._name] = set()
            self._constants = [dict(values) for values in self._parameters.get(self._name, [{}])]
            self._ranges = {}
            self._header()
            self.take(";")
            self._items("endmodule")

    def _add(self, role, node, **more):
        if self._dead or more.get("target", "").startswith("unused"):
            return
        region = Region(role, node.start, node.end, node, self._function, self._ranges, **more)
        region.in_reset, region.in_register = self._reset, self._clocked
        self.regions.append(region)

    # Items of modules and generate blocks.

    def _items(self, *ends):
        while self.here.text not in ends:
            self._item()
        self.take(*ends)

    def _item(self):
        word = self.here.text
        if word in ("wire", "reg", "integer", "genvar", "localparam"):
            self._declaration()
        elif word == "assign":
            self.take()
            self._assignment("continuous", "=")
        elif word == "always":
            self._always()
        elif word == "function":
            self._function_body()
        elif word == "if":
            self._generate_if()
        elif word == "for":
            self._for()
            self._block()
        else:
            self._instance()

    def _block(self):
        self.take("begin")
        if self.skip(":"):
            self.take()
        self._items("end")

    def _generate_if(self):
        """Branches that no instance has are read, and left alone."""
        self.take("if")
        self.take("(")
        condition = self.expression()
        self.take(")")
        known = self._constants
        values = [evaluate(condition, names) for names in known]
        for wanted in (True, False):
            # Only instances that come here count for what is inside.
            self._constants = [names for names, value in zip(known, values, strict=True)
                               if value is None or bool(value) == wanted]
            dead = not self._constants
            self._constants = self._constants or known
            self._dead += dead
            if self.here.text == "if":
                self._generate_if()
            else:
                self._block()
            self._dead -= dead
            if wanted and not self.skip("else"):
                break
        self._constants = known

    def _for(self):
        """The head of a loop: bounds of loops stay as they are, being known before simulation."""
        self.take("for")
        self.take("(")
        depth = 1
        while depth:
            text = self.take().text
            depth += (text == "(") - (text == ")")

    def _instance(self):
        module = self.take().text
        self.inside[self._name].add(module)
        if self.skip("#"):
            self._connections(None)
        name = self.take().text
        self._connections((module, name))
        self.take(";")

    def _connections(self, instance):
        self.take("(")
        while not self.skip(")"):
            self.take(".")
            port = self.take().text
            self.take("(")
            node = self.expression()
            self.take(")")
            self.skip(",")
            # What drives clocks and resets is not data; outputs cannot be exchanged while running.
            if instance and not port.endswith(("_o", "_no")) and port not in ("clk_i", "rst_ni"):
                self._add("connection", node, target=port, instance=instance)

    # Functions and processes.

    def _function_body(self):
        self.take("function")
        self.skip("automatic")
        outer = self._ranges
        self._ranges = dict(outer)
        bounds, _ = self._range()
        self._function = self.take().text
        self._ranges[self._function] = bounds
        self.take(";")
        while self.here.text != "endfunction":
            if self.here.text in ("input", "reg", "integer", "localparam"):
                self._declaration()
            else:
                self._statement()
        self.take("endfunction")
        self._function, self._ranges = "", outer

    def _always(self):
        self.take("always")
        self.take("@")
        if self.skip("*"):
            self._statement()
            return
        self.take("(")
        clocked = asynchronous = False
        while not self.skip(")"):
            text = self.take().text
            clocked |= text == "posedge"
            asynchronous |= text == "negedge"
        if not clocked:
            raise CheckError(f"{self._name}: a process without a clock")
        self._clocked = True
        if asynchronous and self.here.text == "begin":
            self.take()
            self._reset_if()
            self.take("end")
        elif asynchronous:
            self._reset_if()
        else:
            self._statement()
        self._clocked = False

    def _reset_if(self):
        for word in ("if", "(", "!"):
            self.take(word)
        self.take()
        self.take(")")
        self._reset = True
        self._reset_branch()
        self._reset = False
        if self.skip("else"):
            self._statement()

    def _reset_branch(self):
        start, first = self.here.start, len(self.regions)
        self._statement()
        if self._dead:
            return
        end = self.tokens[self.at - 1].end
        inner = sum(region.role == "reset" for region in self.regions[first:])
        if inner != 1:
            self.regions.append(Region("reset", start, end, None, "", self._ranges, "everything"))

    def _statement(self):
        word = self.here.text
        if word == "begin":
            self.take()
            while not self.skip("end"):
                if self.here.text == "reg":
                    self._declaration()
                else:
                    self._statement()
        elif word == "if":
            self.take()
            self.take("(")
            self._add("condition", self.expression())
            self.take(")")
            self._statement()
            if self.skip("else"):
                self._statement()
        elif word == "for":
            self._for()
            self._statement()
        else:
            self._assignment(*(("next", "<=") if self._clocked else ("blocking", "=")))

    def _assignment(self, role, operator):
        left = self._selected(self._primary())
        self.take(operator)
        node = self.expression()
        end = self.take(";").end
        name = self.text[left.start:left.end]
        if self._reset and not self._dead:
            self.regions.append(Region("reset", left.start, end, None, self._function,
                                       self._ranges, name))
        self._add(role, node, target=name)
