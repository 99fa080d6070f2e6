// SPDX-License-Identifier: Apache-2.0
// Cycle-accurate, zero-delay simulation of a netlist: 64 copies at once, one in each bit of a word.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/gate/netlist.hpp"
#include "sim/gate/word.hpp"

namespace td::gate {

/// One clock: set() the inputs, settle(), read outputs with get(), then clock(). Zero-delay: a net
/// toggles at most once in a clock, between two settled states; clock nets, gated ones too, twice.
class Simulator {
 public:
  /// `clock` is the input at whose rising edge things happen. Throws UserError (netlist, gate) when
  /// combinational gates form a loop.
  Simulator(const Netlist& netlist, const Library& library, Net clock);

  /// Drives an input port's net.
  void set(Net net, Word value);

  /// Value of a net after the last settle().
  Word get(Net net) const;

  /// Propagates inputs and state through the combinational gates; asynchronous clears and presets
  /// act at once. Toggles since the settle() before are counted for the copies in `counted`.
  void settle(Word counted);

  /// The clock's falling edge (flip-flops that load there, clock gates), then its rising edge.
  void clock();

  /// Toggles of each net so far, summed over the counted copies.
  const std::vector<std::uint64_t>& toggles() const;

  /// Counted clocks in which each net was one when settled.
  const std::vector<std::uint64_t>& ones() const;

  /// Clocks counted: the sum over settle() of the copies in `counted`.
  std::uint64_t clocks() const;

 private:
  // Left to the implementation.
};

}  // namespace td::gate
