# SPDX-License-Identifier: Apache-2.0
"""Faults that proofs about the preset tiny must refute: (name, block, pattern, replacement, signals
that must fall). The pattern must match the emitted file exactly once."""

FAULTS = [
    ("a swapped priority", "scheduler", r"assign select_l1_o = [^;]*;",
     "wire [5:0] swapped = {reach_l1[5:3], reach_l1[1], reach_l1[2], reach_l1[0]};\n"
     "  wire [5:0] first = swapped & (~swapped + 6'd1);\n"
     "  assign select_l1_o = {first[5:3], first[1], first[2], first[0]};",
     {"ok_definition"}),
    ("two places at once", "scheduler", r"assign select_l1_o = [^;]*;",
     "assign select_l1_o = reach_l1;", {"ok_one_place", "ok_definition"}),
    ("an element left for the next level", "scheduler", r"left_1 & ~taken_1", "left_1",
     {"ok_once", "ok_rest", "ok_definition"}),
    ("an element lost", "scheduler", r"rest_o = left_4", "rest_o = left_4 & 8'h7f", {"ok_rest"}),
    ("an element of row 0 forgotten", "scheduler", r"z_i\[3\]\};", "1'b0};",
     {"ok_row_0", "ok_busy", "ok_definition"}),
    ("a lane that takes what is not there", "scheduler", r"reach_l0 = \{left_0\[4\]",
     "reach_l0 = {1'b1", {"ok_effectual", "ok_definition"}),
    ("an idle lane", "scheduler", r"assign select_l2_o = [^;]*;",
     "assign select_l2_o = reach_l2 & 6'd1;", {"ok_busy", "ok_definition"}),
    ("a wrong lane offset", "interconnect", r"(select_l0_i\[1\]\}\} & window_1_i)\[63:48\]",
     r"\1[47:32]", {"ok_operand"}),
    ("a register that does not hold still", "interconnect",
     r"\.en_i\(en_i\), \.x_i\(operand_l2\)", ".en_i(1'b1), .x_i(operand_l2)", {"ok_operand"}),
    ("an element of another stream", "row", r"\{4\{search_i\[2\]\}\}", "4'b1111",
     {"ok_free", "ok_definition", "ok_dense"}),
    ("an element taken again", "row", r" & ~\{4'd0, taken_q\}", "", {"ok_free", "ok_definition"}),
    ("a pick that is not remembered", "row", r"\(free\[11:4\] & ~rest\)", "8'd0", {"ok_taken"}),
    ("a row said to be empty", "row", r"~\(\|rest\[7:0\]\)", "~(|rest[7:4])", {"ok_clear"}),
    ("a lane that sleeps in dense mode", "row", r"(select_l2_o = choice_l2) \| \{5'd0, dense_i\}",
     r"\1", {"ok_dense"}),
    ("a lane counted for another", "row", r"\|select_l3_o, ", "|select_l2_o, ", {"ok_active"}),
    ("an Inf of another stream", "row", r"eligible_i\[1\] & \(\|nonfinite_1\)", "(|nonfinite_1)",
     {"ok_nonfinite"}),
    ("a zero with a sign", "row", r"\|window_1\[14:0\]", "|window_1[15:0]",
     {"ok_free", "ok_definition"}),
    ("an operand of a lane in dense mode", "row", r"\.select_l1_i\(select_l1_o\)",
     ".select_l1_i(choice_l1)", {"ok_operand"}),
]
