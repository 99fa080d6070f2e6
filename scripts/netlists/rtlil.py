# SPDX-License-Identifier: Apache-2.0
"""Modules of an elaborated design, in a form that does not depend on where they come from.

Modules are named by their blocks, without the generation, the configuration's name, or Yosys' names for
parameters: equal modules of two configurations are equal texts (see recipe.elaboration), and are
synthesised once."""

import dataclasses
import re

VARIANT = "__"   # between a module's name and the number of its set of parameters

_MODULE = re.compile(r"(?m)^((?:attribute [^\n]*\n)*)module (\S+)\n(.*?)^end\n", re.DOTALL)
_PARAMETER = re.compile(r"(?m)^  parameter \\(\w+) (\S+)\n")
_PORT = re.compile(r"(?m)^  wire(?= )(?=.* (?:input|output|inout) \d+ ).*$")


@dataclasses.dataclass(frozen=True)
class Module:
    """Text of one module; stub: its ports alone; children: names of modules inside it; parameters:
    name -> a number, or a vector of bits as 8'b00000011."""

    name: str
    parameters: dict
    text: str
    stub: str
    children: tuple

    def source(self, modules):
        """What Yosys reads to synthesise it: the module, and its children as black boxes."""
        return "".join(modules[child].stub for child in self.children) + self.text


def _value(text):
    """A number, or a vector of bits as Verilog writes it."""
    return text.replace("'", "'b") if "'" in text else int(text)


def _short_names(found, block):
    """Yosys' name of each module -> its block. Where one is there with several sets of parameters,
    they are numbered by them: skid, skid__2, …"""
    names, taken = {}, {}
    for full, parameters in sorted(found.items(), key=lambda one: str(sorted(one[1].items()))):
        base = full.split("\\")[1] if full.startswith("$paramod") else full.removeprefix("\\")
        base = block(base)
        taken[base] = taken.get(base, 0) + 1
        names[full] = base if taken[base] == 1 else f"{base}{VARIANT}{taken[base]}"
    return names


def block_of(name):
    """A module's name without the number of its set of parameters."""
    return name.split(VARIANT)[0]


def modules(text, block):
    """Name -> Module, of an elaborated design's RTLIL. block: says which block a module is, by the
    name that it has in Verilog."""
    found = [(name, body) for _, name, body in _MODULE.findall(text)]
    parameters = {name: {parameter: _value(value) for parameter, value in _PARAMETER.findall(body)}
                  for name, body in found}
    names = _short_names(parameters, block)
    result = {}
    for full, body in found:
        children = []

        def child(cell):
            name = names.get(cell[1])
            if name is None:
                return cell[0]
            if name not in children:
                children.append(name)
            return f"  cell \\{name} "

        body = re.sub(r"(?m)^  cell (\S+) ", child, body)
        body = re.sub(r"(?m)^\s*attribute \\(?:src|hdlname|module_not_derived|dynports) .*\n", "",
                      body)
        ports = "".join(line + "\n" for line in _PORT.findall(body))
        name = names[full]
        stub = f"attribute \\blackbox 1\nmodule \\{name}\n{ports}end\n"
        body = _PARAMETER.sub("", body)
        result[name] = Module(name, parameters[full], f"module \\{name}\n{body}end\n", stub,
                              tuple(sorted(children)))
    return result
