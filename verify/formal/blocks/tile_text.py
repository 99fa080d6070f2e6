# SPDX-License-Identifier: Apache-2.0
"""Verilog around a whole tile without its sums: any stimulus that obeys the documented handshake,
and monitors that know from the ports and the number of rows that leave what the tile must hold."""

from . import rows_text, text

# What the lanes choose of `z`, and what is left of it, by the plain definition.
_DEFINITION = """\
module proof_definition (
    input wire [{elements}-1:0] z, output wire [{choices}-1:0] choice,
    output wire [{elements}-1:0] left
);
{pattern}
{definition}
  assign choice = expected;
  assign left = untaken;
endmodule
"""

# What is told of a row when it is accepted: whether it has an Inf or NaN, and which elements are
# not zero, of side A for each column and of side B for each tile row; of side B also its mode and
# what it ends.
_TOLD = """\
  reg [DEPTH*A_BITS-1:0] a_offered;
  reg [DEPTH*B_BITS-1:0] b_offered;
  integer d, j, k;
  always @* begin
    for (d = 0; d < DEPTH; d = d + 1) begin
      b_offered[d*B_BITS+:3] = {mode[d], b_last[d] & b_last_of_output[d], b_last[d]};
      for (j = 0; j < COLUMNS; j = j + 1) begin
        a_offered[d*A_BITS+j] = 1'b0;
        for (k = 0; k < LANES; k = k + 1) begin
          if (&a_rows[((d*COLUMNS+j)*LANES+k)*WIDTH+WIDTH-1-EXPONENT+:EXPONENT])
            a_offered[d*A_BITS+j] = 1'b1;
          a_offered[d*A_BITS+COLUMNS+j*LANES+k] = |a_rows[((d*COLUMNS+j)*LANES+k)*WIDTH+:WIDTH-1];
        end
      end
      for (j = 0; j < ROWS; j = j + 1) begin
        b_offered[d*B_BITS+3+j] = 1'b0;
        for (k = 0; k < LANES; k = k + 1) begin
          if (&b_rows[((d*ROWS+j)*LANES+k)*WIDTH+WIDTH-1-EXPONENT+:EXPONENT])
            b_offered[d*B_BITS+3+j] = 1'b1;
          b_offered[d*B_BITS+3+ROWS+j*LANES+k] = |b_rows[((d*ROWS+j)*LANES+k)*WIDTH+:WIDTH-1];
        end
      end
    end
  end
"""


# A PE without sums; its output is whatever tells it from other PEs.
_PE = """\
module {module} #({parameters}) (
    input wire clk_i, input wire en_i, input wire [LANES*WIDTH-1:0] a_i,
    input wire [LANES*WIDTH-1:0] b_i, input wire [ACCUMULATORS-1:0] adds_i,
    input wire [ACCUMULATORS-1:0] load_i, input wire first_i,
    input wire [LANES*(SUM_CLOCKS+1)-1:0] sum_load_i, input wire [SUM_CLOCKS:0] row_load_i,
    input wire [MERGE_CLOCKS:0] merge_i,
    output wire [31:0] result_o
);
  assign result_o = {{a_i[15:0], b_i[15:0]}};
endmodule
"""


def _pe(design):
    parameters = ", ".join(f"parameter {name} = 0" for name in design.parameter_names("pe"))
    return _PE.format(module=design.module("pe"), parameters=parameters)


def pes(design):
    """Paths of the PEs, row * columns + column."""
    return [design.manifest.instance("pe", row=row, column=column)
            for row in range(design.parameter("tile.rows"))
            for column in range(design.parameter("tile.columns"))]


def _insides(design):
    """What is looked at inside of the tile; operands where the PEs get them."""
    probe = design.manifest.probe
    rows, row_bits = range(design.parameter("tile.rows")), design.lanes * design.width
    return "\n".join([
        text.probe("live", 1, probe("reset_n")),
        text.probe("step", 1, probe("step")),
        text.probe("enable", 1, probe("enable")),
        text.probe("advance", design.depth, probe("advance")),
        text.vector("choices", [(probe("select", row=row), design.lanes * len(design.options))
                                for row in rows]),
        *(text.vector(f"{side}_operands", [(f"{pe}.{side}_i", row_bits) for pe in pes(design)])
          for side in "ab")])


def before(design):
    """Modules in front of `proof`."""
    elements = design.depth * design.lanes
    definition = _DEFINITION.format(
        elements=elements, choices=design.lanes * len(design.options),
        pattern=text.pattern(design), definition=text.DEFINITION)
    return "\n".join([_pe(design), rows_text.SIDE, definition])


def inputs(design):
    """Inputs of `proof`: name -> bits."""
    lanes, depth, width = design.lanes, design.depth, design.width
    rows, columns = design.parameter("tile.rows"), design.parameter("tile.columns")
    count = depth.bit_length()
    return {"clk": 1, "rst_n": 1, "dense": 1, "a_offers": count,
            "a_rows": depth * columns * lanes * width, "b_offers": count,
            "b_rows": depth * rows * lanes * width, "b_last": depth, "b_last_of_output": depth,
            "out_ready": 1, "watch": 1, "watch_slot": 4, "watch_lane": 4, "watch_row": 4,
            "watch_column": 4}


def environment(design):
    """The tile, its stimulus and the monitors; in the module `proof`."""
    rows, columns = design.parameter("tile.rows"), design.parameter("tile.columns")
    count = design.depth.bit_length()
    return f"""\
{text.pattern(design)}
  localparam WIDTH = {design.width}, EXPONENT = {design.exponent_bits};
  localparam ROWS = {rows}, COLUMNS = {columns};
  localparam A_BITS = COLUMNS + COLUMNS * LANES, B_BITS = 3 + ROWS + ROWS * LANES;
  wire [{count - 1}:0] a_ready, b_ready;
  wire out_valid;
  wire [ROWS*COLUMNS-1:0] out_nonfinite;
  wire [32*ROWS*COLUMNS-1:0] out_data;
  wire [{design.parameter("tile.counters.width") - 1}:0] cycles, stalls, skipped;
{rows_text.COUNTS}
  {design.manifest.top} dut (
      .clk_i(clk), .rst_ni(rst_n), .dense_i(dense), .a_valid_i(a_count[{count - 1}:0]),
      .a_ready_o(a_ready), .a_rows_i(a_rows), .b_valid_i(b_count[{count - 1}:0]),
      .b_ready_o(b_ready), .b_rows_i(b_rows), .b_last_i(b_last),
      .b_last_of_output_i(b_last & b_last_of_output),
      .out_valid_o(out_valid), .out_ready_i(out_ready), .out_data_o(out_data),
      .out_nonfinite_o(out_nonfinite), .cycles_o(cycles), .stalls_o(stalls), .skipped_o(skipped)
  );
{_insides(design)}
  reg seen_q = 1'b0;  // reset has been there
  always @(posedge clk) seen_q <= seen_q | ~rst_n;
  wire run = seen_q & live;
{rows_text.MODES}
{_TOLD}
{rows_text.HELD}
"""
