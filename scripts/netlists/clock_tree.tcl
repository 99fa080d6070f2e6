# SPDX-License-Identifier: Apache-2.0
# What OpenSTA is asked about the clock tree of a placed netlist, behind timing.tcl, which takes the
# clock as ideal at first, and in the end by the tree. Adds a line to the result, times in ns:
#   clock_tree LEAST MOST SETUP HOLD   when the clock reaches registers; slacks with it

proc worst_slack {min_max} {
  set slacks {}
  foreach end [find_timing_paths -path_delay $min_max] {lappend slacks [$end slack]}
  return [ns [lindex [lsort -real $slacks] 0]]
}

# Ports would be timed as if the clocks of whoever is there came without a tree.
foreach port [all_inputs] {
  if {[get_property $port full_name] ne "clk_i"} {set_false_path -from $port}
}
set_false_path -to [all_outputs]
# What stood for the tree between a clock gate and what it gates.
set_clock_gating_check -setup 0 -hold 0
# Arrivals are those of the search that these begin.
set slacks [list [worst_slack max] [worst_slack min]]
set arrivals {}
foreach pin [all_registers -edge_triggered -clock_pins] {
  set vertex [lindex [$pin vertices] 0]
  # Set and reset pins are among them.
  set arrival [lindex [$vertex arrivals_clk rise [get_clocks clk] rise] end]
  if {[$vertex is_clock]} {lappend arrivals $arrival}
}
set arrivals [lsort -real $arrivals]
set out [open $result a]
puts $out [join [list clock_tree [ns [lindex $arrivals 0]] [ns [lindex $arrivals end]] {*}$slacks] \t]
close $out
