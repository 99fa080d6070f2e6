// SPDX-License-Identifier: Apache-2.0
// Writes down in which clocks each pass goes through the tile, to find it in a wave.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "sim/replay/pass_source.hpp"
#include "sim/replay/row_feed.hpp"

namespace td::verify {

/// Stands between the passes and the stimulus, so that it hears of every pass in their order.
class PassClocks : public replay::PassSource {
 public:
  /// The source must outlive it. Clock n's rising edge is n - 1 periods after the start.
  PassClocks(replay::PassSource& source, double period_ns)
      : source_(source), period_ns_(period_ns) {}

  bool next(replay::Pass& pass) override;
  std::vector<replay::Tally> tallies() const override { return source_.tallies(); }

  /// So many rows of a side were accepted in a clock.
  void on_rows(replay::Side side, int rows, std::int64_t clock);

  /// The tile stepped; `final` completes a pass.
  void on_step(bool final, std::int64_t clock);

  /// The outputs of a pass were accepted.
  void on_output(std::int64_t clock);

  /// Every pass under way is dropped.
  void on_reset();

  /// A line for each pass, its clocks in the columns; empty where it did not get so far.
  std::string csv() const;

 private:
  /// Events of a pass, each with its clock; 0: not yet.
  enum Event : std::size_t { first_row, last_row, first_step, last_step, output, events };
  struct Entry {
    std::size_t tally;
    std::int64_t number;
    std::int64_t rows;
    std::array<std::int64_t, events> clock{};
  };
  /// Where the rows of a side are.
  struct Cursor {
    std::size_t entry = 0;
    std::int64_t rows = 0;  ///< of the entry that have moved
  };

  replay::PassSource& source_;
  double period_ns_;
  std::vector<Entry> entries_;
  std::array<Cursor, 2> sides_;
  std::size_t stepping_ = 0;  ///< entry
  std::size_t leaving_ = 0;   ///< entry
};

}  // namespace td::verify
