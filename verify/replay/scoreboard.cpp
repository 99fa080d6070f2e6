// SPDX-License-Identifier: Apache-2.0
#include "verify/replay/scoreboard.hpp"

#include <fmt/format.h>

namespace td::verify {

Scoreboard::Scoreboard(const Config& config, std::vector<Tally> tallies)
    : config_(config), tallies_(std::move(tallies)) {}

void Scoreboard::expect(const Pass& pass, sim::PassResult result) {
  waiting_.push_back({std::move(result), pass.tally, pass.number, pass.present_rows,
                      pass.present_columns, pass.data.rows()});
}

void Scoreboard::on_cycles(std::int64_t cycles, std::int64_t clock) {
  if (counted_ == waiting_.size()) {
    mismatch(nullptr, clock, "an output is completed that nothing was sent for");
    return;
  }
  const Expected& expected = waiting_[counted_++];
  Tally& tally = tallies_[expected.tally];
  tally.cycles += cycles;
  total_cycles_ += expected.result.cycles;
  total_skipped_ += expected.result.skipped;
  if (cycles != expected.result.cycles) {
    mismatch(&tally, clock,
             fmt::format("{}: expected {} cycles, actual {}", where(expected),
                         expected.result.cycles, cycles));
  }
}

void Scoreboard::on_output(const std::vector<std::uint32_t>& bits,
                           const std::vector<bool>& nonfinite, std::int64_t clock) {
  if (counted_ == 0) {
    mismatch(nullptr, clock, "an output leaves that was not completed");
    return;
  }
  const Expected& expected = waiting_.front();
  Tally& tally = tallies_[expected.tally];
  const int digits = output_width(config_) / 4;
  for (std::size_t pe = 0; pe < bits.size(); ++pe) {
    hash(bits[pe]);
    hash(nonfinite[pe] ? 1 : 0);
    const int row = static_cast<int>(pe) / config_.columns;
    const int column = static_cast<int>(pe) % config_.columns;
    if (row < expected.present_rows && column < expected.present_columns) ++tally.outputs;
    if (bits[pe] != expected.result.outputs[pe]) {
      mismatch(&tally, clock,
               fmt::format("{}, PE row {} column {}: expected 0x{:0{}x}, actual 0x{:0{}x}",
                           where(expected), row, column, expected.result.outputs[pe], digits,
                           bits[pe], digits));
    }
    if (nonfinite[pe] != expected.result.nonfinite[pe]) {
      mismatch(
          &tally, clock,
          fmt::format("{}, PE row {} column {}: expected nonfinite {}, actual {}", where(expected),
                      row, column, bool{expected.result.nonfinite[pe]}, bool{nonfinite[pe]}));
    }
  }
  tally.dense_cycles += expected.rows;
  ++tally.passes_done;
  ++passes_done_;
  waiting_.pop_front();
  --counted_;
}

void Scoreboard::on_counter(const char* name, std::uint64_t actual, std::uint64_t expected,
                            std::int64_t clock) {
  if (actual == expected) return;
  mismatch(nullptr, clock,
           fmt::format("counter {}: expected {}, actual {}", name, expected, actual));
}

void Scoreboard::on_hang(std::int64_t clock) {
  mismatch(nullptr, clock,
           waiting_.empty()
               ? "the tile does not come to rest"
               : fmt::format("{}: the tile stopped answering", where(waiting_.front())));
}

void Scoreboard::flush() {
  waiting_.clear();
  counted_ = 0;
  total_cycles_ = 0;
  total_skipped_ = 0;
}

std::string Scoreboard::where(const Expected& expected) const {
  const Tally& tally = tallies_[expected.tally];
  return fmt::format("{} {} {} pass {}", tally.snapshot, tally.layer, tally.op, expected.number);
}

void Scoreboard::mismatch(Tally* tally, std::int64_t clock, const std::string& text) {
  ++mismatches_;
  if (tally != nullptr) ++tally->mismatches;
  if (!first_mismatch_.empty()) return;
  first_mismatch_ = fmt::format("clock {}: {}", clock, text);
  first_mismatch_clock_ = clock;
}

void Scoreboard::hash(std::uint32_t value) { hash_ = (hash_ ^ value) * 0x100000001b3u; }

}  // namespace td::verify
