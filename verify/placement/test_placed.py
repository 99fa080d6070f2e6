#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Tests of tdplace on a netlist drawn at random: what it writes is the netlist, and OpenSTA sees the
wires that it says. Oracles: the netlist itself, flattened here, and OpenSTA."""

import collections
import json
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts"))

from netlists import cells, placement  # noqa: E402

TDPLACE = sys.argv.pop(1)
CELLS = cells.load()
STAGES, GATES = 40, 12
OFTEN = list(range(90, 96))
BUFFERED, THROUGH = 97, 300

STA = """\
read_liberty {liberty}
read_verilog placed.v
link_design top
create_clock -name clk -period 20 [get_ports clk]
set_input_delay 0 -clock clk [get_ports in*]
read_spef placed.spef
report_checks -path_delay max -group_count 200 -fields capacitance -digits 6
puts finished
"""


def module(ports, parts, names):
    """As Yosys writes it. ports: name -> (direction, bits); parts: name -> (type, pins -> bits)."""
    return {"ports": {name: {"direction": way, "bits": bits} for name, (way, bits) in ports.items()},
            "cells": {name: {"type": kind, "connections": pins} for name, (kind, pins) in parts.items()},
            "netnames": {name: {"hide_name": 0, "bits": bits} for name, bits in names.items()}}


def stage(draw):
    """Eight inputs through NANDs into four registers; two buffers in a row, which no placement keeps."""
    nets = list(range(3, 11)) + [61]
    parts = {"b0": ("BUFX2", {"A": [3], "Y": [60]}), "b1": ("BUFX4", {"A": [60], "Y": [61]})}
    for gate in range(GATES):
        out = 20 + gate
        parts[f"g{gate}"] = ("NAND2X1", {"A": [draw.choice(nets)], "B": [draw.choice(nets)], "Y": [out]})
        nets.append(out)
    for bit in range(4):
        parts[f"r{bit}"] = ("DFFPOSX1", {"CLK": [2], "D": [nets[-1 - bit]], "Q": [40 + bit]})
    return module({"clk": ("input", [2]), "in": ("input", list(range(3, 11))),
                   "out": ("output", [40, 41, 42, 43])}, parts,
                  {"clk": [2], "in": list(range(3, 11)), "state_q": [40, 41, 42, 43]})


def netlist(seed):
    """Stages that read each other's outputs, and some of an input port."""
    draw = random.Random(seed)
    parts, inputs = {}, list(range(3, 19))
    outputs = [[100 + 4 * number + bit for bit in range(4)] for number in range(STAGES)]
    for number in range(STAGES):
        near = [bit for other in range(number - 4, number + 5) for bit in outputs[other % STAGES]]
        parts[f"u_stage[{number}]"] = ("stage", {
            "clk": [2], "out": outputs[number],
            "in": [draw.choice(near + inputs + OFTEN + [BUFFERED]) for _ in range(8)]})
    # Of the top itself, so that nets have a port's name, and read so often that they are cut.
    for bit in OFTEN:
        parts[f"g{bit}"] = ("NAND2X1", {"A": [3], "B": [4], "Y": [bit]})
    parts["b"] = ("BUFX2", {"A": [outputs[7][0]], "Y": [BUFFERED]})
    parts["t"] = ("BUFX2", {"A": [THROUGH], "Y": [THROUGH + 1]})
    top = module({"clk": ("input", [2]), "in": ("input", inputs), "out": ("output", outputs[7]),
                  "same": ("output", [outputs[7][1]]), "often": ("output", OFTEN),
                  "buffered": ("output", [BUFFERED]), "from": ("input", [THROUGH]),
                  "through": ("output", [THROUGH + 1])}, parts,
                 {"clk": [2], "in": inputs, "out": outputs[7], "often": OFTEN})
    return {"modules": {"stage": stage(draw), "top": top}}


