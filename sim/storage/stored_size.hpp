// SPDX-License-Identifier: Apache-2.0
// How many rows an operand takes in the SRAM, and how many its streams read: plain, scheduled, and
// zero-compressed.
#pragma once

#include <cstdint>
#include <vector>

#include "base/configuration/config.hpp"
#include "sim/mapping/mapping.hpp"
#include "sim/trace/operand_source.hpp"

namespace td::sim {

// A run is what every stream that reads one row of it reads as a whole, in the same order: the rows
// of one position of an image, or of a filter, over the channels of a group. The rules, with their
// reasons: docs/storage.md.

/// How an operand lies in the SRAM.
enum class Storage { plain, scheduled, zero_compressed };

/// Rows of runs. Padding is not stored and not counted.
struct RunRows {
  std::int64_t plain = 0;
  std::int64_t scheduled = 0;
  /// As wide as plain ones. A run has a bit for every channel, then its values that are not zero,
  /// and begins a row.
  std::int64_t zero_compressed = 0;

  void add(const RunRows& other, std::int64_t times);
};

/// An operand of an operation whose streams read whole runs.
struct StoredSize {
  std::int64_t plain_bits = 0;      ///< of a plain or zero-compressed row
  std::int64_t scheduled_bits = 0;  ///< of a scheduled row; of a dense tile, a plain one
  std::int64_t runs = 0;
  RunRows stored;                 ///< each run once
  std::vector<RunRows> streamed;  ///< by every stream once, [block of the mapping's pattern]

  /// Of all streams.
  std::int64_t streamed_bits(Storage storage) const;

  /// Scheduled where that saves bits that are read.
  Storage best() const;
};

/// Whether the streams read the operand in the order of its runs: it need not be turned first.
bool reads_runs(Op op, Operand operand);

/// From the zeros alone. Throws std::invalid_argument where streams do not read runs.
StoredSize stored_size(const Config& config, const OperandSource& source, const LayerInfo& layer,
                       Op op, Operand operand);

}  // namespace td::sim
