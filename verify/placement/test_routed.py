#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""A placement of tdplace, routed by qrouter: the multiplier of the tiny tile. It must route to the end,
wires must be as long as tdplace said, and with them signals as late; what magic extracts must be the
netlist. Oracles: qrouter and magic, on osu018's LEF, and OpenSTA with what qrouter says of its wires."""

import json
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts"))

from netlists import cells, placement, synthesis  # noqa: E402
from toolbox import design, tools  # noqa: E402

TDPLACE = sys.argv.pop(1)
MAGIC = pathlib.Path("/usr/share/qflow/tech/osu018/osu018.magicrc")
CELLS = cells.load()
LEF_PF = 0.00012     # of a µm of wire alone, by LEF's layers 2 and 3: what qrouter counts with
SEED = 2             # of 1..4, 1 and 4 leave a net in two pieces, and qrouter does not notice: magic does
EDGES = 1.92         # qrouter counts one edge of a wire, LEF's figure is of each of two

# qrouter's layers, the way of their wires, and the pitch of these in DEF's units of 10 nm. Pins of
# osu018's cells lie half a pitch from the corners of sites.
LAYERS = (("metal1", "Y", 100), ("metal2", "X", 80), ("metal3", "Y", 100), ("metal4", "X", 80),
          ("metal5", "Y", 100), ("metal6", "X", 160))

SCRIPT = """\
verbose 1
read_lef {lef}
catch {{layers 6}}
via stack 1
vdd vdd
gnd gnd
read_def tracks.def
qrouter::standard_route routed.def false
quit
"""


EXTRACT = """\
box 0 0 0 0
drc off
snap int
lef read {lef}
def read routed.def
load multiplier
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

STA = """\
read_liberty {liberty}
read_verilog placed.v
link_design multiplier
create_clock -name clk -period 20 [get_ports clk_i]
set_input_delay 0 -clock clk [get_ports {{a_i* b_i* en_i*}}]
set_output_delay 0 -clock clk [all_outputs]
read_spef wires.spef
report_checks -path_delay max -digits 4
"""


def with_tracks(text):
    """A DEF with tracks, and ports on them."""
    corners = re.search(r"DIEAREA \( (\S+) (\S+) \) \( (\S+) (\S+) \)", text).groups()
    left, low, right, high = map(int, corners)
    lines = ""
    for layer, axis, pitch in LAYERS:
        begin, end = (left, right) if axis == "X" else (low, high)
        half = 40 if axis == "X" else 50
        first = -(-(begin - half) // pitch) * pitch + half
        lines += f"TRACKS {axis} {first} DO {(end - first) // pitch + 1} STEP {pitch} LAYER {layer} ;\n"

    def on_track(pin):
        x, y = int(pin[3]), int(pin[4])
        if pin[2] == "metal2":
            x, y = x // 80 * 80 + 40, -250 if y <= 0 else y // 100 * 100 + 50
        else:
            x, y = -280 if x <= 0 else x // 80 * 80 + 40, y // 100 * 100 + 50
        return f"{pin[1]} + LAYER {pin[2]} ( -15 -15 ) ( 15 15 ) + PLACED ( {x} {y} ) N"

    text = re.sub(r"(DIEAREA .*\n)", r"\1" + lines, text)
    return re.sub(r"(.*) \+ LAYER (metal\d) \( -15 -15 \) \( 15 15 \) \+ PLACED \( (\S+) (\S+) \) N",
                  on_track, text)


def routed(text):
    """Net -> length of its wires, µm, of a routed DEF."""
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


def names_of(text):
    """Number -> name, of the SPEF."""
    return {f"*{number}": name.replace("\\", "") for number, name in
            re.findall(r"^\*(\d+) (\S+)$", text[:text.index("*D_NET")], re.M)}


def said(text):
    """Net -> length of its wires, µm, of the SPEF."""
    names = names_of(text)
    return {names.get(net, net): float(pF) / LEF_PF
            for net, pF in re.findall(r"\*D_NET (\S+) (\S+)", text)}


def joined(spef):
    """Sets of pins, ("INSTANCE", "PIN") or ("PORT",), that a wire of the SPEF joins."""
    names = names_of(spef)
    found = set()
    for conn in re.findall(r"^\*CONN\n((?:\*[IP] .*\n)+)", spef, re.M):
        pins = re.findall(r"^\*[IP] (\S+) ", conn, re.M)
        found.add(frozenset((names[pin.split(":")[0]], pin.split(":")[1]) if ":" in pin else (pin,)
                            for pin in pins))
    return found


def drawn(spice, ports):
    """The same of what magic found in the layout; supplies and the clock, which are not routed, left out."""
    text = re.sub(r"\n\+ ", " ", spice)
    pins = {name: words.split() for name, words in re.findall(r"^\.subckt (\S+) (.*)$", text, re.M)}
    nets = {}
    for instance, words in re.findall(r"^X(\S+) (.*)$", text, re.M):
        *at, cell = words.split()
        for pin, net in zip(pins[cell], at, strict=True):
            if pin not in ("vdd", "gnd", "CLK"):
                nets.setdefault(net, set()).add((instance, pin))
    for port in ports:
        nets.setdefault(port, set()).add((port,))
    return {frozenset(net) for net in nets.values() if len(net) > 1}


def extracted(line):
    """What qrouter's .rc says of a net: its name and a D_NET of SPEF, or None where a port drives it. In
    parentheses stand a wire's resistance and capacitance, and what is behind it."""
    words = line.replace("(", " ( ").replace(")", " ) ").split()
    net, driver, rest = words[0], words[2], iter(words[4:])
    if driver.startswith("PIN/"):
        return net, None
    pins, caps, ohms, stack = [driver.replace("/", ":")], [], [], []
    here = pins[0]
    for word in rest:
        if word == "(":
            node = f"{net}:{len(caps) + 1}"
            ohms.append((here, node, max(float(next(rest)), 0.01)))
            caps.append((node, EDGES * float(next(rest))))
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


