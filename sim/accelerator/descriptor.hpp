// SPDX-License-Identifier: Apache-2.0
// The accelerator's descriptors as structures, and as the words that it reads from memory.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <tuple>
#include <variant>
#include <vector>

#include "base/configuration/geometry.hpp"

namespace td::sim {

constexpr std::size_t kJobQueue = 4;  ///< jobs that wait in an accelerator, at most

/// Descriptors of the job that must have finished before.
struct Waits {
  std::uint16_t loads = 0;
  std::uint16_t computes = 0;
  std::uint16_t stores = 0;
};

/// Where rows lie in memory: planes of segments of rows, pitches in bytes.
struct MemoryWalk {
  std::uint64_t address = 0;
  std::uint16_t rows = 1;
  std::uint16_t segments = 1;
  std::uint16_t planes = 1;
  std::uint32_t segment_pitch = 0;
  std::uint32_t plane_pitch = 0;
};

inline std::int64_t rows_of(const MemoryWalk& walk) {
  return std::int64_t{walk.planes} * walk.segments * walk.rows;
}

/// Calls use(address) for every segment, in order.
template <class Use>
void each_segment(const MemoryWalk& walk, Use use) {
  for (std::uint64_t plane = 0; plane < walk.planes; ++plane) {
    for (std::uint64_t segment = 0; segment < walk.segments; ++segment) {
      use(walk.address + plane * walk.plane_pitch + segment * walk.segment_pitch);
    }
  }
}

/// Calls use(address) for every row, in order.
template <class Use>
void each_row(const MemoryWalk& walk, std::uint64_t row_bytes, Use use) {
  each_segment(walk, [&](std::uint64_t begin) {
    for (std::uint64_t row = 0; row < walk.rows; ++row) use(begin + row * row_bytes);
  });
}

constexpr std::int64_t kBurstRows = 64;  ///< bursts end at multiples of so many

/// Calls use(address, rows) for every burst of segments of so many rows, in order.
template <class Use>
void each_burst(const Geometry& geometry, const MemoryWalk& walk, std::int64_t rows, Use use) {
  const auto row_bytes = static_cast<std::uint64_t>(geometry.row_bytes());
  each_segment(walk, [&](std::uint64_t begin) {
    std::uint64_t row = begin / row_bytes;
    for (std::int64_t left = rows; left > 0;) {
      const auto within = static_cast<std::int64_t>(row % kBurstRows);
      const std::int64_t some = std::min(left, kBurstRows - within);
      use(row * row_bytes, some);
      row += static_cast<std::uint64_t>(some);
      left -= some;
    }
  });
}

/// Beats of the bus that hold rows from an address on.
inline std::int64_t beats_of(const Geometry& geometry, std::uint64_t address, std::int64_t rows) {
  const auto beat = static_cast<std::uint64_t>(geometry.beat_bytes());
  const auto bytes = static_cast<std::uint64_t>(rows * geometry.row_bytes());
  return static_cast<std::int64_t>((address % beat + bytes + beat - 1) / beat);
}

struct LoadDescriptor {
  Waits waits;
  bool side_b = false;
  std::uint8_t interleave = 0;  ///< see place_of()
  std::uint8_t packed = 0;      ///< rows that a packed block takes; 0: not packed
  std::uint32_t row = 0;
  MemoryWalk memory;
};

/// Beats that a load reads.
std::int64_t beats_of(const Geometry& geometry, const LoadDescriptor& load);

struct StoreDescriptor {
  Waits waits;
  std::uint8_t tile = 0;
  bool wide = false;
  std::uint32_t word = 0;
  std::uint16_t word_pitch = 0;
  MemoryWalk memory;
};

/// Rows of memory that a row of results takes.
inline std::int64_t row_parts(const Geometry& geometry, const StoreDescriptor& store) {
  return store.wide && geometry.wide_bytes() != geometry.element_bytes() ? 2 : 1;
}

/// Beats that a store writes, of some with a part of their bytes.
std::int64_t beats_of(const Geometry& geometry, const StoreDescriptor& store);

/// A loop of a walk; its steps include the return of all loops inside of it.
struct WalkLevel {
  std::uint16_t count = 1;
  std::int16_t y_step = 0;
  std::int16_t x_step = 0;
  std::int32_t row_step = 0;

  auto fields() const { return std::tie(count, y_step, x_step, row_step); }
  bool operator==(const WalkLevel& other) const { return fields() == other.fields(); }
  bool operator<(const WalkLevel& other) const { return fields() < other.fields(); }
};

/// Which rows of an operand memory become which streams. Each step of the loops brings `fan` rows,
/// or `last_fan` in the last iteration of the fan loop.
struct OperandWalk {
  std::uint32_t row = 0;
  std::int16_t y = 0;
  std::int16_t x = 0;
  std::uint16_t y_bound = 1;
  std::uint16_t x_bound = 1;
  bool transpose = false;
  std::uint8_t fan = 1;
  std::uint8_t last_fan = 1;
  std::uint8_t interleave = 0;  ///< see place_of()
  std::uint16_t blocks = 1;
  std::int32_t fan_row_step = 0;  ///< from one of these rows to the next
  std::int16_t fan_y_step = 0;
  std::int16_t fan_x_step = 0;
  std::array<WalkLevel, 6> levels;

  std::size_t fan_level() const { return transpose ? 0 : 3; }
  auto fields() const {
    return std::tie(row, y, x, y_bound, x_bound, transpose, fan, last_fan, interleave, blocks,
                    fan_row_step, fan_y_step, fan_x_step, levels);
  }
  bool operator==(const OperandWalk& other) const { return fields() == other.fields(); }
  bool operator<(const OperandWalk& other) const { return fields() < other.fields(); }
};

struct ComputeDescriptor {
  Waits waits;
  bool dense = false;
  bool lanes_on_b = false;
  bool accumulate = false;
  std::uint8_t across = 0;
  std::uint8_t keep = 0;  ///< a bit for each side, one of them at most
  bool a_e5m2 = false;    ///< of OFP8: what side A's operands are
  bool b_e5m2 = false;
  std::uint16_t chunk_rows = 1;
  std::uint16_t group_pitch = 1;
  std::uint16_t a_groups = 1;
  std::uint16_t b_groups = 1;
  std::uint16_t a_lines = 1;
  std::uint16_t b_lines = 1;
  std::uint16_t result_word = 0;
  std::uint16_t result_pitch = 1;
  OperandWalk a;
  OperandWalk b;

  bool keeps(int side) const { return (keep >> side & 1) != 0; }
};

using Descriptor = std::variant<LoadDescriptor, ComputeDescriptor, StoreDescriptor>;

const Waits& waits_of(const Descriptor& descriptor);

/// Bytes of a descriptor of that kind; 0 when there is no such kind.
std::size_t descriptor_bytes(std::uint32_t kind);
std::size_t descriptor_bytes(const Descriptor& descriptor);

/// Appends the descriptor's words.
void encode(const Descriptor& descriptor, std::vector<std::uint32_t>& words);

/// Of the words of a kind that there is: descriptor_bytes() of them.
Descriptor decode(const std::uint32_t* words);

/// The kind that the first word of a descriptor names.
std::uint32_t kind_of(std::uint32_t first_word);

}  // namespace td::sim
