# SPDX-License-Identifier: Apache-2.0
"""A testbench in Verilog that plays recorded pins to a tile and looks at its outputs, four-state.

Inputs that the tile must not look at are X: everything in reset, rows that are not offered, their
flags and formats, the mode where no offered row begins a stream, and whether a row ends the output
where it does not end its stream."""

# Fields of a recorded line, in the order of verify/tile/bench.cpp.
_CONTROL = (("falls", 8), ("rises", 8), ("reset_n", 1), ("mode_matters", 1))
_INPUTS = ("dense_i", "a_valid_i", "a_rows_i", "b_valid_i", "b_rows_i", "a_e5m2_i", "b_e5m2_i",
           "b_last_i", "b_last_of_output_i", "out_ready_i", "out_e5m2_i", "out_saturate_i",
           "out_scale_i")  # of these, those that the tile has
_ALWAYS = ("a_ready_o", "b_ready_o", "out_valid_o", "cycles_o", "stalls_o", "skipped_o")
_WHEN_VALID = ("out_data_o", "out_nonfinite_o", "out_overflow_o", "out_underflow_o")
_OUTPUTS = ("a_ready_o", "b_ready_o", "out_valid_o", *_WHEN_VALID, "cycles_o", "stalls_o",
            "skipped_o")

_BENCH = """\
`timescale 1ps/1ps
module player;
  localparam CLOCKS = {clocks};
  reg [{line_top}:0] lines [0:CLOCKS-1];
  reg [{line_top}:0] line;
{fields}
  reg clk_i, rst_ni;
{inputs}
{outputs}
  {top} tile ({connections});

  integer clock, part, row, compared, failed;
  task look(input [8*16-1:0] name, input same);
    begin
      compared = compared + 1;
      if (!same) begin
        failed = failed + 1;
        if (failed <= 5) $display("clock %0d: %0s", clock, name);
      end
    end
  endtask

  initial begin
    $readmemh("{pins}", lines);
    {{compared, failed}} = 0;
    rst_ni = 0;
    clk_i = 1;
    for (clock = 1; clock < CLOCKS; clock = clock + 1) begin
      line = lines[clock];
      for (part = 1; part < 40; part = part + 1) begin
        #250;
        if (part == falls) rst_ni = 0;
        if (part == rises) rst_ni = 1;
        if (part == 20) begin
          clk_i = 0;
{drive}
          if (!mode_matters) dense_i = 1'bx;
          for (row = 0; row < {depth}; row = row + 1) begin
            if (row >= a_valid_i) begin
              a_rows_i[row*{a_row}+:{a_row}] = {{{a_row}{{1'bx}}}};{a_format}
            end
            if (row >= b_valid_i) begin
              b_rows_i[row*{b_row}+:{b_row}] = {{{b_row}{{1'bx}}}};{b_format}
              b_last_i[row] = 1'bx;
            end
            if (b_last_i[row] !== 1'b1) b_last_of_output_i[row] = 1'bx;
          end
          if (!rst_ni && !reset_n) begin
{unknown}
          end
        end
      end
      #250;
{looks}
      clk_i = 1;
    end
    $display("compared %0d failed %0d", compared, failed);
    $finish;
  end
endmodule
"""


def _digits(bits):
    return (bits + 3) // 4


def _fields(widths):
    """(name, lowest bit, width) of a line's fields, and the width of the line."""
    fields = [*_CONTROL, *((name, widths[name]) for name in _INPUTS + _OUTPUTS if name in widths)]
    low, result = sum(4 * _digits(bits) for _, bits in fields), []
    width = low
    for name, bits in fields:
        low -= 4 * _digits(bits)
        result.append((name, low, bits))
    return result, width


def _declared(kind, name, bits):
    return f"  {kind} [{bits - 1}:0] {name};"


def testbench(manifest, pins, clocks):
    """Text of module player. manifest: the design's manifest.Manifest; pins: path of the
    recording."""
    widths = {name: bits for name, (_, bits) in manifest.ports.items()}
    fields, width = _fields(widths)
    depth = widths["b_last_i"]
    inputs = [name for name in _INPUTS if name in widths]
    formats = {f"{side}_format": f"\n              {side}_e5m2_i[row] = 1'bx;"
               if f"{side}_e5m2_i" in widths else "" for side in "ab"}
    recorded = {name: name if name in dict(_CONTROL) else f"recorded_{name}"
                for name, _, _ in fields}
    looks = [f'      look("{name}", {name} === recorded_{name});' for name in _ALWAYS]
    looks += [f'      if (recorded_out_valid_o) look("{name}", {name} === recorded_{name});'
              for name in _WHEN_VALID if name in widths]
    return _BENCH.format(
        clocks=clocks, line_top=width - 1, pins=pins, top=manifest.top, depth=depth,
        a_row=widths["a_rows_i"] // depth, b_row=widths["b_rows_i"] // depth,
        fields="\n".join(f"  wire [{bits - 1}:0] {recorded[name]} = line[{low}+:{bits}];"
                         for name, low, bits in fields),
        inputs="\n".join(_declared("reg", name, widths[name]) for name in inputs),
        outputs="\n".join(_declared("wire", name, widths[name]) for name in _OUTPUTS if name in widths),
        connections=", ".join(f".{name}({name})" for name in widths),
        drive="\n".join(f"          {name} = recorded_{name};" for name in inputs),
        unknown="\n".join(f"            {name} = {{{widths[name]}{{1'bx}}}};" for name in inputs),
        looks="\n".join(looks), **formats)
