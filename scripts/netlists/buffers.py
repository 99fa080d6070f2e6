# SPDX-License-Identifier: Apache-2.0
"""Buffer trees for nets that drive too much: ABC sees one module at a time, and no net that only
passes through. Works on modules of a Yosys JSON netlist, the deepest first."""

import collections

INPUTS = 16   # of its own kind, that a buffer may drive; 10 would take 9 % more area (paper_bf16)


class _Net:
    """Who drives one bit and who reads it."""

    def __init__(self):
        self.sinks = []       # (connection list, index, load in pF)
        self.from_port = False
        self.driven = False

    def load(self):
        return sum(sink[2] for sink in self.sinks)


def _nets(module, pin_load):
    nets = collections.defaultdict(_Net)
    for port in module["ports"].values():
        if port["direction"] == "input":
            for bit in port["bits"]:
                nets[bit].from_port = nets[bit].driven = True
    for cell in module["cells"].values():
        for port, bits in cell["connections"].items():
            for index, bit in enumerate(bits):
                if not isinstance(bit, int):
                    continue
                load = pin_load(cell["type"], port, index)
                if load is None:
                    nets[bit].driven = True
                else:
                    nets[bit].sinks.append((bits, index, load))
    return nets


def _groups(sinks, limit):
    """Neighbouring sinks, each group up to the limit and of about the same load."""
    total = sum(sink[2] for sink in sinks)
    share = total / max(1, -(-total // limit))
    groups, filled = [[]], 0.0
    for sink in sinks:
        if groups[-1] and filled + sink[2] > share * 1.0001:
            groups.append([])
            filled = 0.0
        groups[-1].append(sink)
        filled += sink[2]
    return groups


class Buffers:
    """Inserts trees of one buffer cell.

    cell, input_pin, output_pin: the buffer; load: pF of its input and the wire to it; limit: pF
    that anything may drive; keep: names of ports whose nets are left alone, such as the clock."""

    def __init__(self, cell, input_pin, output_pin, load, limit, keep=("clk_i", "clk_o")):
        self.cell, self.input_pin, self.output_pin = cell, input_pin, output_pin
        self.load, self.limit, self.keep = load, limit, set(keep)
        self.ports = {}   # module -> {(port, bit): load in pF}, of the modules done

    def insert(self, name, module, cell_load):
        """Buffers one module in place; its submodules must be done. cell_load(type, pin): pF of a
        cell's input and the wire to it, None for an output. Returns the number of buffers."""
        def pin_load(kind, port, index):
            if kind in self.ports:
                return self.ports[kind].get((port, index))
            return cell_load(kind, port)

        nets = _nets(module, pin_load)
        kept = {bit for port in module["netnames"] if port in self.keep
                for bit in module["netnames"][port]["bits"]}
        # What a clock gate drives has no name of its own.
        kept |= {bit for cell in module["cells"].values()
                 for port, bits in cell["connections"].items() if port in self.keep for bit in bits}
        state = {"next": 1 + max((bit for bit in nets), default=1), "count": 0}
        for bits in (entry["bits"] for entry in module["netnames"].values()):
            state["next"] = max([state["next"]] + [bit + 1 for bit in bits if isinstance(bit, int)])
        for bit in sorted(nets):
            net = nets[bit]
            if net.driven and bit not in kept and net.load() > self.limit:
                self._tree(module, bit, net, state)
        loads = {}
        for port, entry in module["ports"].items():
            if entry["direction"] == "input":
                for index, bit in enumerate(entry["bits"]):
                    loads[port, index] = nets[bit].load() if isinstance(bit, int) else 0.0
        self.ports[name] = loads
        return state["count"]

    def _tree(self, module, bit, net, state):
        # Level by level towards the driver, until it drives one buffer.
        while len(net.sinks) > 1 and (net.load() > self.limit or net.from_port):
            level = []
            for group in _groups(net.sinks, self.limit):
                wire = state["next"]
                state["next"] += 1
                state["count"] += 1
                for bits, index, _ in group:
                    bits[index] = wire
                source = [bit]
                label = f"buffer_{bit}_{state['count']}"
                module["netnames"][label + "_y"] = {"hide_name": 0, "bits": [wire], "attributes": {}}
                module["cells"][label] = {
                    "hide_name": 0, "type": self.cell, "parameters": {}, "attributes": {},
                    "port_directions": {self.input_pin: "input", self.output_pin: "output"},
                    "connections": {self.input_pin: source, self.output_pin: [wire]}}
                level.append((source, 0, self.load))
            net.sinks = level


def insert(modules, top, cells):
    """Buffers a whole design in place. modules: name -> module of a Yosys JSON netlist, cells of
    the library left out. Returns the number of buffers put into each module that has one."""
    library, buffer = cells.library.cells, cells.library.cells[cells.driving_cell]
    ((input_pin, pin_pf),) = buffer.capacitance_pf.items()
    load = pin_pf + cells.wire_pf
    (output_pin,) = buffer.functions
    trees = Buffers(buffer.name, input_pin, output_pin, load, INPUTS * load)
    counts = {}

    def cell_load(kind, pin):
        pin_pf = library[kind].capacitance_pf.get(pin)
        return None if pin_pf is None else pin_pf + cells.wire_pf

    def visit(name):
        if name in counts:
            return
        for cell in modules[name]["cells"].values():
            if cell["type"] in modules:
                visit(cell["type"])
        counts[name] = trees.insert(name, modules[name], cell_load)

    visit(top)
    return {name: count for name, count in counts.items() if count}
