// SPDX-License-Identifier: Apache-2.0
// The reference model of a tile: exact in every output bit and every cycle.
#pragma once

#include <cstdint>
#include <vector>

#include "base/configuration/config.hpp"
#include "sim/arithmetic/fp8.hpp"
#include "sim/model/scheduler.hpp"

namespace td::sim {

/// The operands of one output of every PE: streams that follow each other into one accumulator.
struct PassData {
  std::vector<std::int64_t> segment_rows;  ///< rows of each stream, 1 or more
  std::vector<std::uint32_t> a;            ///< operand bits [row][tile column][lane]
  std::vector<std::uint32_t> b;            ///< operand bits [row][tile row][lane]; scheduled
  std::vector<bool> dense;                 ///< per stream: drop nothing
  Fp8 a_kind = Fp8::e4m3;                  ///< what side A comes in, in Format::fp8
  Fp8 b_kind = Fp8::e4m3;                  ///< ... and side B

  std::int64_t rows() const;
};

/// What the tile makes of a pass.
struct PassResult {
  std::int64_t cycles = 0;
  std::vector<int> advances;  ///< rows that leave in each cycle
  std::int64_t skipped = 0;   ///< pairs of the tile rows' streams no lane multiplied
  /// Bits in the output format, or result_bits(), [tile row][tile column].
  std::vector<std::uint32_t> outputs;
  std::vector<bool> nonfinite;  ///< flags [tile row][tile column]
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

/// Model of one tile. Streams of different passes do not influence each other, so neither do runs;
/// what a run shares with the one before (a stream usually meets many others) is worked out once.
class TileModel {
 public:
  /// results: how sums become results, where these are of OFP8.
  explicit TileModel(const Config& config, const Fp8Results& results = {});

  /// Sends a pass of at least one stream through the tile. `observer` may be null.
  void run(const PassData& pass, PassResult& result, StepObserver* observer = nullptr);

  const Config& config() const { return config_; }

  /// A pair that a lane multiplied, in all columns of its tile row.
  struct Pair {
    int lane;
    std::uint32_t element;  ///< row of the pass * lanes + lane that it comes from
    float b;                ///< side B's operand
  };

  /// The pairs of one tile row in one cycle (0…cycles-1) of the last run.
  std::vector<Pair> pairs(std::int64_t cycle, int tile_row) const;

 private:
  void load_a(const PassData& pass);
  void load_b(const PassData& pass);
  void schedule(const PassData& pass, StepObserver* observer);
  void schedule_stream(std::int64_t begin, std::int64_t end, StepObserver* observer);
  void schedule_dense_stream(std::int64_t begin, std::int64_t end);
  int schedule_row(int row, std::int64_t first, std::int64_t end, StepObserver* observer);
  void add_pair(int row, std::int64_t t, std::size_t source, int lane);
  void multiply();
  void multiply_row(const Pair* begin, const Pair* end, float* accumulator);
  void fuse_row(const Pair* begin, const Pair* end, float* accumulator);
  void finish(PassResult& result);

  std::uint32_t output_bits(float sum) const;

  Config config_;
  Fp8Results results_;
  Scheduler scheduler_;
  std::vector<std::size_t> sources_;  ///< [option][lane]: the lane it takes from
  std::size_t stride_;                ///< columns, rounded up to whole vectors

  PassData loaded_;                  ///< the pass of the run before
  std::vector<float> a_;             ///< [row][lane][column]
  std::vector<LaneMask> a_nonzero_;  ///< [row], of column 0; two-sided only
  std::vector<bool> a_nonfinite_;    ///< [column]
  std::vector<float> b_;             ///< [row][tile row][lane]
  std::vector<LaneMask> b_nonzero_;  ///< [tile row][row]
  std::vector<bool> b_nonfinite_;    ///< [tile row]

  std::vector<LaneMask> pending_;  ///< [tile row][row]: effectual and not yet taken
  std::vector<Pair> pairs_;        ///< step after step, tile row after tile row
  std::vector<std::size_t> ends_;  ///< [step][tile row]: where its pairs end
  std::vector<int> advances_;      ///< rows that leave in each cycle
  std::int64_t skipped_ = 0;
  std::vector<int> row_advance_;

  std::vector<float> products_;      ///< [lane][column]
  std::vector<float> accumulators_;  ///< [tile row][accumulator][column]
};

}  // namespace td::sim