def without_load(net):
    """A D_NET of SPEF whose wires have no capacitance."""
    before, caps, behind = re.split(r"(?<=\*CAP\n)|(?=\*RES)", net)
    return re.sub(r"(\*D_NET \S+) \S+", r"\1 0", before) \
        + re.sub(r"^(\d+ \S+) \S+$", r"\1 0", caps, flags=re.M) + behind


class Routed(unittest.TestCase):
    """One placement, routed once."""

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        (found,) = synthesis.synthesise([design.emit("tiny")], CELLS, CELLS.timing.clock_ns,
                                        tools.Runner(), lambda name: name == "multiplier")
        text = found.modules["multiplier"].json.read_text()
        module = json.loads(text)["modules"]["multiplier"]
        module["cells"] = {f"g{at}": cell for at, cell in enumerate(module["cells"].values())}
        (cls.folder / "netlist.json").write_text(json.dumps({"modules": {"multiplier": module}}))
        rules = CELLS.placement
        words = placement.options(CELLS, netlist="netlist.json", top="multiplier", clock="clk_i",
                                  wire_pF_per_um=LEF_PF, seed=SEED, out="placed")
        subprocess.run([TDPLACE, *words], cwd=cls.folder, check=True)
        text = (cls.folder / "placed.def").read_text()
        (cls.folder / "tracks.def").write_text(with_tracks(text))
        (cls.folder / "route.cfg").write_text(SCRIPT.format(lef=rules.lef))
        done = subprocess.run(["qrouter", "-nog", "-s", "route.cfg"], cwd=cls.folder, check=True,
                              stdin=subprocess.DEVNULL, capture_output=True, text=True)
        cls.log = done.stdout + done.stderr

    def test_it_routes_to_the_end(self):
        self.assertIn("Final: No failed routes!", self.log)
        self.assertNotIn("has no taps", self.log)

    def test_wires_are_as_long_as_was_said(self):
        ours = said((self.folder / "placed.spef").read_text())
        theirs = routed((self.folder / "routed.def").read_text())
        self.assertEqual(ours.keys(), theirs.keys())
        result = json.loads((self.folder / "placed.json").read_text())
        self.assertGreater(len(ours), 1000)
        whole = sum(theirs.values())
        print(f"{len(ours)} nets of {result['cells']} cells: {sum(ours.values()):.0f} um said, "
              f"{whole:.0f} um routed, ratio {sum(ours.values()) / whole:.3f}")
        self.assertAlmostEqual(sum(ours.values()), whole, delta=0.05 * whole)


    def test_what_is_drawn_is_the_netlist(self):
        (self.folder / ".magicrc").write_bytes(MAGIC.read_bytes())
        (self.folder / "extract.tcl").write_text(EXTRACT.format(lef=CELLS.placement.lef))
        subprocess.run(["magic", "-dnull", "-noconsole", "extract.tcl"], cwd=self.folder, check=True,
                       stdin=subprocess.DEVNULL, capture_output=True)
        text = (self.folder / "placed.def").read_text()
        ports = re.findall(r"^- (\S+) \+ NET ", text[text.index("\nPINS"):text.index("END PINS")], re.M)
        wanted = joined((self.folder / "placed.spef").read_text())
        self.assertEqual(drawn((self.folder / "extracted.spice").read_text(), ports), wanted)
        self.assertGreater(len(wanted), 1000)

    def arrival(self, spef):
        """ns of the latest signal, with these wires."""
        (self.folder / "wires.spef").write_text(spef)
        (self.folder / "sta.tcl").write_text(STA.format(liberty=CELLS.library.path))
        text = subprocess.run(["sta", "-no_splash", "-exit", "sta.tcl"], cwd=self.folder, check=True,
                              capture_output=True, text=True).stdout
        for word in ("Warning", "Error"):
            self.assertNotIn(word, text)
        return float(re.search(r"(\S+) +data arrival time", text)[1])

    def test_signals_are_as_late(self):
        ours = (self.folder / "placed.spef").read_text()
        names = names_of(ours)
        nets = dict(extracted(line) for line in
                    (self.folder / "routed.rc").read_text().splitlines() if "(" in line)
        nets = {net: text for net, text in nets.items() if text and "[" not in text}
        self.assertGreater(len(nets), 1000)
        head, *bodies = re.split(r"^(?=\*D_NET)", ours, flags=re.M)
        ours = [body for body in bodies if names.get(body.split()[1], "") in nets]
        self.assertEqual(len(ours), len(nets))
        placed, bare, with_routes = (self.arrival(head + "".join(bodies)) for bodies in
                                     (ours, map(without_load, ours), nets.values()))
        print(f"latest signal, ns: {bare:.3f} without wires, {placed:.3f} placed, "
              f"{with_routes:.3f} routed")
        self.assertAlmostEqual(placed, with_routes, delta=0.05 * with_routes)
        # ... of which wires are a part.
        self.assertAlmostEqual(placed - bare, with_routes - bare, delta=0.25 * (with_routes - bare))


if __name__ == "__main__":
    unittest.main()
