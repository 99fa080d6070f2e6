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
  assign write_known_o = {known};

{stored}
{commands}

  // What is read: all others are 0. Of registers of two words both are found.
  wire [63:0] both =
      {both};
  wire aligned = read_offset_i[1:0] == 2'd0;
  assign read_known_o = aligned
      & ({readable});
  assign read_data_o = ({{32{{aligned}}}} & (read_offset_i[2] ? both[63:32] : both[31:0]))
      | {reads};
endmodule
`default_nettype wire
"""


_COLUMNS = 100


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


def _readable(described):
    """Whether an offset is of a register: they stand in ranges without gaps."""
    ranges = []
    for one in described.registers:
        if not ranges or ranges[-1][1] != one.offset:
            ranges.append([one.offset, one.offset])
        ranges[-1][1] = one.offset + one.bits // 8
    return " | ".join(
        "(" + (f"read_offset_i >= {_offset(described, begin)} & " if begin else "")
        + f"read_offset_i < {_offset(described, end)})" for begin, end in ranges)


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
            here = f"      if (keep & (write_offset_i == {_offset(described, offset)}))"
            kept = f"{one.port}_q{bits} <= write_data_i{data};"
            fits = len(here) + 1 + len(kept) <= _COLUMNS
            lines += [f"{here} {kept}"] if fits else [here, f"        {kept}"]
    lines += ["    end", "  end"]
    lines += [f"  assign {one.port}_o = {one.port}_q;" for one in described.of("store")]
    return "\n".join(lines)


def _commands(described):
    lines = [f"  assign {one.port}_write_o = write_i & (write_offset_i == "
             f"{_offset(described, one.offset)});" for one in described.of("command", "clear")]
    return "\n".join(lines)


def _here(described, one):
    """Whether a register is read; of one of two words, either."""
    if one.bits == 64:
        return f"(read_offset_i[{described.address_bits - 1}:3] == " \
               f"{described.address_bits - 3}'h{one.offset >> 3:03x})"
    return f"(read_offset_i == {_offset(described, one.offset)})"


def _read(one):
    """What a register reads as."""
    if one.access == "constant":
        return f"32'h{one.value:08x}"
    signal = f"{one.port}_q" if one.access == "store" else f"{one.port}_i"
    if one.address:
        return f"{{{{64-ADDRESS_WIDTH{{1'b0}}}}, {signal}}}"
    return signal if one.used == one.bits else f"{{{32 - one.used}'d0, {signal}}}"


def text():
    """The text of the module."""
    described = registers.read()
    reads = {bits: [f"({{{bits}{{{_here(described, one)}}}}} & {_read(one)})"
                    for one in described.registers
                    if one.access != "command" and one.bits == bits] for bits in (32, 64)}
    return _MODULE.format(offset=f"[{described.address_bits - 1}:0]", ports=_ports(described),
                          known=_write_known(described), stored=_stored(described),
                          commands=_commands(described), both=_any(reads[64]), reads=_any(reads[32]),
                          readable=_readable(described))
