// SPDX-License-Identifier: Apache-2.0
// What load and store engine do, clock by clock: td1_burst, td1_transfer and td1_store_rows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/configuration/geometry.hpp"
#include "sim/accelerator/descriptor.hpp"
#include "sim/accelerator/timing/clock_state.hpp"
#include "sim/accelerator/timing/ring.hpp"

namespace td::sim {

/// A burst of a load or store.
struct TransferBurst {
  std::int64_t beats;
  std::int64_t groups = 0;  ///< of rows that are unpacked; 0: it is not packed
};

std::vector<TransferBurst> load_bursts(const Geometry& geometry, const LoadDescriptor& load);
std::vector<TransferBurst> store_bursts(const Geometry& geometry, const StoreDescriptor& store);

/// Puts the bursts of descriptors on the bus. Members that look are for any time in a clock, then
/// comes update().
class TransferClock {
 public:
  /// So many bursts may be on the way.
  explicit TransferClock(std::int64_t outstanding)
      : outstanding_(static_cast<std::size_t>(outstanding)) {}

  bool address() const { return address_; }                      ///< is on the bus
  const TransferBurst& address_burst() const { return burst_; }  ///< there
  bool done() const { return done_; }                            ///< with a descriptor

  /// On a descriptor, with what is offered.
  bool works(const std::vector<TransferBurst>* offered) const {
    return offered != nullptr || !flying_.empty() || done_;
  }

  /// Whether it waits for the bus or an answer, or has nothing to do, with what is offered.
  bool rests(const std::vector<TransferBurst>* offered, bool bus_ready) const {
    return !(address_ && bus_ready) && !done_ && !takes(bus_ready) &&
           (offered == nullptr || offer_);
  }

  /// Whether bursts find room elsewhere, too, from the next clock on.
  void set_room(bool room) { room_ = room; }

  /// A burst goes to the address channel, where the bus takes one that is there or does not.
  bool takes(bool bus_ready) const;
  /// ... and it is the descriptor's last one.
  bool finishes(const std::vector<TransferBurst>& bursts, bool bus_ready) const;

  /// The end of the clock. `offered`: bursts of the descriptor that may be worked on, or null.
  void update(const std::vector<TransferBurst>* offered, bool bus_ready, bool answered);

  void add_state(ClockState& state) const;

 private:
  std::size_t outstanding_;
  bool room_ = true;
  bool walks_ = false, offer_ = false;  ///< a burst is being cut; one is offered
  std::size_t next_ = 0;                ///< that is offered, or will be
  bool address_ = false;
  TransferBurst burst_ = {0};
  Ring<char> flying_;  ///< bursts, and whether each is its descriptor's last one
  bool done_ = false;
};

constexpr std::size_t kNoTile = static_cast<std::size_t>(-1);

/// Reads the rows of bursts and writes them as beats.
class StoreRowsClock {
 public:
  /// A burst went to the bus in the clock that has ended.
  void add(std::size_t tile, std::int64_t beats) { bursts_.push_back({tile, beats}); }

  /// The tile that it reads a row of in this clock, or none of them.
  std::size_t tile() const { return tile_; }

  /// The end of the clock, in which memory took a beat or not. Returns whether one was written.
  bool update(bool ready);
  bool idle() const { return bursts_.empty() && asked_ == 0 && standing_ == 0; }
  bool has_room() const { return bursts_.size() < kBursts; }  ///< for another burst

  /// Coming clocks in which it reads a row of the same burst in each, or rests.
  std::int64_t quiet() const;
  /// So many of them. Returns how many beats were written in them.
  std::int64_t count(std::int64_t clocks);

  void add_state(ClockState& state) const;

 private:
  static constexpr std::size_t kBursts = 4;  // BURSTS of td1_store
  static constexpr int kAsked = 5;           // beats
  static constexpr int kArrives = 3;         // clocks from asking for a row until it comes
  static constexpr int kStanding = 2;        // beats at the bus, see td1_skid

  struct Burst {
    std::size_t tile;
    std::int64_t left;      ///< beats
    std::int64_t read = 0;  ///< clocks in which a row was asked for
  };

  Ring<Burst> bursts_;
  bool rows_[kArrives] = {};  ///< one was asked for so many clocks ago
  std::size_t tile_ = kNoTile;
  int asked_ = 0;
  int waiting_ = 0;   ///< beats in the queue
  int standing_ = 0;  ///< ... at the bus
};

}  // namespace td::sim
