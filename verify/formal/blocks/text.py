# SPDX-License-Identifier: Apache-2.0
"""Verilog that several properties share: the definition, in the loops over lanes and options in
which it is told. The pattern and the levels come from the manifest, nothing from the emitter."""


def head(design, about):
    """First lines of a file with a module `proof`."""
    return f"// {about}\n// Configuration {design.name} ({design.hash}).\n`default_nettype none\n"


def outputs(signals):
    """The outputs that are to be 1, for the end of a list of ports."""
    return ",\n    ".join(f"output wire {signal}" for signal in signals)


def probe(name, width, path):
    """A wire `name` with what a register or wire inside of the instance `dut` holds."""
    return f"""\
  wire [{width - 1}:0] {name};
`ifdef YOSYS
  (* hierconn *) wire [{width - 1}:0] \\dut.{path} ;
  assign {name} = \\dut.{path} ;
`else
  assign {name} = dut.{path};
`endif"""


def vector(name, paths):
    """One wire of several inside of the instance `dut`, as (path, bits), the first in the low
    bits."""
    wires = [f"{name}_{option}" for option in range(len(paths))]
    probes = [probe(wire, bits, path) for wire, (path, bits) in zip(wires, paths, strict=True)]
    total = sum(bits for _, bits in paths)
    return "\n".join([*probes, f"  wire [{total - 1}:0] {name} = {{{', '.join(reversed(wires))}}};"])


def pattern(design):
    """Sizes and functions of the configuration: which element a lane reaches through an option, and
    whose turn it is to choose."""
    reaches = "\n".join(
        f"      {option}: reached = {step} * LANES + (lane + {offset % design.lanes}) % LANES;"
        for option, (step, offset) in enumerate(design.options))
    turns = "\n".join(f"      {turn}: lane_of = {lane};"
                      for turn, lane in enumerate(design.lane_order))
    return f"""\
  localparam LANES = {design.lanes}, DEPTH = {design.depth}, OPTIONS = {len(design.options)};
  localparam ELEMENTS = DEPTH * LANES;  // numbered row * LANES + lane

  // The element that a lane reaches through an option.
  function automatic integer reached(input integer lane, input integer option);
    case (option)
{reaches}
      default: reached = 0;
    endcase
  endfunction

  // The lane that chooses in a turn: level by level, and in a level by number.
  function automatic integer lane_of(input integer turn);
    case (turn)
{turns}
      default: lane_of = 0;
    endcase
  endfunction
"""


# What the lanes took of `z` by their choices; bit of `choice`: lane * OPTIONS + option.
PICKS = """\
  reg [ELEMENTS-1:0] picked, left;
  reg twice, two_options, idle_beside_work, work;
  integer l, p;
  always @* begin
    picked = {ELEMENTS{1'b0}};
    twice = 1'b0;
    two_options = 1'b0;
    for (l = 0; l < LANES; l = l + 1) begin
      for (p = 0; p < OPTIONS; p = p + 1) begin
        twice = twice | (choice[l*OPTIONS+p] & picked[reached(l, p)]);
        picked[reached(l, p)] = picked[reached(l, p)] | choice[l*OPTIONS+p];
      end
      two_options = two_options | (|(choice[l*OPTIONS+:OPTIONS] & (choice[l*OPTIONS+:OPTIONS] - 1'b1)));
    end
    left = z & ~picked;
    idle_beside_work = 1'b0;
    for (l = 0; l < LANES; l = l + 1) begin
      work = 1'b0;
      for (p = 0; p < OPTIONS; p = p + 1) work = work | left[reached(l, p)];
      idle_beside_work = idle_beside_work | (work & ~(|choice[l*OPTIONS+:OPTIONS]));
    end
  end
"""

