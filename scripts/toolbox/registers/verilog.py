# SPDX-License-Identifier: Apache-2.0
"""hw/control/td1_registers.v: the decoding of the registers."""

import textwrap

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
  assign write_known_o = {known};

{stored}
{commands}

  // What is read: all others are 0.
{wide}  assign read_known_o ={readable};
  assign read_data_o = {reads};
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


def _any(terms):
    """Terms of which one is enough, a line for each."""
    return "\n      | ".join(terms)


def _wrapped(terms):
    """The same, as many to a line as there is room for."""
    text = " | ".join(term.replace(" ", "~") for term in terms)
    lines = textwrap.wrap(text.replace(" | ", " |~"), 90)
    return "".join(f"\n      {line}" for line in lines).replace("~", " ")


def _write_known(described):
    """When each register can be written."""
    terms = []
    for one in described.of("store", "clear", "command"):
        for name, offset in one.words.items():
            conditions = [f"(write_offset_i == {_offset(described, offset)})"]
            conditions += [f"~{one.refused}_i"] if one.refused else []
            if one.address and name.endswith("_HIGH"):
                conditions.append("~beyond")
            terms.append(f"({' & '.join(conditions)})" if len(conditions) > 1 else conditions[0])
    return _any(terms)


def _stored(described):
    """Registers that keep what is written."""
    lines = []
    for one in described.of("store"):
        lines.append(f"  reg {_range(one)} {one.port}_q;")
    lines += ["  wire keep = write_i & write_known_o;",
              "  always @(posedge clk_i or negedge rst_ni) begin", "    if (!rst_ni) begin"]
    for one in described.of("store"):
        zero = "{ADDRESS_WIDTH{1'b0}}" if one.address else f"{one.used}'d0"
        lines.append(f"      {one.port}_q <= {zero};")
    lines.append("    end else begin")
    for one in described.of("store"):
        for name, offset in one.words.items():
            bits, data = "", "" if one.used == 32 else f"[{one.used - 1}:0]"
            if name.endswith("_LOW"):
                bits, data = "[31:0]", ""
            elif name.endswith("_HIGH"):
                bits, data = "[ADDRESS_WIDTH-1:32]", "[ADDRESS_WIDTH-33:0]"
            lines += [f"      if (keep & (write_offset_i == {_offset(described, offset)})) begin",
                      f"        {one.port}_q{bits} <= write_data_i{data};", "      end"]
    lines += ["    end", "  end"]
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
    words = [(one, name, f"(read_offset_i == {_offset(described, offset)})")
             for one in described.registers for name, offset in one.words.items()]
    reads = [f"({{32{{{here}}}}} & {_read(one, name)})" for one, name, here in words
             if one.access != "command"]
    return _MODULE.format(offset=f"[{described.address_bits - 1}:0]", ports=_ports(described),
                          known=_write_known(described), stored=_stored(described),
                          commands=_commands(described), wide=wide, reads=_any(reads),
                          readable=_wrapped(here for _, _, here in words))
