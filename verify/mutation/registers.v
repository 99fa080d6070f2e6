// SPDX-License-Identifier: Apache-2.0
// Registers as black boxes, whose ports then become ports of the module around them.
(* blackbox *)
module td_register (
    input  d,
    input  c,
    output q
);
endmodule

(* blackbox *)
module td_register_with_reset (
    input  d,
    input  c,
    input  r,
    output q
);
endmodule

(* techmap_celltype = "$_DFF_P_" *)
module td_map_register (
    input  D,
    input  C,
    output Q
);
  td_register _TECHMAP_REPLACE_ (.d(D), .c(C), .q(Q));
endmodule

(* techmap_celltype = "$_DFF_PN0_ $_DFF_PN1_" *)
module td_map_register_with_reset (
    input  D,
    input  C,
    input  R,
    output Q
);
  td_register_with_reset _TECHMAP_REPLACE_ (.d(D), .c(C), .r(R), .q(Q));
endmodule
