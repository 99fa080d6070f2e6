// SPDX-License-Identifier: Apache-2.0
// What an accelerator's hardware is, as its driver and its model see it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>

#include "base/configuration/config.hpp"

namespace td {

constexpr std::int64_t kBlockRows = 64;  ///< that are packed together

/// Sizes of the memories and of what works on them. A row is as long as a PE has lanes; the bus
/// brings some in a clock, and takes as many.
struct Geometry {
  std::int64_t lanes = 0;
  std::int64_t lines = 0;  ///< rows of a tile, and columns
  std::int64_t depth = 0;  ///< banks of a line's scratchpad
  std::int64_t tiles = 0;
  std::int64_t operand_rows = 0;   ///< of each operand memory
  std::int64_t result_words = 0;   ///< of each tile's result memory; `lines` results in a word
  std::int64_t bank_rows = 0;      ///< of one half of a scratchpad's bank, in all its sets
  std::int64_t fill_rows = 1;      ///< that a fill brings in a clock, and banks of operand memories
  std::int64_t beat_rows = 1;      ///< of a beat of the bus
  std::int64_t unpack_rows = 0;    ///< of packed tensors, in a clock; 0: none can be read
  std::int64_t collect_words = 1;  ///< that leave a tile in a clock, at most
  std::int64_t outstanding = 2;    ///< bursts on the way, each direction
  Format format = Format::bf16;
  bool dense = false;  ///< the tiles cannot drop anything

  /// Of an operand in memory.
  std::int64_t element_bytes() const { return stored_width(format) / 8; }
  /// Results are wide, whatever is asked for: eight bits want a scale that is not known yet.
  bool wide_only() const { return format == Format::fp8; }
  /// Of a wide result: binary32, or bfloat16 where operands have eight bits.
  std::int64_t wide_bytes() const { return wide_only() ? 2 : 4; }
  std::int64_t row_bytes() const { return lanes * element_bytes(); }
  std::int64_t beat_bytes() const { return beat_rows * row_bytes(); }
  /// Rows that are written to an operand memory in a clock, at most.
  std::int64_t write_rows() const { return std::max(beat_rows, unpack_rows); }
  /// Of a packed block: in front of its values, a bit for each element of kBlockRows rows.
  std::int64_t mask_rows() const { return kBlockRows / stored_width(format); }
  /// Sets of memories of a scratchpad's bank, in which groups of streams take turns.
  std::int64_t sets() const { return fill_rows > lines ? fill_rows / lines : 1; }
  /// Groups of a line that lie in a set, at most, of so many groups of each of so many lines.
  std::int64_t set_groups(std::int64_t groups, std::int64_t of_lines) const;
  /// Words that one result row of `lanes` results takes.
  std::int64_t block_words() const { return lanes / lines; }
  /// Words from result row to result row, of so many each; in pairs, an odd number of rows of the
  /// result memory, so that two of the words of a pass lie in different banks.
  std::int64_t result_pitch(std::int64_t words, bool pairs) const;
  /// Clocks in which the words of a pass leave a tile.
  std::int64_t collect_clocks(std::int64_t result_pitch) const;
};

/// The hardware of a configuration. Throws UserError for one that no accelerator is built for.
Geometry geometry_of(const Config& config);

/// Why no accelerator of a configuration is built; nothing where one is.
std::optional<std::string> accelerator_obstacle(const Config& config);

}  // namespace td