def flat(modules):
    """Sets of pins ("GATE PIN", or a port's bit) that a net joins, and what buffers join."""
    top, nets, driven_by = modules["top"], {}, {}
    for name, entry in top["ports"].items():
        for at, bit in enumerate(entry["bits"]):
            pin = name if len(entry["bits"]) == 1 else f"{name}[{at}]"
            nets.setdefault(bit, set()).add(pin)

    def add(path, kind, pins):
        if kind.startswith("BUF"):
            driven_by[pins["Y"]] = pins["A"]
            return
        for pin, net in pins.items():
            nets.setdefault(net, set()).add(f"{path} {pin}")

    for instance, cell in top["cells"].items():
        if cell["type"] != "stage":
            add(instance, cell["type"], {pin: bit for pin, (bit,) in cell["connections"].items()})
            continue
        inner = {bit: outer for port, entry in modules["stage"]["ports"].items()
                 for bit, outer in zip(entry["bits"], cell["connections"][port])}
        for name, gate in modules["stage"]["cells"].items():
            add(f"{instance}/{name}", gate["type"],
                {pin: inner.get(bit, (instance, bit)) for pin, (bit,) in gate["connections"].items()})
    joined = {}
    for net, pins in nets.items():
        while net in driven_by:
            net = driven_by[net]
        joined.setdefault(net, set()).update(pins)
    return {frozenset(pins) for pins in joined.values()}


class Joined:
    """Nets of a flat Verilog text; what a buffer that was added joins is one."""

    def __init__(self, text):
        self.parent, self.pins, self.buffers = {}, {}, {"repeater": 0, "clock_buffer": 0}
        for name, width in re.findall(r"^  (?:in|out)put (?:\[(\d+):0\] )?(\w+);$", text, re.M):
            for bit in [width] if name == "" else (f"{width}[{at}]" for at in range(int(name) + 1)):
                self.pins.setdefault(bit, set()).add(bit)
        for left, right in re.findall(r"^  assign (\S+) = (\S+);$", text, re.M):
            self.join(left, right)
        for cell, name, pins in re.findall(r"^  (\w+) (\S+) +\((.*)\);$", text, re.M):
            nets = {pin: net.strip().lstrip("\\") for pin, net in re.findall(r"\.(\w+)\(([^)]*)\)", pins)}
            added = name.rpartition("_")[0]
            if added in self.buffers:
                self.buffers[added] += 1
                self.join(nets["A"], nets["Y"])
                continue
            for pin, net in nets.items():
                self.pins.setdefault(net, set()).add(f"{name.lstrip(chr(92))} {pin}")

    def root(self, net):
        while net in self.parent:
            net = self.parent[net]
        return net

    def join(self, one, other):
        one, other = self.root(one), self.root(other)
        if one != other:
            self.parent[one] = other

    def sets(self):
        found = {}
        for net, pins in self.pins.items():
            found.setdefault(self.root(net), set()).update(pins)
        return {frozenset(pins) for pins in found.values()}


