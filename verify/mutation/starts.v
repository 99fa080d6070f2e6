// SPDX-License-Identifier: Apache-2.0
// Registers with a start that sound and faulty module share: an input, as td_start is a black box
// whose port becomes one of the module around it. Those with a reset start in it.
(* blackbox *)
module td_start (
    output q
);
endmodule

(* techmap_celltype = "$_DFF_P_" *)
module td_map_register (
    input  D,
    input  C,
    output Q
);
  wire start;
  td_start _TECHMAP_REPLACE_ (.q(start));
  (* init = 1'b1 *) wire first;
  (* init = 1'b0 *) wire state;
  \$dff #(.WIDTH(1), .CLK_POLARITY(1'b1)) first_q (.CLK(C), .D(1'b0), .Q(first));
  \$dff #(.WIDTH(1), .CLK_POLARITY(1'b1)) state_q (.CLK(C), .D(D), .Q(state));
  assign Q = first ? start : state;
endmodule

(* techmap_celltype = "$_DFF_PN0_" *)
module td_map_register_reset_to_0 (
    input  D,
    input  C,
    input  R,
    output Q
);
  wire start;
  td_start _TECHMAP_REPLACE_ (.q(start));
  (* init = 1'b0 *) wire state;
  \$dff #(.WIDTH(1), .CLK_POLARITY(1'b1)) state_q (.CLK(C), .D(R & D), .Q(state));
  assign Q = R & state;
endmodule

(* techmap_celltype = "$_DFF_PN1_" *)
module td_map_register_reset_to_1 (
    input  D,
    input  C,
    input  R,
    output Q
);
  wire start;
  td_start _TECHMAP_REPLACE_ (.q(start));
  (* init = 1'b1 *) wire state;
  \$dff #(.WIDTH(1), .CLK_POLARITY(1'b1)) state_q (.CLK(C), .D(~R | D), .Q(state));
  assign Q = ~R | state;
endmodule
