# SPDX-License-Identifier: Apache-2.0
"""Whether what is drawn is the netlist. Oracles: magic, which finds in a routed block what its wires
join, and netgen, which compares that with the netlist that was placed."""

import pathlib
import re

from toolbox import tools

_TECHNOLOGY = pathlib.Path("/usr/share/qflow/tech/osu018/osu018.magicrc")

_SUPPLIES = ("vdd", "gnd")

_EXTRACT = """\
box 0 0 0 0
drc off
snap int
lef read {lef}
def read {def_}
load {block}
expand
extract all
ext2spice format ngspice
ext2spice hierarchy on
ext2spice scale off
ext2spice renumber off
ext2spice cthresh infinite
ext2spice rthresh infinite
ext2spice blackbox on
ext2spice subcircuit top auto
ext2spice global off
ext2spice -o extracted.spice
quit -noprompt
"""


def _instance(name, cell, nets):
    """A line of SPICE. nets: by pin. netgen takes pins of cells that it sees nothing of in their order."""
    return " ".join([f"X{name}", *(nets[pin] for pin in sorted(nets)), cell])


def _spice(title, cells, top, ports, instances):
    """A netlist. cells: name -> pins."""
    lines = [line for cell, pins in sorted(cells.items())
             for line in (f".subckt {cell} {' '.join(sorted(pins))}", ".ends")]
    return "\n".join([f"* {title}", *lines, f".subckt {top} {' '.join(ports)}", *instances, ".ends", ""])


def _drawn(text, top):
    """What magic found, without supplies, which nobody routes."""
    cells, instances = {}, []
    for line in text.replace("\n+ ", " ").splitlines():
        word, *words = line.split() or [""]
        if word == ".subckt":
            cells[words[0]] = words[1:]
        elif word.startswith("X"):
            nets = dict(zip(cells[words[-1]], words[:-1], strict=True))
            instances.append(_instance(word[1:], words[-1], {
                pin: net for pin, net in nets.items() if pin not in _SUPPLIES}))
    ports = cells.pop(top)
    return _spice("drawn", {cell: [pin for pin in pins if pin not in _SUPPLIES]
                            for cell, pins in cells.items()}, top, ports, instances)


def _placed(text, top):
    """Flat Verilog of tdplace. Pins at constants are left to supplies, too."""
    cells, instances, joined = {}, [], set()
    for cell, name, pins in re.findall(r"^  (\w+) \\?(\S+) +\((.*)\);$", text, re.M):
        nets = {pin: f"open_{name}_{pin}" if net.startswith("1'b") else net
                for pin, net in re.findall(r"\.(\w+)\(\\?(\S+) ?\)", pins)}
        cells[cell] = list(nets)
        joined.update(nets.values())
        instances.append(_instance(name, cell, nets))
    ports = []
    for high, name in re.findall(r"^  (?:in|out)put (?:\[(\d+):0\] )?(\w+);$", text, re.M):
        ports += [f"{name}[{bit}]" for bit in range(int(high) + 1)] if high else [name]
    return _spice("placed", cells, top, [port for port in ports if port in joined], instances)


def verdict(block, cells, folder, runner, routed="routed.def"):
    """netgen's last word on a routed block."""
    (folder / ".magicrc").write_bytes(_TECHNOLOGY.read_bytes())
    tools.write(folder / "extract.tcl",
                _EXTRACT.format(lef=cells.placement.lef, def_=routed, block=block))
    runner.run(["magic", "-dnull", "-noconsole", "extract.tcl"], folder / "extract.txt", folder)
    tools.write(folder / "drawn.spice", _drawn((folder / "extracted.spice").read_text(), block))
    tools.write(folder / "placed.spice", _placed((folder / "placed.v").read_text(), block))
    runner.run(["netgen-lvs", "-batch", "lvs", f"drawn.spice {block}", f"placed.spice {block}",
                "nosetup", "lvs.txt"], folder / "netgen.txt", folder)
    return re.findall(r"^Result: (.*)$", (folder / "netgen.txt").read_text(), re.M)[-1]
