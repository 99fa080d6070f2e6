# SPDX-License-Identifier: Apache-2.0
"""hw/control/td1_registers.v: the decoding of the registers."""

from . import map as registers

_MODULE = """\
// SPDX-License-Identifier: 0BSD
// The accelerator's registers: decoding, and those that keep what is written. What the others do is
// up to td1_jobs. Written by scripts/toolbox/registers from registers.toml; do not edit.
`default_nettype none

module td1_registers #(
    parameter ADDRESS_WIDTH = 40  // bits of a memory address, 33..63
) (
    input  wire        clk_i,           // clock
    input  wire        rst_ni,          // asynchronous reset, active low
    // Accesses, see td1_axi_lite
    input  wire        write_i,
    input  wire {offset} write_offset_i,
    input  wire [31:0] write_data_i,
    output wire        write_known_o,
    input  wire {offset} read_offset_i,
    output wire [31:0] read_data_o,
    output wire        read_known_o,
    // Registers: what they read as, what is kept in them, that they are written, and that writes of
    // some are refused
{ports}
);
  // Bits of an address beyond those of the bus.
  wire beyond = |(write_data_i >> (ADDRESS_WIDTH - 32));

  // The register can be written now.
  reg known;
  assign write_known_o = known;
  always @* begin
    case (write_offset_i)
{known}
      default: known = 1'b0;
    endcase
  end

{stored}
{commands}

{wide}  reg [31:0] data;
  reg unknown;
  assign read_data_o = data;
  assign read_known_o = ~unknown;
  always @* begin
    unknown = 1'b0;
    data    = 32'd0;
    case (read_offset_i)
{reads}
      default: unknown = 1'b1;
    endcase
  end
endmodule
`default_nettype wire
"""


def _range(register):
    if register.address:
        return "[ADDRESS_WIDTH-1:0]"
    return "" if register.used == 1 else f"[{register.used - 1}:0]"


def _ports(described):
    ports = []
    for one in described.of("read", "clear"):
        ports.append(("input  wire", _range(one), f"{one.port}_i", ""))
    for one in described.of("store"):
        ports.append(("output wire", _range(one), f"{one.port}_o", ""))
    for one in described.of("command", "clear"):
        ports.append(("output wire", "", f"{one.port}_write_o", ""))
    for name in described.refusals:
        ports.append(("input  wire", "", f"{name}_i", ""))
    width = max(len(span) for _, span, _, _ in ports)
    lines = []
    for number, (kind, span, name, text) in enumerate(ports):
        comma = "," if number + 1 < len(ports) else ""
        lines.append(f"    {kind} {span:>{width}} {name}{comma}" + (f"  // {text}" if text else ""))
    return "\n".join(lines)


def _offset(described, value):
    return f"{described.address_bits}'h{value:03x}"


def _known(described):
    """When each register can be written."""
    lines = []
    for one in described.of("store", "clear", "command"):
        for name, offset in one.words.items():
            terms = [f"~{one.refused}_i"] if one.refused else []
            if one.address and name.endswith("_HIGH"):
                terms.append("~beyond")
            condition = " & ".join(terms) or "1'b1"
            lines.append(f"      {_offset(described, offset)}: known = {condition};")
    return "\n".join(lines)


def _stored(described):
    """Registers that keep what is written."""
    lines = []
    for one in described.of("store"):
        lines.append(f"  reg {_range(one)} {one.port}_q;")
    lines += ["  always @(posedge clk_i or negedge rst_ni) begin",
              "    if (!rst_ni) begin"]
    for one in described.of("store"):
        zero = "{ADDRESS_WIDTH{1'b0}}" if one.address else f"{one.used}'d0"
        lines.append(f"      {one.port}_q <= {zero};")
    lines += ["    end else if (write_i & known) begin", "      case (write_offset_i)"]
    for one in described.of("store"):
        for name, offset in one.words.items():
            place, data = "", "" if one.used == 32 else f"[{one.used - 1}:0]"
            if name.endswith("_LOW"):
                place, data = "[31:0]", ""
            elif name.endswith("_HIGH"):
                place, data = "[ADDRESS_WIDTH-1:32]", "[ADDRESS_WIDTH-33:0]"
            lines.append(f"        {_offset(described, offset)}: {one.port}_q{place} <= "
                         f"write_data_i{data};")
    lines += ["        default: ;", "      endcase", "    end", "  end"]
    lines += [f"  assign {one.port}_o = {one.port}_q;" for one in described.of("store")]
    return "\n".join(lines)


def _commands(described):
    lines = [f"  assign {one.port}_write_o = write_i & (write_offset_i == "
             f"{_offset(described, one.offset)});" for one in described.of("command", "clear")]
    return "\n".join(lines)


def _read(one, name):
    """What a register of 32 bits reads as."""
    if one.access == "constant":
        return f"32'h{one.value:08x}"
    if one.access == "command":
        return "32'd0"
    signal = f"{one.port}_q" if one.access == "store" else f"{one.port}_i"
    if one.address:
        signal = f"{one.port}_wide"
    if one.bits == 64:
        return f"{signal}[{'31:0' if name.endswith('_LOW') else '63:32'}]"
    return signal if one.used == 32 else f"{{{32 - one.used}'d0, {signal}}}"


def text():
    """The text of the module."""
    described = registers.read()
    zeros = "{64-ADDRESS_WIDTH{1'b0}}"
    wide = "".join(f"  wire [63:0] {one.port}_wide = {{{zeros}, {one.port}_q}};\n"
                   for one in described.registers if one.address)
    reads = "\n".join(f"      {_offset(described, offset)}: data = {_read(one, name)};"
                      for one in described.registers for name, offset in one.words.items())
    return _MODULE.format(offset=f"[{described.address_bits - 1}:0]", ports=_ports(described),
                          known=_known(described), stored=_stored(described),
                          commands=_commands(described), reads=reads, wide=wide)
