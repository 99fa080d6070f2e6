# Timing constraints of an accelerator, before layout, for the ports of its two buses. Units: ns and
# pF; the variables are those of tile.sdc.

create_clock -name clk -period $clock_ns [get_ports clk_i]
set_clock_uncertainty $uncertainty_ns [get_clocks clk]
set_clock_transition $clock_slew_ns [get_clocks clk]

set data_inputs [get_ports {s_axi_*_i m_axi_*_i s_axi_*_i[*] m_axi_*_i[*]}]
set data_outputs [get_ports {s_axi_*_o m_axi_*_o s_axi_*_o[*] m_axi_*_o[*] irq_o}]
set_input_delay $input_ns -clock clk $data_inputs
set_output_delay $output_ns -clock clk $data_outputs
set_driving_cell -lib_cell $driving_cell $data_inputs
set_load $load_pf $data_outputs

# The reset comes at any time; the synchronisers that take it release it with the clock.
set_input_delay 0 -clock clk [get_ports rst_ni]
set_driving_cell -lib_cell $driving_cell [get_ports rst_ni]
set_false_path -from [get_ports rst_ni]
set_clock_gating_check -setup $gate_setup_ns -hold 0
