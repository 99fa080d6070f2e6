// SPDX-License-Identifier: Apache-2.0
// The ports of 64 copies of a tile on its gate-level simulator.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/configuration/config.hpp"
#include "sim/gate/netlist/netlist.hpp"
#include "sim/gate/replay/bit_matrix.hpp"
#include "sim/gate/simulation/simulator.hpp"

namespace td::gate_replay {

constexpr int kCopies = 64;

/// The values of one port, copy by copy.
class Pin {
 public:
  explicit Pin(std::vector<gate::Net> nets);

  /// Replaces the low `count` bits of a copy's value by those of `words`, 32 bits each, low first.
  void put(int copy, const std::vector<std::uint32_t>& words, std::size_t count);

  /// The same for values of up to 32 bits.
  void put(int copy, std::uint32_t value, std::size_t count);

  /// Puts the same value, of up to 32 bits, on every copy.
  void put_all(std::uint32_t value);

  /// `count` (at most 64) bits of a copy's value from bit `low`.
  std::uint64_t field(int copy, std::size_t low, std::size_t count) const;

  /// The whole of a copy's value; for ports of up to 64 bits.
  std::uint64_t value(int copy) const { return field(copy, 0, nets_.size()); }

  /// Whether any bit of any copy is set.
  bool any() const;

  /// Sends what was put to the simulator.
  void drive(gate::Simulator& simulator) const;

  /// Takes the values that the simulator has settled to.
  void sample(const gate::Simulator& simulator);

 private:
  std::size_t chunk_bits(std::size_t chunk) const;

  std::vector<gate::Net> nets_;
  std::vector<BitMatrix> chunks_;  ///< [64 bits of the port]: a word for each copy
};

/// The ports of the tile, as hw/tile/td1_tile.v has them.
struct TilePins {
  gate::Net clock;
  Pin reset_n, dense;
  Pin a_valid, a_ready, a_rows;
  Pin b_valid, b_ready, b_rows, b_last, b_last_of_output;
  Pin out_valid, out_ready, out_data, out_nonfinite;
  Pin cycles, stalls, skipped;
  Pin a_e5m2, b_e5m2;  ///< of operands in Format::fp8; without bits in others
  Pin out_e5m2, out_saturate, out_scale, out_overflow, out_underflow;  ///< of results: the same

  void drive(gate::Simulator& simulator) const;
};

/// Finds the ports. Throws UserError, naming port and widths, when those of the netlist are not
/// those of the configuration's tile. `file` names the netlist in messages.
TilePins tile_pins(const gate::Netlist& netlist, const Config& config, const std::string& file);

}  // namespace td::gate_replay
