# SPDX-License-Identifier: Apache-2.0
# What OpenSTA is asked about the clock tree of a placed netlist, behind timing.tcl, which takes the
# clock as ideal. Adds a line to the result, times in ns:
#   clock_tree LEAST MOST SETUP HOLD   when the clock reaches registers; slacks with it

proc worst_slack {min_max} {
  set slacks {}
  foreach end [find_timing_paths -path_delay $min_max] {lappend slacks [$end slack]}
  return [ns [lindex [lsort -real $slacks] 0]]
}

set_propagated_clock [all_clocks]
set arrivals {}
foreach pin [all_registers -clock_pins] {
  set vertex [lindex [$pin vertices] 0]
  # Set and reset pins are among them.
  set arrival [lindex [$vertex arrivals_clk rise [get_clocks clk] rise] end]
  if {[$vertex is_clock]} {lappend arrivals $arrival}
}
set arrivals [lsort -real $arrivals]
set out [open $result a]
puts $out [join [list clock_tree [ns [lindex $arrivals 0]] [ns [lindex $arrivals end]] \
  [worst_slack max] [worst_slack min]] \t]
close $out
