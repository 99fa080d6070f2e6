# SPDX-License-Identifier: Apache-2.0
# What OpenSTA is asked about a tile. sta.py sets result, slews (a file, or empty), clock_slew_ns,
# tied (output ports that are constants), opens (the enable at which latches are open), placed (the netlist
# is, with a clock tree) and groups (name, registers from, registers to, pins through), then sources this file.
#
# Lines of the result, fields separated by tabs, times in ns:
#   problem  MESSAGE OBJECT…                         a hole in the constraints
#   constant COUNT                                   end points that always hold one value
#   ends     GROUP COUNT                             end points with a path in the group
#   path     GROUP KIND SLACK ARRIVAL START END IN OUT   the worst of its kind; IN, OUT: starts, ends
#            at a port
#   point    PIN CELL ARRIVAL SLEW FANOUT            outputs along the path above, start first

proc ns {seconds} {return [format %.6f [expr {$seconds * 1e9}]]}

# The manifest's paths do not show which modules were flattened, and Verilog's escapes are no part of
# a name.
proc path_of {object} {
  return [string map {/ . \\ {}} [get_full_name $object]]
}

proc name_of {pin} {
  return [expr {[$pin is_top_level_port] ? [$pin port_name] : [path_of $pin]}]
}

proc cell_of {pin} {
  if {[$pin is_top_level_port]} {return port}
  return [get_name [[$pin instance] liberty_cell]]
}

proc outputs_of {instance} {
  set outputs {}
  set iterator [$instance pin_iterator]
  while {[$iterator has_next]} {
    set pin [$iterator next]
    if {[$pin is_driver]} {lappend outputs $pin}
  }
  $iterator finish
  return $outputs
}

# A register is named by the net that it drives, as the Verilog names it.
proc end_name {pin} {
  if {![$pin is_top_level_port]} {
    foreach output [outputs_of [$pin instance]] {
      if {[$output net] ne "NULL"} {return [path_of [$output net]]}
    }
  }
  return [name_of $pin]
}

# Registers whose output, named by its net, begins as one of the patterns says.
proc registers_of {patterns} {
  set found {}
  foreach pin [all_registers -output_pins] {
    if {[$pin net] eq "NULL"} continue
    set name [path_of [$pin net]]
    foreach pattern $patterns {
      if {[string match $pattern* $name]} {
        lappend found [$pin instance]
        break
      }
    }
  }
  return $found
}

# Pins of instances in the top that begin as one of the patterns says.
proc pins_of {patterns} {
  set found {}
  foreach pattern $patterns {
    regsub {\.([^.]*)$} $pattern {/\1*} pattern
    lappend found {*}[get_pins -quiet $pattern]
  }
  return $found
}

# Paths between instances that differ in numbers only are of one kind.
proc kind_of {pin} {
  if {[$pin is_top_level_port]} {
    set owner ""
  } else {
    regsub {\.?[^.]*$} [path_of [$pin instance]] "" owner
    regsub -all {[0-9]+} $owner # owner
  }
  return "$owner [cell_of $pin]"
}

proc report_problems {out} {
  global tied
  foreach problem [sta::check_timing_cmd 1 1 1 1 1 1 1] {
    set objects [lrange $problem 1 end]
    if {[string match "*unconstrained endpoint*" [lindex $problem 0]]} {
      set varying {}
      foreach object $objects {
        set pin [get_pins -quiet $object]
        if {$pin eq ""} {set pin [[sta::top_instance] find_pin $object]}
        if {[lsearch -exact $tied $object] >= 0} continue
        if {$pin eq "NULL" || [sta::pin_sim_logic_value $pin] eq "X"} {lappend varying $object}
      }
      puts $out "constant\t[expr {[llength $objects] - [llength $varying]}]"
      set objects $varying
      if {$objects eq ""} continue
    }
    puts $out "problem\t[join [concat [list [lindex $problem 0]] $objects] \t]"
  }
}

