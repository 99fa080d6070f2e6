# Timing constraints of a tile, before layout or placed. Units: ns and pF.
#
# What stands in front of this file sets the variables: clock_ns (period), uncertainty_ns,
# gate_setup_ns (how much earlier a clock gate has its clock than what it gates), clock_slew_ns (at the
# clock pins: the clock is ideal until there is a clock tree), input_ns and output_ns (the part of the
# period that the neighbours take), load_pf (at each output) and driving_cell (in front of each input).
#
# Ports are named one by one on purpose: a new port without a constraint is reported, never
# covered by chance.

create_clock -name clk -period $clock_ns [get_ports clk_i]
set_clock_uncertainty $uncertainty_ns [get_clocks clk]
set_clock_transition $clock_slew_ns [get_clocks clk]

# Rows come in and outputs leave with valid and ready, on the rising edge.
set data_inputs [get_ports {a_valid_i* a_rows_i* b_valid_i* b_rows_i* b_last_i*
                            b_last_of_output_i* dense_i out_ready_i}]
set data_outputs [get_ports {a_ready_o* b_ready_o* out_valid_o out_data_o* out_nonfinite_o*
                             cycles_o* stalls_o* skipped_o*}]
set_input_delay $input_ns -clock clk $data_inputs
set_output_delay $output_ns -clock clk $data_outputs
set_driving_cell -lib_cell $driving_cell $data_inputs
set_load $load_pf $data_outputs

# Tiles of OFP8 have formats, and what conversions of results take and say, besides.
set format_inputs [get_ports -quiet {a_e5m2_i* b_e5m2_i* out_e5m2_i out_saturate_i out_scale_i*}]
if {[llength $format_inputs] > 0} {
  set_input_delay $input_ns -clock clk $format_inputs
  set_driving_cell -lib_cell $driving_cell $format_inputs
}
set format_outputs [get_ports -quiet {out_overflow_o* out_underflow_o*}]
if {[llength $format_outputs] > 0} {
  set_output_delay $output_ns -clock clk $format_outputs
  set_load $load_pf $format_outputs
}

# The reset comes at any time: it goes into a synchroniser and nowhere else. What leaves the
# synchroniser belongs to the clock: its recovery and removal are checked.
set_input_delay 0 -clock clk [get_ports rst_ni]
set_driving_cell -lib_cell $driving_cell [get_ports rst_ni]
set_false_path -from [get_ports rst_ni]

# A clock gate opens and closes while the clock is low: its enable, from a latch that is open then, is
# there before the clock rises and stays until it has fallen. In a tree the gate's clock comes earlier
# than that of registers, by what is between them.
set_clock_gating_check -setup $gate_setup_ns -hold 0
