// SPDX-License-Identifier: Apache-2.0
// The golden model of a tile: exact in every output bit and every cycle.
#pragma once

#include <cstdint>
#include <vector>

#include "gen/config.hpp"
#include "sim/scheduler.hpp"

namespace td::sim {

/// The operands of one output of every PE: streams that follow each other into one accumulator.
struct PassData {
  std::vector<std::int64_t> segment_rows;  ///< rows of each stream, 1 or more
  std::vector<std::uint32_t> a;            ///< operand bits [row][tile column][lane]
  std::vector<std::uint32_t> b;            ///< operand bits [row][tile row][lane]; scheduled
  std::vector<bool> dense;                 ///< per stream: drop nothing

  std::int64_t rows() const;
};

/// What the tile makes of a pass.
struct PassResult {
  std::int64_t cycles = 0;
  std::int64_t skipped = 0;            ///< pairs of the tile rows' streams no lane multiplied
  std::vector<std::uint32_t> outputs;  ///< bits in the output format [tile row][tile column]
  std::vector<bool> nonfinite;         ///< flags [tile row][tile column]
};

/// Hears of every step of the model; for coverage.
class StepObserver {
 public:
  virtual ~StepObserver() = default;
  /// `choice` is what one tile row takes; nothing in a dense step.
  virtual void on_choice(int tile_row, const Choice& choice) = 0;
  /// `row_advance` is what each tile row alone would allow.
  virtual void on_advance(int advance, const std::vector<int>& row_advance) = 0;
};

/// Model of one tile. Streams of different passes do not influence each other, so neither do runs.
class TileModel {
 public:
  explicit TileModel(const Config& config);

  /// Sends a pass through the tile. `observer` may be null.
  void run(const PassData& pass, PassResult& result, StepObserver* observer = nullptr);

  const Config& config() const { return config_; }

 private:
  /// A pair that a lane multiplies, in all columns.
  struct Pair {
    int lane;
    const float* a;  ///< the element of column 0; the other columns' follow
    float b;
  };

  void load(const PassData& pass, PassResult& result);
  void run_stream(std::int64_t begin, std::int64_t end, StepObserver* observer, PassResult& result);
  void run_dense_stream(std::int64_t begin, std::int64_t end);
  int schedule_row(int row, std::int64_t first, std::int64_t end, StepObserver* observer);
  void add_pair(int row, std::int64_t t, std::size_t source, int lane);
  void multiply_row(int row);
  void finish(PassResult& result);

  Config config_;
  Scheduler scheduler_;
  std::vector<std::size_t> sources_;  ///< [place][lane]: the lane it takes from
  std::size_t stride_;                ///< columns, rounded up to whole vectors
  std::vector<float> a_;              ///< [row][lane][column]
  std::vector<float> b_;              ///< [row][tile row][lane]
  std::vector<LaneMask> pending_;     ///< [tile row][row]: effectual and not yet taken
  std::vector<Pair> pairs_;           ///< of one tile row in one step
  std::vector<float> products_;       ///< [lane][column]
  std::vector<int> row_advance_;
  std::vector<float> accumulators_;  ///< [tile row][accumulator][column]
  std::int64_t cycle_ = 0;           ///< of the output
};

}  // namespace td::sim
