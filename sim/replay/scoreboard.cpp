// SPDX-License-Identifier: Apache-2.0
#include "sim/replay/scoreboard.hpp"

#include <fmt/format.h>

namespace td::replay {

Scoreboard::Scoreboard(const Config& config, std::vector<Tally> tallies)
    : config_(config), tallies_(std::move(tallies)) {}

void Scoreboard::expect(Pass pass, sim::PassResult result) {
  waiting_.push_back({std::move(pass), std::move(result)});
}

void Scoreboard::on_cycles(std::int64_t cycles, std::int64_t clock) {
  if (counted_ == waiting_.size()) {
    mismatch(nullptr, clock, "an output is completed that nothing was sent for");
    return;
  }
  const Expected& expected = waiting_[counted_++];
  Tally& tally = tallies_[expected.pass.tally];
  tally.cycles += cycles;
  total_cycles_ += expected.result.cycles;
  total_skipped_ += expected.result.skipped;
  if (cycles != expected.result.cycles) {
    mismatch(&tally, clock,
             fmt::format("{}: expected {} cycles, actual {}", where(expected.pass),
                         expected.result.cycles, cycles));
  }
  if (!expected.pass.simulated_cycles) return;
  ++passes_simulated_;
  if (cycles != *expected.pass.simulated_cycles) {
    mismatch(&tally, clock,
             fmt::format("{}: simulated {} cycles, actual {}", where(expected.pass),
                         *expected.pass.simulated_cycles, cycles));
  }
}

void Scoreboard::on_output(const std::vector<std::uint32_t>& bits,
                           const std::vector<bool>& nonfinite, std::int64_t clock) {
  if (counted_ == 0) {
    mismatch(nullptr, clock, "an output leaves that was not completed");
    return;
  }
  const Expected& expected = waiting_.front();
  for (int row = 0; row < config_.rows; ++row) {
    for (int column = 0; column < config_.columns; ++column) {
      const auto pe = static_cast<std::size_t>(row * config_.columns + column);
      compare(expected, row, column, bits[pe], nonfinite[pe], clock);
    }
  }
  Tally& tally = tallies_[expected.pass.tally];
  tally.dense_cycles += expected.pass.data.rows();
  tally.zero_free_cycles += expected.pass.zero_free_cycles;
  tally.outputs += std::int64_t{expected.pass.present_rows} * expected.pass.present_columns;
  ++tally.passes_done;
  ++passes_done_;
  waiting_.pop_front();
  --counted_;
}

void Scoreboard::compare(const Expected& expected, int row, int column, std::uint32_t bits,
                         bool nonfinite, std::int64_t clock) {
  hash(bits);
  hash(nonfinite ? 1 : 0);
  const auto pe = static_cast<std::size_t>(row * config_.columns + column);
  Tally& tally = tallies_[expected.pass.tally];
  if (bits != expected.result.outputs[pe]) {
    const int digits = output_width(config_) / 4;
    mismatch(&tally, clock,
             fmt::format("{}, tile row {} column {}: expected 0x{:0{}x}, actual 0x{:0{}x}",
                         where(expected.pass), row, column, expected.result.outputs[pe], digits,
                         bits, digits));
  }
  if (nonfinite != expected.result.nonfinite[pe]) {
    mismatch(&tally, clock,
             fmt::format("{}, tile row {} column {}: expected nonfinite {}, actual {}",
                         where(expected.pass), row, column, bool{expected.result.nonfinite[pe]},
                         nonfinite));
  }
}

void Scoreboard::on_lane(const std::string& text, std::int64_t clock) {
  const Pass* pass = in_use();
  mismatch(pass == nullptr ? nullptr : &tallies_[pass->tally], clock,
           fmt::format("{}: {}", pass == nullptr ? "nothing was sent" : where(*pass), text));
}

const Pass* Scoreboard::in_use() const {
  return counted_ < waiting_.size() ? &waiting_[counted_].pass : nullptr;
}

int Scoreboard::advance(std::int64_t cycle) const {
  if (counted_ == waiting_.size()) return 0;
  const std::vector<int>& advances = waiting_[counted_].result.advances;
  return cycle < static_cast<std::int64_t>(advances.size())
             ? advances[static_cast<std::size_t>(cycle)]
             : 0;
}

void Scoreboard::on_counter(const char* name, std::uint64_t actual, std::uint64_t expected,
                            std::int64_t clock) {
  if (actual == expected) return;
  mismatch(nullptr, clock,
           fmt::format("counter {}: expected {}, actual {}", name, expected, actual));
}

void Scoreboard::on_assertion(std::int64_t clock) {
  mismatch(nullptr, clock, "an assertion of the Verilog failed");
}

void Scoreboard::on_hang(std::int64_t clock) {
  mismatch(nullptr, clock,
           waiting_.empty()
               ? "the tile does not come to rest"
               : fmt::format("{}: the tile stopped answering", where(waiting_.front().pass)));
}

void Scoreboard::flush() {
  waiting_.clear();
  counted_ = 0;
  total_cycles_ = 0;
  total_skipped_ = 0;
}

std::string Scoreboard::where(const Pass& pass) const {
  const Tally& tally = tallies_[pass.tally];
  return fmt::format("{} {} {} pass {}", tally.snapshot, tally.layer, tally.op, pass.number);
}

void Scoreboard::mismatch(Tally* tally, std::int64_t clock, const std::string& text) {
  ++mismatches_;
  if (tally != nullptr) ++tally->mismatches;
  if (!first_mismatch_.empty()) return;
  first_mismatch_ = fmt::format("clock {}: {}", clock, text);
  first_mismatch_clock_ = clock;
}

void Scoreboard::hash(std::uint32_t value) { hash_ = (hash_ ^ value) * 0x100000001b3u; }

}  // namespace td::replay