proc report_path {out group kind end} {
  set start [get_property $end startpoint]
  set finish [get_property $end endpoint]
  puts $out [join [list path $group $kind [ns [$end slack]] [ns [$end data_arrival_time]] \
    [end_name $start] [end_name $finish] [$start is_top_level_port] [$finish is_top_level_port]] \t]
  foreach point [get_property $end points] {
    set pin [$point pin]
    if {![$pin is_driver]} continue
    set fanout [expr {[$pin net] eq "NULL" ? 0 : [llength [sta::net_load_pins [$pin net]]]}]
    set vertex [lindex [$pin vertices] 0]
    set slew [expr {max([$vertex slew rise max], [$vertex slew fall max])}]
    puts $out "point\t[name_of $pin]\t[cell_of $pin]\t[ns [$point arrival]]\t[ns $slew]\t$fanout"
  }
}

# The worst path of each kind. Of hold paths the worst alone.
proc report_group {out group min_max} {
  set count [expr {$min_max eq "max" ? 1000000 : 1}]
  set ends [find_timing_paths -path_delay $min_max -group_count $count -path_group $group]
  set worst [dict create]
  foreach end $ends {
    set kind "[kind_of [get_property $end startpoint]] > [kind_of [get_property $end endpoint]]"
    if {![dict exists $worst $kind] || [$end slack] < [[dict get $worst $kind] slack]} {
      dict set worst $kind $end
    }
  }
  if {$min_max eq "max"} {puts $out "ends\t$group\t[llength $ends]"}
  dict for {kind end} $worst {report_path $out $group $min_max $end}
}

proc pin_slew {pin} {
  global clock_slew_ns
  set vertex [lindex [$pin vertices] 0]
  if {$vertex eq "" || $vertex eq "NULL"} {return 0.000000}
  if {[$vertex is_clock]} {return [format %.6f $clock_slew_ns]}
  return [ns [expr {([$vertex slew rise max] + [$vertex slew fall max]) / 2}]]
}

# One line for each input pin of the cells of each module, as it is where the module stands first:
# MODULE INSTANCE PIN SLEW, the mean of rise and fall. Clock pins have the slew that is assumed.
proc report_slews {out instance} {
  global modules
  set cell [get_name [$instance cell]]
  if {[dict exists $modules $cell]} return
  dict set modules $cell 1
  set iterator [$instance child_iterator]
  while {[$iterator has_next]} {
    set child [$iterator next]
    if {![$child is_leaf]} {report_slews $out $child; continue}
    set pins [$child pin_iterator]
    while {[$pins has_next]} {
      set pin [$pins next]
      if {[$pin is_load]} {
        puts $out "$cell\t[get_name $child]\t[get_name [$pin liberty_port]]\t[pin_slew $pin]"
      }
    }
    $pins finish
  }
  $iterator finish
}

set out [open $result w]
# Groups first: they are part of what the search for paths looks for.
set names {clk **async_default** **clock_gating_default**}
foreach {name from to through} $groups {
  set arguments {}
  if {$from ne ""} {lappend arguments -from [registers_of $from]}
  if {$through ne ""} {lappend arguments -through [pins_of $through]}
  if {$to ne ""} {lappend arguments -to [registers_of $to]}
  if {[lsearch -exact $arguments {}] >= 0} continue
  group_path -name $name {*}$arguments
  lappend names $name
}
# Latches are those of clock gates, open before their AND's clock rises. Held open, they let paths
# through to the AND, which has to see its enable before the clock. What their own set-up asks of data is
# less by 0.04 ns or more, up to transitions of 1.2 ns. So no time is borrowed, and a path is reported from
# register to gate. Each change of mode has all delays worked out anew, which takes a minute.
set enables [all_registers -level_sensitive -clock_pins]
if {$enables ne ""} {set_case_analysis $opens $enables}
foreach name $names {report_group $out $name max}
if {$enables ne ""} {unset_case_analysis $enables}
# From here on a placed netlist has its clock by the tree; what is asked of that, hold too, is in clock_tree.tcl.
if {$placed} {set_propagated_clock [all_clocks]}
report_problems $out
if {!$placed} {
  foreach name $names {report_group $out $name min}
}
close $out
if {$slews ne ""} {
  set out [open $slews w]
  set modules [dict create]
  report_slews $out [sta::top_instance]
  close $out
}
