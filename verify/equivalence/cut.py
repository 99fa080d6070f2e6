# SPDX-License-Identifier: Apache-2.0
"""A module cut at its registers and at the modules inside it: what is left has no state.

Registers are matched by name. A register behind a clock gate is one that keeps its value while the
gate's enable is low; the gate itself is checked as a module of its own."""

import dataclasses
import random
import re

from netlists import recipe
from toolbox.errors import CheckError

from . import gates

# Vectors and clocks by which a register that lost its name is found.
_DRAWS, _CLOCKS = 256, 32
_FLIP_FLOP = re.compile(r"\$_DFF(?:SR)?_([PN])([PN]?)([01PN]?)_$")
_LATCH = re.compile(r"\$_DLATCH_([PN])_$")


class Different(CheckError):
    """The two forms of a module have different registers, clocks or pins."""


@dataclasses.dataclass(frozen=True)
class Register:
    """One bit. names: all that its output is called; clear and set: (net, active level) or None."""

    names: tuple
    clock: tuple     # name of the input, and edge, N or P; or level at which a latch is open
    enable: object   # net of a clock gate's enable, or None
    data: object
    state: object
    clear: tuple | None
    preset: tuple | None


@dataclasses.dataclass
class Netlist:
    """A module as Yosys' write_json has it, in simple gates and flip-flops."""

    gates: dict
    inputs: dict
    outputs: dict      # name -> net, inputs of the modules inside included
    registers: list
    names: dict        # name -> net


def _bits(name, nets):
    return [(name, nets[0])] if len(nets) == 1 else \
        [(f"{name}[{index}]", net) for index, net in enumerate(nets)]


def _by_name(name):
    """Names that Yosys made up come last."""
    return "$" in name, name


def _register(cell, kind, names, clock_of):
    edge, second, third = kind.groups()
    pins = {pin: nets[0] for pin, nets in cell["connections"].items()}
    clear = preset = None
    if "SR" in cell["type"]:
        preset, clear = (pins["S"], second), (pins["R"], third)
    elif second:
        if third == "0":
            clear = (pins["R"], second)
        else:
            preset = (pins["R"], second)
    clock, enable = clock_of(pins["C"])
    called = tuple(sorted(names.get(pins["Q"], ()), key=_by_name))
    return Register(called, (clock, edge), enable, pins["D"], pins["Q"], clear, preset)


def _latch(pins, level, names, netlist):
    opens, state = pins["E"][0], pins["Q"][0]
    kind, sources = netlist.gates.get(opens, (None, ()))
    if kind == "$_NOT_":
        opens, level = sources[0], "NP".replace(level, "")
    if opens not in netlist.inputs:
        raise CheckError(f"net {opens}: opens a latch, and is no input of the module")
    clock = netlist.inputs[opens], {"P": "high", "N": "low"}[level]
    called = tuple(sorted(names.get(state, ()), key=_by_name))
    return Register(called, clock, None, pins["D"][0], state, None, None)


def read(module, child_ports):
    """module: of Yosys' JSON; child_ports: module -> port -> direction."""
    result = Netlist({}, {}, {}, [], {})
    called, flip_flops, latches, gated = {}, [], [], {}
    for name, entry in module["netnames"].items():
        # A netlist that went through JSON has Yosys' own names as public ones.
        result.names.update(_bits(f"\\{name}" if entry.get("hide_name") else name, entry["bits"]))
    for name, net in result.names.items():
        called.setdefault(net, []).append(name)
    for name, port in module["ports"].items():
        bits = _bits(name, port["bits"])
        if port["direction"] == "input":
            result.inputs.update((net, bit) for bit, net in bits)
        else:
            result.outputs.update(bits)
    for name, cell in module["cells"].items():
        kind, pins = cell["type"], cell["connections"]
        flip_flop = _FLIP_FLOP.match(kind)
        if kind in gates.TYPES:
            result.gates[pins["Y"][0]] = (kind, [pins[pin][0] for pin in gates.TYPES[kind][0]])
        elif flip_flop:
            flip_flops.append((cell, flip_flop))
        elif _LATCH.match(kind):
            latches.append((pins, _LATCH.match(kind)[1]))
        elif kind == recipe.GATE:
            gated[pins["clk_o"][0]] = (pins["clk_i"][0], pins["en_i"][0])
        elif kind in child_ports:
            for port, nets in pins.items():
                bits = _bits(f"{name}/{port}", nets)
                if child_ports[kind][port] == "output":
                    result.inputs.update((net, bit) for bit, net in bits)
                else:
                    result.outputs.update(bits)
        else:
            raise CheckError(f"cell {name}: {kind}: neither a simple gate nor a module")

    def clock_of(net):
        source, enable = gated.get(net, (net, None))
        if source not in result.inputs:
            raise CheckError(f"net {source}: a clock that is no input of the module")
        return result.inputs[source], enable

    result.registers = [_register(cell, kind, called, clock_of) for cell, kind in flip_flops]
    result.registers += [_latch(pins, level, called, result) for pins, level in latches]
    return result


def _active(circuit, pin, key):
    """Net that is one while an asynchronous pin acts."""
    if pin is None:
        return "0"
    net, level = pin
    if level == "P":
        return net
    circuit.gates[key] = ("$_NOT_", [net])
    return key


def _expose(circuit, register, name):
    """What a register does next, as outputs."""
    following = register.data
    if register.enable is not None:
        following = ("next", name)
        circuit.gates[following] = ("$_MUX_", [register.state, register.data, register.enable])
    circuit.outputs[f"{name} next"] = following
    circuit.outputs[f"{name} cleared"] = _active(circuit, register.clear, ("clear", name))
    circuit.outputs[f"{name} set"] = _active(circuit, register.preset, ("set", name))


