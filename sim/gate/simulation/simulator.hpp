// SPDX-License-Identifier: Apache-2.0
// Cycle-accurate, zero-delay simulation of a netlist: 64 copies at once, one in each bit of a word.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "sim/gate/netlist/netlist.hpp"
#include "sim/gate/simulation/word.hpp"

namespace td::gate {

/// One clock: set() the inputs, settle() once, read outputs with get(), then clock(). Zero-delay: a
/// net toggles at most once in a clock, between two settled states; clock nets, gated ones too,
/// twice. A net that a latch moves, or a flip-flop of the falling edge, may toggle there and once
/// more at the rising edge. All nets and states start at 0: count from the second settle() on.
///
/// The clock is high while inputs change. A clock gate must therefore be an AND behind a latch that
/// is open while the clock is low or a flip-flop that loads as it falls, or an OR behind one of the
/// rise.
class Simulator {
 public:
  /// `clock` is the input at whose rising edge things happen; netlist and library must outlive the
  /// simulator. Throws UserError (netlist, gate): combinational gates form a loop, a flip-flop's
  /// clock does not come from `clock` through gates, or something but clocks depends on the clock.
  Simulator(const Netlist& netlist, const Library& library, Net clock);
  ~Simulator();
  Simulator(Simulator&& other) noexcept;
  Simulator& operator=(Simulator&& other) noexcept;

  /// Drives an input port's net, but the clock. Throws std::out_of_range for other nets.
  void set(Net net, Word value);

  /// Value of a net after the last settle(), until clock().
  Word get(Net net) const;

  /// Propagates inputs and state through the combinational gates; asynchronous clears and presets
  /// act at once. Toggles since the settle() before are counted for the copies in `counted`, those
  /// of clock nets included. Throws UserError when a clock rises here: its gate follows data while
  /// the clock is high.
  void settle(Word counted);

  /// The clock's falling edge (flip-flops that load there, latches, clock gates), then its rising
  /// edge. Throws UserError when a gated clock rises because of what the falling edge loaded.
  void clock();

  /// Toggles of each net so far, summed over the counted copies. Valid until the next settle().
  const std::vector<std::uint64_t>& toggles() const;

  /// Counted clocks in which each net was one when settled; of nets that the clock moves, the mean
  /// of this and of the clocks in which it was one before the rising edge. Valid as above.
  const std::vector<std::uint64_t>& ones() const;

  /// Clocks counted: the sum over settle() of the copies in `counted`.
  std::uint64_t clocks() const;

 private:
  class State;
  std::unique_ptr<State> state_;
};

}  // namespace td::gate
