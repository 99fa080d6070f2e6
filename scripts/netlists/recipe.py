# SPDX-License-Identifier: Apache-2.0
"""What Yosys and ABC are told: elaboration, synthesis of one module, the clock gate."""

import pathlib

GATE = "clock_gate"   # module name of the clock gate
MULTIPLIERS = pathlib.Path(__file__).with_name("multiplier_map.v")

# Blocks that are wires, or registers that belong to what is around them: flattened into their parents.
# So is a tile into its top; an accelerator has several.
FLATTENED = ("adder_tree", "array", "fused", "pipe", "select", "tile")

# A module is mapped by each of these, and the smallest result that meets its delay is kept. None
# is best everywhere: osu018, area in µm² and delay in ns of fp32 adder / bf16 staging buffer:
#   yosys    ABC's script as Yosys has it: good for multiplexers      42,200 13.4 / 483,000 1.9
#   relaxed  the same with fewer buffers
#   delay    by gate delays, not by levels: fast arithmetic           40,500 11.5 / 564,000 1.8
#   area     area alone, with fewer buffers                           31,400 17.1 / 451,000 2.6

# Share of the clock that a module's gates may take. Behind registers: the rest is for the registers
# themselves, the clock's uncertainty and what stands between modules. Without: the module shares the
# clock with what is before and behind it. And what the scheduler loop runs through, one module after
# the other, with staging buffers at its end, or scratchpads.
REGISTERED_SHARE = 0.85
COMBINATIONAL_SHARE = 0.5
LOOP_SHARES = {"window": 0.15, "staging": 0.18, "row": 0.12, "scheduler": 0.25, "moves": 0.12, "search": 0.07,
               "intake": 0.2, "scratchpad": 0.3}

_START = "strash; &get -n; &fraig -x; &put; scorr; dc2; strash; "
_SIZE = "; upsize -c {D}; dnsize -c {D}; stime -c -p"
# The library's full adders (Yosys' maccmap, then FAX1) win nothing: the fp32 multiplier takes 118,300
# at 19.0 ns and 132,900 at 14.0 ns, against 106,300 at 17.8 ns and 126,400 at 14.2 ns without.
MAPPINGS = {
    "yosys": _START + "&get -n; &dch -f; &nf; &put; topo; buffer -c" + _SIZE,
    "relaxed": _START + "&get -n; &dch -f; &nf; &put; topo; buffer -c -N 16 -S 300" + _SIZE,
    "delay": _START + "dch; map -B 0.9; topo; buffer -c" + _SIZE,
    "speed": _START + "if -g -K 6; strash; if -g -K 6; strash; &get -n; &dch -f; &nf; &put; topo; buffer -c" + _SIZE,
    "area": _START + "dch -f; amap -m; topo; buffer -c -N 16 -S 300" + _SIZE,
}

# Yosys' own `synth` without what would undo clock gates: synchronous resets stay in front of the
# flip-flops, since one that is found takes the place of an enable.
FRONT = """\
opt_expr
opt_clean
check -assert
opt -nodffe -nosdff
wreduce
peepopt
opt_clean
techmap -map multiplier_map.v t:$mul
opt_expr
opt_clean
alumacc
share
opt -nosdff
opt_clean
opt -fast -full -nosdff
opt -undriven -fine -nosdff
techmap
opt -fast -nosdff
opt_dff -nosdff
opt_clean
abc -fast
opt -fast -nosdff
"""


def elaboration(files, top, generation):
    """Reads a design and leaves one RTLIL file with every unique module, processes resolved. Signals
    that Yosys names itself, and those inside functions, have numbers that run through the whole
    design, and which of two equal signals it keeps depends on their names: they are named anew
    before anything is optimised, so that equal modules of two designs come out equal."""
    blocks = [block for block in FLATTENED if block != "tile" or top.endswith("_tile")]
    flattened = "\n".join(f"setattr -mod -unset keep_hierarchy A:hdlname=\\{name} {name}"
                          for name in (f"{generation}_{block}" for block in blocks))
    return f"""\
read_verilog {" ".join(str(file) for file in files)}
hierarchy -check -top {top}
proc
setattr -unset nosync w:*
rename -hide w:*$func$*
rename -enumerate -pattern $%_
setattr -mod -set keep_hierarchy 1 *
{flattened}
flatten
hierarchy -check -top {top}
setattr -mod -unset keep_hierarchy *
opt_clean
setattr -unset src *
setattr -unset src */*
setattr -mod -unset src *
write_rtlil elaborated.il
"""