@dataclasses.dataclass
class Pair:
    """Both forms of a module, with equal names for what must be equal."""

    gold: gates.Circuit
    gate: gates.Circuit
    inputs: list
    outputs: list
    registers: int     # bits that were matched
    removed: list      # bits that the netlist has not: nothing may depend on them
    constant: list     # bits that the netlist takes as constants


def _settled(gold):
    """(inputs, their values) of the RTL after some clocks of random inputs."""
    draws = random.Random(1)
    inputs = dict(gold.inputs) | {one.state: ("state", one.names) for one in gold.registers}
    following = {("state", one.names): one.data for one in gold.registers}
    circuit, values = gates.Circuit(gold.gates, inputs, following), {}
    for _ in range(_CLOCKS):
        values = {name: values.get(name, draws.getrandbits(_DRAWS)) for name in inputs.values()}
        after = circuit.simulate(values, (1 << _DRAWS) - 1)
        values = after
    return inputs, {name: values.get(name, draws.getrandbits(_DRAWS)) for name in inputs.values()}


def _aliases(gold, gate, inputs, values):
    """Net of a register in the netlist -> name in the RTL, where the register has lost its own to a
    signal that came out equal to it. Only a guess, by simulation: the proof does not rest on it."""
    known = {name for register in gold.registers for name in register.names}
    lost = [register for register in gate.registers if not known & set(register.names)]
    if not lost:
        return {}
    signals = {name: gold.names[name] for register in lost for name in register.names
               if name in gold.names}
    seen = gates.Circuit(gold.gates, inputs, signals).simulate(values, (1 << _DRAWS) - 1)
    equal = {values["state", one.names]: one.names[0] for one in gold.registers if one.names}
    return {register.state: equal[seen[name]] for register in lost for name in register.names
            if seen.get(name) in equal}


def _by_next(gold, gate, known):
    """As _aliases(), for those that take equal values next: all states are zero, inputs are random.
    known: registers of both that have been found already, by name and by net."""
    draws, ones = random.Random(2), (1 << _DRAWS) - 1
    drawn = {name: draws.getrandbits(_DRAWS) for name in sorted(set(gold.inputs.values()))}

    def following(netlist, registers):
        circuit = gates.Circuit(dict(netlist.gates), dict(netlist.inputs), {})
        for one in netlist.registers:
            circuit.inputs[one.state] = one.state
        for one in registers:
            _expose(circuit, one, one.state)
        values = circuit.simulate(
            {name: drawn.get(name, 0) for name in circuit.inputs.values()}, ones)
        return {one.state: values[f"{one.state} next"] for one in registers}

    left = [one for one in gold.registers if not known & set(one.names)]
    right = [one for one in gate.registers if one.state not in known]
    found = {value: state for state, value in following(gate, right).items()}
    return {one.names[0]: found[value] for one, value in zip(left, following(gold, left).values())
            if value in found}


def pair(gold, gate):
    """Cuts two Netlists at the registers that they share."""
    left = gates.Circuit(dict(gold.gates), dict(gold.inputs), dict(gold.outputs))
    right = gates.Circuit(dict(gate.gates), dict(gate.inputs), dict(gate.outputs))
    states = {register.state: register for register in gate.registers}
    inputs, values = _settled(gold)
    called = gate.names | {name: net for net, name in _aliases(gold, gate, inputs, values).items()}
    known = {name for one in gate.registers for name in one.names} | set(called)
    known |= {one.state for one in gate.registers
              if any(called.get(name) == one.state for mine in gold.registers for name in mine.names)}
    if len(known & {one.state for one in gate.registers}) < len(gate.registers):
        called |= _by_next(gold, gate, known)
    constants = {0: "0", (1 << _DRAWS) - 1: "1"}
    canonical, removed, constant = {}, [], []
    for register in sorted(gold.registers, key=lambda one: one.names):
        if not register.names:
            raise CheckError("a register without a name")
        there = [called[name] for name in register.names if name in called]
        name = register.names[0]
        if not there and values["state", register.names] in constants:
            # The proof of the next value makes this certain.
            there = [constants[values["state", register.names]]]
        if not there:
            removed.append(name)
            left.inputs[register.state] = name
        elif there[0] in ("0", "1"):
            if (register.clear and there[0] == "1") or (register.preset and there[0] == "0"):
                raise Different(f"register {name}: constant {there[0]}, and reset to another value")
            constant.append(name)
            left.gates[register.state] = ("$_BUF_", [there[0]])
            left.outputs[f"{name} next"], right.outputs[f"{name} next"] = register.data, there[0]
        elif there[0] not in states:
            raise Different(f"register {name}: what is called so in the netlist is none")
        else:
            match = states[there[0]]
            if match.clock != register.clock:
                raise Different(f"register {name}: clocks {register.clock} and {match.clock}")
            shared = canonical.setdefault(there[0], name)
            left.inputs[register.state] = right.inputs[match.state] = shared
            _expose(left, register, name)
            _expose(right, match, name)
    strange = [register.names for register in gate.registers if register.state not in canonical]
    if strange:
        raise Different(f"registers of the netlist that the RTL has not: {strange[:4]}")
    if set(left.outputs) != set(right.outputs):
        raise Different("outputs that only one of both has: "
                         f"{sorted(set(left.outputs) ^ set(right.outputs))[:4]}")
    inputs = sorted(set(left.inputs.values()) | set(right.inputs.values()))
    return Pair(left, right, inputs, sorted(left.outputs), len(canonical), removed, constant)