# The plain definition: in turn, each lane takes the first option in priority that still holds an
# element of `z`.
DEFINITION = """\
  reg [ELEMENTS-1:0] untaken;
  reg [LANES*OPTIONS-1:0] expected;
  reg searching;
  integer t, q;
  always @* begin
    untaken = z;
    expected = {LANES*OPTIONS{1'b0}};
    for (t = 0; t < LANES; t = t + 1) begin
      searching = 1'b1;
      for (q = 0; q < OPTIONS; q = q + 1) begin
        if (searching & untaken[reached(lane_of(t), q)]) begin
          expected[lane_of(t)*OPTIONS+q] = 1'b1;
          untaken[reached(lane_of(t), q)] = 1'b0;
          searching = 1'b0;
        end
      end
    end
  end
"""

# What the lanes chose of the window: each lane the element of its option; +0 where it chose none.
_CHOSEN = """\
  reg [LANES*WIDTH-1:0] chosen;
  integer m, s;
  always @* begin
    chosen = {LANES*WIDTH{1'b0}};
    for (m = 0; m < LANES; m = m + 1) begin
      chosen[m*WIDTH+:WIDTH] = {WIDTH{choice[m*OPTIONS]}} & window[reached(m, 0)*WIDTH+:WIDTH];
      for (s = 1; s < OPTIONS; s = s + 1) begin
        chosen[m*WIDTH+:WIDTH] = chosen[m*WIDTH+:WIDTH]
          | ({WIDTH{choice[m*OPTIONS+s]}} & window[reached(m, s)*WIDTH+:WIDTH]);
      end
    end
  end
"""


def operand_loads(design):
    """Bits of what tells operand registers to load: of each lane one more than registers."""
    return design.lanes * (operand_registers(design) + 1)


def operand_registers(design):
    """From a step to its operands."""
    return sum(design.parameter(f"tile.pipeline.{stage}") for stage in ("scheduler", "interconnect"))


def arrival(design, dut, choice="choice"):
    """`arrives`: the wire `operand` is what the wire `choice` took of `window`, as many enabled clocks ago
    as there are registers. dut: the instance, by the manifest, that the interconnect is in, or is.

    With registers it is what a clock must do from any state: those that `operand_load` names, lane *
    (operand_registers() + 1) + stage, move on, all others hold still."""
    registers = design.parameter("tile.pipeline.interconnect")
    before = operand_registers(design) - registers
    chosen = _CHOSEN.replace("choice", choice)
    if registers == 0:
        return f"{chosen}  wire arrives = operand == chosen;\n"
    lines = [chosen]
    for lane in range(design.lanes):
        path = design.manifest.inside(dut, "operand_value", lane=lane)
        lines.append(probe(f"held_l{lane}", (registers + 1) * design.width, path))
    for stage in range(registers):
        held = ", ".join(f"held_l{lane}[{stage + 1}*WIDTH+:WIDTH]"
                         for lane in reversed(range(design.lanes)))
        lines.append(f"  wire [LANES*WIDTH-1:0] stage_{stage} = {{{held}}};")
        lines.append(f"  reg [LANES*WIDTH-1:0] demanded_{stage}_q;")
    lines.append("  integer h;\n  always @(posedge clk) for (h = 0; h < LANES; h = h + 1) begin")
    for stage in range(registers):
        last = "chosen" if stage == 0 else f"stage_{stage - 1}"
        load = f"operand_load[h*{before + registers + 1}+{before + stage}]"
        lines.append(f"    demanded_{stage}_q[h*WIDTH+:WIDTH] <= {load}"
                     f" ? {last}[h*WIDTH+:WIDTH] : stage_{stage}[h*WIDTH+:WIDTH];")
    lines.append(f"  end\n  wire arrives = (operand == stage_{registers - 1})")
    lines += [f"    & (stage_{stage} == demanded_{stage}_q)" for stage in range(registers)]
    return "\n".join([*lines[:-1], f"{lines[-1]};\n"])


# Reset has been there, and is not now; for properties of what then follows.
SEEN = """\
  reg seen_q = 1'b0;
  always @(posedge clk) seen_q <= seen_q | ~rst_n;
  wire run = seen_q & rst_n;
"""
