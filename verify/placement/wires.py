# SPDX-License-Identifier: Apache-2.0
"""Wires of a routed block beside those that tdplace said: their lengths, and what they do to its slowest
signal. Oracles: qrouter, and OpenSTA with what qrouter says of its wires."""

import re

from netlists import sta
from toolbox import tools
from toolbox.errors import CheckError

from .routing import LEF_PF

_EDGES = 1.92        # qrouter counts one edge of a wire, LEF's figure is of each of two

_STA = """\
read_liberty {liberty}
read_verilog placed.v
link_design {block}
create_clock -name clk -period 20 [get_ports clk_i]
foreach port [all_inputs] {{
  if {{[get_property $port full_name] ne "clk_i"}} {{set_input_delay 0 -clock clk $port}}
}}
set_output_delay 0 -clock clk [all_outputs]
read_spef wires.spef
report_checks -path_delay max -rise_from [get_clocks clk] -rise_to [get_clocks clk] -digits 4
puts finished
"""


def routed(text):
    """Net -> length of its wires, um, of a routed DEF."""
    found = {}
    nets = text[text.index("\nNETS"):text.index("END NETS")]
    for net, rest in re.findall(r"^- (\S+)\n(.*?) ;$", nets, re.M | re.S):
        length = 0
        for wire in re.split(r"\+ ROUTED |NEW ", rest)[1:]:
            before = None
            for x, y in re.findall(r"\( (\S+) (\S+) \)", wire):
                here = [before[axis] if way == "*" else int(way) for axis, way in enumerate((x, y))]
                if before:
                    length += abs(here[0] - before[0]) + abs(here[1] - before[1])
                before = here
        found[net] = length / 100
    return found


def _names(spef):
    """Number -> name, of a SPEF."""
    return {f"*{number}": name.replace("\\", "") for number, name in
            re.findall(r"^\*(\d+) (\S+)$", spef[:spef.index("*D_NET")], re.M)}


def said(spef):
    """Net -> length of its wires, um, of tdplace's SPEF."""
    names = _names(spef)
    return {names.get(net, net): float(pF) / LEF_PF
            for net, pF in re.findall(r"\*D_NET (\S+) (\S+)", spef)}


def _extracted(line):
    """What qrouter's .rc says of a net: its name and a D_NET of SPEF, or None where a port drives it or a
    wire ends at nothing, which is for netgen to judge. In parentheses stand a wire's resistance and
    capacitance, and what is behind it."""
    words = line.replace("(", " ( ").replace(")", " ) ").split()
    net, driver, rest = words[0], words[2], iter(words[4:])
    if driver.startswith("PIN/") or "ERROR" in words:
        return net, None
    pins, caps, ohms, stack = [driver.replace("/", ":")], [], [], []
    here = pins[0]
    for word in rest:
        if word == "(":
            node = f"{net}:{len(caps) + 1}"
            ohms.append((here, node, max(float(next(rest)), 0.01)))
            caps.append((node, _EDGES * float(next(rest))))
            stack.append(here)
            here = node
        elif word == ")":
            here = stack.pop()
        elif word != ",":
            pins.append(word[4:] if word.startswith("PIN/") else word.replace("/", ":"))
            ohms.append((here, pins[-1], 0.01))
    lines = [f"*D_NET {net} {sum(pF for _, pF in caps):.6g}", "*CONN"]
    lines += [f"*{'I' if ':' in pin else 'P'} {pin} {'O' if at == 0 or ':' not in pin else 'I'}"
              for at, pin in enumerate(pins)]
    lines += ["*CAP", *(f"{at + 1} {node} {pF:.6g}" for at, (node, pF) in enumerate(caps)), "*RES"]
    lines += [f"{at + 1} {one} {other} {ohm:.4g}" for at, (one, other, ohm) in enumerate(ohms)]
    return net, "\n".join([*lines, "*END", ""])


def _without_load(net):
    """A D_NET of SPEF whose wires have no capacitance."""
    before, caps, behind = re.split(r"(?<=\*CAP\n)|(?=\*RES)", net)
    return re.sub(r"(\*D_NET \S+) \S+", r"\1 0", before) \
        + re.sub(r"^(\d+ \S+) \S+$", r"\1 0", caps, flags=re.M) + behind


def _arrival(block, spef, cells, folder, runner):
    """ns of the latest signal, with these wires and an ideal clock."""
    tools.write(folder / "wires.spef", spef)
    tools.write(folder / "sta.tcl", _STA.format(liberty=cells.library.path, block=block))
    sta.tcl("sta.tcl", folder, runner)
    text = (folder / "sta.log").read_text()
    if "Warning" in text:
        raise CheckError(f"sta: a warning; all it said: {folder / 'sta.log'}")
    return float(re.search(r"(\S+) +data arrival time", text)[1])


def arrivals(block, cells, folder, runner):
    """How many nets are not at ports; and ns of the latest signal with these: without wires, with those
    that tdplace said, with routed ones."""
    head, *bodies = re.split(r"^(?=\*D_NET)", (folder / "placed.spef").read_text(), flags=re.M)
    names = _names(head + "*D_NET")
    ours = {names.get(body.split()[1]): body for body in bodies}
    theirs = dict(_extracted(line) for line in
                  (folder / "routed.rc").read_text().splitlines() if "(" in line)
    inside = [net for net, text in theirs.items() if net in ours and text and "[" not in text]
    return len(inside), *(_arrival(block, head + "".join(wires), cells, folder, runner) for wires in (
        [_without_load(ours[net]) for net in inside], [ours[net] for net in inside],
        [theirs[net] for net in inside]))
