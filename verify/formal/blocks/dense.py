# SPDX-License-Identifier: Apache-2.0
"""Proofs about the intake of a dense tile under any stalls, one row of each side at a time, and
about the line that holds such a row."""

from . import text
from ..proof import ALWAYS, Proof

LINE = {
    "ok_operand": "a row that is loaded is the operands, until the next one is; where lanes rest "
                  "either zero stands for both",
    "ok_live": "lanes are live beside what is not zero, or unknown; all are live if none rests",
    "ok_nonfinite": "nonfinite: any Inf or NaN of the row",
}
INTAKE = {
    "ok_fit": "no side holds more than a row",
    "ok_promise": "ready: room for a row after this clock, and no more",
    "ok_step": "steps exactly if both sides hold a row and the pipeline moves; told a clock "
               "ahead",
    "ok_final": "a step completes an output if its row does",
    "ok_load": "a row that is held stays until the step",
    "ok_waiting": "a clock without a step though there are rows is told",
}

_INTAKE_CONNECTED = """.clk_i(clk), .rst_ni(rst_n),
      .a_valid_i(a_valid), .a_ready_o(a_ready), .a_loads_o(a_loads),
      .b_valid_i(b_valid), .b_ready_o(b_ready), .b_loads_o(b_loads), .b_last_i(b_last),
      .b_last_of_output_i(b_last_of_output), .enables_i(enables), .step_o(step), .steps_o(steps),
      .final_o(final_step), .waiting_o(waiting)"""
_INTAKE = """\
module proof (
    input wire clk, input wire rst_n, input wire [{count}-1:0] a_valid,
    input wire [{count}-1:0] b_valid, input wire b_last, input wire b_last_of_output,
    input wire enables,
    {outputs}
);
  wire [{count}-1:0] a_ready, b_ready;
  wire a_loads, b_loads, step, steps, final_step, waiting;
  {dut}
{seen}
  // Rows held, by what was accepted and what was used up.
  reg [3:0] a_held_q, b_held_q;
  reg final_q, open_q;
  reg enable, told_step, a_load, b_load;  // what was told a clock ahead
  wire [3:0] a_accepted = (a_valid < a_ready) ? a_valid : a_ready;
  wire [3:0] b_accepted = (b_valid < b_ready) ? b_valid : b_ready;
  always @(posedge clk) begin
    open_q <= rst_n;
    {{enable, told_step}} <= {{enables, steps & rst_n}};
    {{a_load, b_load}} <= {{a_loads, b_loads}} | {{2{{~rst_n}}}};
    if (!rst_n) begin
      {{a_held_q, b_held_q}} <= 8'd0;
    end else begin
      a_held_q <= a_held_q + a_accepted - step;
      b_held_q <= b_held_q + b_accepted - step;
      if (b_accepted != 0) final_q <= b_last & b_last_of_output;
    end
  end
  assign ok_fit = ~run | (a_held_q <= 1 & b_held_q <= 1);
  assign ok_promise = ~run | (open_q
      ? a_ready == 1 - a_held_q + step & b_ready == 1 - b_held_q + step
      : a_ready == 0 & b_ready == 0);
  assign ok_step = ~run | (step == (enable & a_held_q != 0 & b_held_q != 0)
                             & step == told_step);
  assign ok_final = ~run | (final_step == (step & final_q));
  assign ok_load = ~run | ((a_held_q != 0 & ~step ? ~a_load : a_load | a_accepted == 0)
      & (b_held_q != 0 & ~step ? ~b_load : b_load | b_accepted == 0));
  assign ok_waiting = ~run | (waiting == (~step & (a_held_q != 0 | b_held_q != 0)));
endmodule
"""


_LINE_CONNECTED = """.clk_i(clk), .rst_ni(rst_n), .loads_i(loads), .offered_i(offered), .row_i(row),
      .operand_o(operand), .live_o(live), .nonfinite_o(nonfinite)"""
_LINE = """\
module proof (
    input wire clk, input wire rst_n, input wire loads, input wire offered,
    input wire [{bits}-1:0] row,
    {outputs}
);
  localparam LANES = {lanes}, WIDTH = {width}, EXPONENT = {exponent};
  wire [{bits}-1:0] operand;
  wire nonfinite;
  {dut}
{seen}
  wire [LANES-1:0] live;
  reg told_q;  // a clock ahead
  always @(posedge clk) told_q <= loads | ~rst_n;
  wire load = told_q | ~rst_n;
  reg [{bits}-1:0] demanded, demanded_q, shown;
  reg [LANES-1:0] works, works_q;
  always @(posedge clk) {{demanded_q, works_q}} <= {{demanded, works}};
  reg any, any_q, offered_q;  // offered_q: what the line has was offered
  always @(posedge clk) if (load) offered_q <= offered;
  always @(posedge clk) any_q <= load ? any : nonfinite;
  integer l;
  always @* begin
    demanded = load ? row : operand;
    shown = operand;
    for (l = 0; l < LANES; l = l + 1) begin
      works[l] = load ? ~{rests} | ~rst_n | ~offered | (|row[l*WIDTH+:WIDTH-1]) : live[l];
      if (~works[l]) demanded[l*WIDTH+WIDTH-1] = 1'b0;
      if (~live[l]) shown[l*WIDTH+WIDTH-1] = 1'b0;
    end
    any = 1'b0;
    for (l = 0; l < LANES; l = l + 1)
      any = any | (row[l*WIDTH+WIDTH-1-EXPONENT+:EXPONENT] == {{EXPONENT{{1'b1}}}});
  end
  assign ok_operand = ~run | ~offered_q | shown == demanded_q;
  assign ok_live = ~run | live == works_q;
  assign ok_nonfinite = ~run | nonfinite == any_q;
endmodule
"""


def proofs(design):
    """Of one design."""
    if not design.is_dense:
        return []
    intake = text.head(design, "What is asked of the intake of a dense tile.") + _INTAKE.format(
        dut=design.instance("dense_intake", _INTAKE_CONNECTED), outputs=text.outputs(INTAKE),
        seen=text.SEEN, count=design.parameter("tile.interconnect.depth").bit_length())
    rests = {False, design.parameter("tile.scheduling") == "zero_gated"}
    return [*(Proof("dense_intake", name, signal, design, "full", ALWAYS, intake,
                    ("dense_intake",))
              for signal, name in INTAKE.items()),
            *(proof for one in sorted(rests) for proof in _line(design, one))]


def _line(design, rests):
    """rests: whether its lanes do, as those of side B of a zero-gated tile."""
    module = text.head(design, "What is asked of a line of a dense tile.") + _LINE.format(
        dut=design.instance("dense_line", _LINE_CONNECTED, RESTS=int(rests)),
        outputs=text.outputs(LINE), bits=design.lanes * design.width, lanes=design.lanes,
        width=design.width, exponent=design.exponent_bits, rests=f"1'b{int(rests)}", seen=text.SEEN)
    size = "full, lanes rest" if rests else "full"
    return [Proof("dense_line", name, signal, design, size, ALWAYS, module, ("dense_line",))
            for signal, name in LINE.items()]