class Placed(unittest.TestCase):
    """One placement, with wires of so little load that many are cut."""

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        cls.netlist = netlist(1)
        (cls.folder / "netlist.json").write_text(json.dumps(cls.netlist))
        done = cls.place()
        assert done.returncode == 0, done.stderr
        cls.text = (cls.folder / "placed.v").read_text()
        cls.result = json.loads((cls.folder / "placed.json").read_text())

    @classmethod
    def place(cls, **changed):
        words = placement.options(CELLS, **{"netlist": "netlist.json", "top": "top", "clock": "clk",
                                            "repeater_pF": 0.06, "utilisation": 0.5,
                                            "out": "placed"} | changed)
        return subprocess.run([TDPLACE, *words], cwd=cls.folder, capture_output=True, text=True,
                              check=False)

    def test_it_is_the_netlist(self):
        joined = Joined(self.text)
        self.assertEqual(joined.sets(), flat(self.netlist["modules"]))
        self.assertEqual(joined.buffers, {"repeater": self.result["repeaters"],
                                          "clock_buffer": self.result["clock_buffers"]})
        self.assertGreater(min(joined.buffers.values()), 5)
        self.assertEqual(self.result["buffers_taken_out"], 2 * STAGES + 2)
        self.assertEqual(self.result["cells"], STAGES * (GATES + 4) + len(OFTEN))

    def test_registers_have_their_names(self):
        self.assertIn(r".Q(\u_stage[3]/state_q[2] )", self.text)

    def test_opensta_sees_the_wires(self):
        (self.folder / "sta.tcl").write_text(STA.format(liberty=CELLS.library.path))
        said = subprocess.run(["sta", "-no_splash", "-exit", "sta.tcl"], cwd=self.folder, check=True,
                              capture_output=True, text=True).stdout
        self.assertTrue(said.endswith("finished\n"), said[-300:])
        for word in ("Warning", "Error"):
            self.assertNotIn(word, said)
        loads = self.loads()
        seen = re.findall(r"^ +(\d\.\d+) .* [v^] (\S+)/([A-Z]+) \((\w+)\)$", said, re.M)
        checked = set()
        for load, instance, pin, _ in seen:
            key = f"{instance}:{pin}"
            if pin in ("Y", "Q") and key in loads:
                checked.add(key)
                self.assertAlmostEqual(float(load), loads[key], delta=0.02 * loads[key] + 2e-4, msg=key)
        self.assertGreater(len(checked), 20)

    def test_ports_have_their_directions(self):
        ways = set(re.findall(r"\*P (\w+)(?:\[\d+\])? ([IO])\n",
                              (self.folder / "placed.spef").read_text()))
        self.assertEqual(ways, {(name, "I") for name in ("clk", "in", "from")} |
                         {(name, "O") for name in ("out", "same", "often", "buffered", "through")})

    def test_ports_stand_apart(self):
        self.assertEqual(self.place(out="apart", port_um=10).returncode, 0)
        pins = re.findall(r"LAYER metal[23] .* PLACED \( (-?\d+) (-?\d+) \) N ;",
                          (self.folder / "apart.def").read_text())
        self.assertGreater(len(pins), 20)
        places = [(int(x) / 100, int(y) / 100) for x, y in pins]
        for at, (x, y) in enumerate(places):
            for other_x, other_y in places[:at]:
                # On the tracks of who routes, up to half a µm from where they were put.
                self.assertGreaterEqual(abs(x - other_x) + abs(y - other_y), 9)

    def wires(self):
        """Of each net in SPEF: its driver, as "INSTANCE:PIN" or a port, pF of wire, and (instance, pin) that it
        drives."""
        text = (self.folder / "placed.spef").read_text()
        names = {f"*{number}": name.replace("\\", "") for number, name in
                 re.findall(r"^\*(\d+) (\S+)$", text[:text.index("*D_NET")], re.M)}
        for pF, body in re.findall(r"\*D_NET \S+ (\S+)\n\*CONN\n((?:\*[IP] .*\n)+)", text):
            driver, read = re.search(r"\*P (\S+) I|$", body)[1], []
            for number, pin, way in re.findall(r"\*I (\*\d+):(\w+) ([IO])", body):
                if way == "O":
                    driver = f"{names[number]}:{pin}"
                else:
                    read.append((names[number], pin))
            yield driver, float(pF), read

    def loads(self):
        """pF at each driver: its wire in SPEF, and the pins that it drives in liberty."""
        kinds = {name.lstrip("\\"): cell for cell, name in
                 re.findall(r"^  (\w+) (\S+) +\(", self.text, re.M)}
        return {driver: pF + sum(CELLS.library.cells[kinds[name]].capacitance_pf[pin] for name, pin in read)
                for driver, pF, read in self.wires()}

    def test_loads_are_those_of_the_wires(self):
        head, *lines = (self.folder / "placed.loads").read_text().splitlines()
        self.assertEqual(head, f"tensordash-loads-3 {CELLS.placement.repeater} {CELLS.power.clock_buffer}")
        _, driver, behind, buffers = zip(*((float(word) for word in line.split()) for line in lines))
        self.assertEqual(sum(buffers), self.result["repeaters"] + self.result["clock_buffers"])
        loads = self.loads()
        added = ("repeater_", "clock_buffer_")
        by_buffers = [load for name, load in loads.items() if name.startswith(added)]
        self.assertEqual(len(by_buffers), sum(buffers))
        self.assertAlmostEqual(sum(behind), sum(by_buffers), delta=1e-3 * sum(behind))
        others = sorted(load for name, load in loads.items() if not name.startswith(added))
        self.assertEqual(len(driver), len(others))
        for one, other in zip(sorted(driver), others):
            self.assertAlmostEqual(one, other, delta=1e-3 * other + 1e-6)

    def test_resistances_are_those_of_the_lengths(self):
        rules, whole = CELLS.placement, 0
        text = (self.folder / "placed.spef").read_text()
        for pF, body in re.findall(r"\*D_NET \S+ (\S+)\n.*?\*RES\n(.*?)\*END", text, re.S):
            ohms = [float(line.split()[3]) for line in body.splitlines()]
            length = float(pF) / rules.wire_pf_per_um
            self.assertAlmostEqual(sum(ohms), length * rules.wire_ohm_per_um,
                                   delta=0.02 + 0.02 * len(ohms) + 1e-3 * sum(ohms))
            whole += length
        self.assertAlmostEqual(whole, self.result["wire_um"] + self.result["clock_wire_um"],
                               delta=1e-4 * whole)

    def test_wires_are_of_the_module_that_drives_them(self):
        into = {f"{name}:Y": driver for driver, _, read in self.wires()
                for name, _ in read if name.startswith("repeater_")}
        lengths = collections.Counter()
        for driver, pF, _ in self.wires():
            while driver in into:
                driver = into[driver]
            if driver == "clk" or driver.startswith("clock_buffer_"):
                continue
            module = (("stage", "top") if "/" in driver else
                      ("", "") if re.match(r"(in|from)\b", driver) else ("top", ""))
            lengths[module] += pF / CELLS.placement.wire_pf_per_um
        self.assertEqual({(wire["module"], wire["parent"]) for wire in self.result["wires"]}, set(lengths))
        for wire in self.result["wires"]:
            length = lengths[wire["module"], wire["parent"]]
            self.assertAlmostEqual(wire["wire_um"], length, delta=1e-3 * length)
            self.assertGreater(length, 100)

    def test_each_end_of_a_wire_has_half_of_its_load(self):
        rules, branches = CELLS.placement, 0
        text = (self.folder / "placed.spef").read_text()
        for said, body in re.findall(r"\*CAP\n(.*?)\*RES\n(.*?)\*END", text, re.S):
            loads = {node: float(pF) for _, node, pF in map(str.split, said.splitlines())}
            halves = collections.Counter()
            for _, one, other, ohm in map(str.split, body.splitlines()):
                for end in (one, other):
                    halves[end] += float(ohm) / rules.wire_ohm_per_um * rules.wire_pf_per_um / 2
            self.assertEqual(set(halves), set(loads) if body else set())
            for node, half in halves.items():
                self.assertAlmostEqual(half, loads[node], delta=1e-2 * half + 2e-5)
            branches += max(sum(line.split()[1] == node for line in body.splitlines()) for node in loads) > 1
        self.assertGreater(branches, 50)

    def test_a_seed_gives_one_placement(self):
        for name, seed, same in (("again", 1, True), ("other", 2, False)):
            self.assertEqual(self.place(out=name, seed=seed).returncode, 0)
            self.assertEqual((self.folder / f"{name}.spef").read_bytes()
                             == (self.folder / "placed.spef").read_bytes(), same)

    def test_mistakes(self):
        for changed in ({"repeater": "DFFPOSX1"}, {"repeater": "NONE"}, {"clock-buffer": "AND2X2"},
                        {"clock-buffer-pF": 0}, {"utilisation": 1.5}, {"utilisation": 0.98},
                        {"row-um": 0}, {"top": "none"}, {"netlist": "absent.json"},
                        {"out": "no/such/folder"}, {"repeater-pF": -1}, {"liberty": "/dev/null"}, {"lef": "/dev/null"},
                        {"row-um": 9}, {"lef": CELLS.library.path}, {"seed": -1}, {"clock": "out"},
                        *({number: "nan"} for number in ("row-um", "site-um", "port-um", "wire-pF-per-um",
                                                         "wire-ohm-per-um", "repeater-pF", "clock-buffer-pF",
                                                         "utilisation"))):
            done = self.place(**({"out": "wrong"} | changed))
            self.assertEqual(done.returncode, 2, changed)
            self.assertRegex(done.stderr, r"\A[^\n]*(; legal: | not in range )[^\n]*\n\Z")
            self.assertEqual(list(self.folder.glob("wrong*")), [])


if __name__ == "__main__":
    unittest.main()
