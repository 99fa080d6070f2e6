// SPDX-License-Identifier: Apache-2.0
// Compares what the tile does with what the reference model says, bit for bit and cycle for cycle.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "sim/replay/pass_source.hpp"

namespace td::replay {

/// Expectations enter in the order in which the passes are sent, and leave as the tile answers.
class Scoreboard {
 public:
  Scoreboard(const Config& config, std::vector<Tally> tallies);

  /// A pass was sent; `result` is the model's.
  void expect(Pass pass, sim::PassResult result);

  /// The tile completed an output after `cycles` steps, in clock `clock`.
  void on_cycles(std::int64_t cycles, std::int64_t clock);

  /// The tile delivered the outputs of all PEs, `bits` [tile row][tile column].
  void on_output(const std::vector<std::uint32_t>& bits, const std::vector<bool>& nonfinite,
                 std::int64_t clock);

  /// A lane of the step in use multiplies something else than it should.
  void on_lane(const std::string& text, std::int64_t clock);

  /// The pass that the tile steps through, or nullptr when nothing was sent.
  const Pass* in_use() const;

  /// Rows that should leave in the pass's cycle; 0 when there is no such cycle.
  int advance(std::int64_t cycle) const;

  /// A counter of the tile against what it should show.
  void on_counter(const char* name, std::uint64_t actual, std::uint64_t expected,
                  std::int64_t clock);

  /// An assertion in the Verilog failed; it has said which on standard output.
  void on_assertion(std::int64_t clock);

  /// The tile stopped answering.
  void on_hang(std::int64_t clock);

  /// Everything in flight was dropped by a reset.
  void flush();

  bool idle() const { return waiting_.empty(); }
  std::int64_t passes_done() const { return passes_done_; }
  /// Passes whose cycles were also compared with the whole-network simulation's.
  std::int64_t passes_simulated() const { return passes_simulated_; }
  std::int64_t mismatches() const { return mismatches_; }
  /// Cycles and skipped pairs of all passes completed since the last reset.
  std::int64_t total_cycles() const { return total_cycles_; }
  std::int64_t total_skipped() const { return total_skipped_; }
  /// 64-bit FNV-1a of all outputs and flags in order: equal for equal behaviour.
  std::uint64_t output_hash() const { return hash_; }
  /// One line about the first mismatch; empty if there was none.
  const std::string& first_mismatch() const { return first_mismatch_; }
  /// Clock of the first mismatch.
  std::int64_t first_mismatch_clock() const { return first_mismatch_clock_; }
  const std::vector<Tally>& tallies() const { return tallies_; }

 private:
  struct Expected {
    Pass pass;
    sim::PassResult result;
  };

  void mismatch(Tally* tally, std::int64_t clock, const std::string& text);
  void compare(const Expected& expected, int row, int column, std::uint32_t bits, bool nonfinite,
               std::int64_t clock);
  std::string where(const Pass& pass) const;
  void hash(std::uint32_t value);

  Config config_;
  std::vector<Tally> tallies_;
  std::deque<Expected> waiting_;
  std::size_t counted_ = 0;  ///< leading entries of waiting_ whose cycles have been compared
  std::int64_t passes_done_ = 0;
  std::int64_t passes_simulated_ = 0;
  std::int64_t mismatches_ = 0;
  std::int64_t total_cycles_ = 0;
  std::int64_t total_skipped_ = 0;
  std::uint64_t hash_ = 0xcbf29ce484222325u;
  std::string first_mismatch_;
  std::int64_t first_mismatch_clock_ = -1;
};

}  // namespace td::replay