def constraints(cells):
    """ABC's file of constraints; its load is in fF."""
    return f"set_driving_cell {cells.driving_cell}\nset_load {cells.load_pf * 1000:g}\n"


def clock_gate_verilog(cells):
    """The module with the cells of a clock gate."""
    latch, and_gate, inverter = cells.clock_gate.latch, cells.clock_gate.and_gate, cells.clock_gate.inverter
    opens = "opens" if inverter else "clk_i"
    inverts = f"""\
  wire opens;
  {inverter['cell']} invert (.{inverter['input']}(clk_i), .{inverter['output']}(opens));
""" if inverter else ""
    return f"""\
module {GATE} (input clk_i, input en_i, output clk_o);
  wire enable_q;
{inverts}  {latch['cell']} enable (.{latch['enable']}({opens}), .{latch['data']}(en_i),
    .{latch['output']}(enable_q));
  {and_gate['cell']} gate (.{and_gate['a']}(clk_i), .{and_gate['b']}(enable_q),
    .{and_gate['output']}(clk_o));
endmodule
"""


_GATED = """\
(* techmap_celltype = "{enabled}" *)
module gated_{index} (input D, C, E{port}, output Q);
  wire clk;
  {gate} clock_gate (.clk_i(C), .en_i(E), .clk_o(clk));
  {plain} _TECHMAP_REPLACE_ (.D(D), .C(clk){pin}, .Q(Q));
endmodule
"""


def clock_gate_map():
    """Techmap rules: registers with an enable become plain ones behind a clock gate each, which
    are then merged. With an asynchronous reset too: that does not wait for a clock."""
    rules = [("$_DFFE_PP_", "$_DFF_P_", "", ""),
             ("$_DFFE_PN0P_", "$_DFF_PN0_", ", R", ", .R(R)"),
             ("$_DFFE_PN1P_", "$_DFF_PN1_", ", R", ", .R(R)")]
    return "".join(_GATED.format(enabled=enabled, plain="\\" + plain + " ", index=index, gate=GATE,
                                 port=port, pin=pin)
                   for index, (enabled, plain, port, pin) in enumerate(rules))


def _clock_gating(cells):
    if cells.clock_gate is None:
        return ""
    return f"""\
dfflegalize -mince {cells.clock_gate.minimum_bits} -cell $_DFF_P_ x -cell $_DFFE_PP_ x \
-cell $_DFF_PN?_ x -cell $_DFFE_PN?P_ x
read_verilog -lib clock_gate_stub.v
techmap -map clock_gate_map.v
opt_merge -share_all t:{GATE}
opt_clean
"""


def clock_gate_stub():
    """What Yosys must know of the gate while it synthesises others."""
    return f"module {GATE} (input clk_i, input en_i, output clk_o);\nendmodule\n"


def module_script(name, cells, delay_ns, mappings):
    """Synthesis of one module, whose children are black boxes, by each of these of MAPPINGS."""
    liberty = cells.library.path
    text = f"""\
read_rtlil module.il
hierarchy -check -top {name}
{FRONT}{_clock_gating(cells)}\
dfflibmap -liberty {liberty}
opt_clean
design -save gates
"""
    for mapping in mappings:
        commands = MAPPINGS[mapping].replace(" ", ",")
        text += f"""\
design -load gates
tee -o {mapping}.abc abc -liberty {liberty} -constr abc.constr -D {delay_ns * 1000:.0f} \
-script "+{commands}"
setundef -zero
opt_clean -purge
select {name}
tee -o {mapping}.stat stat -liberty {liberty}
json -o {mapping}.json {name}
write_verilog -noattr -noexpr -selected {mapping}.v
select -clear
"""
    return text


def gate_script(cells):
    """The clock gate's own netlist, in the same files."""
    liberty = cells.library.path
    return f"""\
read_liberty -lib {liberty}
read_verilog clock_gate.v
hierarchy -check -top {GATE}
select {GATE}
tee -o gate.stat stat -liberty {liberty}
json -o gate.json {GATE}
write_verilog -noattr -noexpr -selected gate.v
"""


JOINED = """\
hierarchy -top {top}
tee -o joined.stat stat -top {top} -liberty {liberty}
"""


def joined_script(paths, top, cells):
    """A `stat` of all modules' netlists together."""
    reads = "".join(f"read_json {path}\n" for path in paths)
    return reads + JOINED.format(top=top, liberty=cells.library.path)
