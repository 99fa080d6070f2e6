// SPDX-License-Identifier: Apache-2.0
#include "verify/replay/pass_clocks.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace td::verify {
namespace {

/// A name as RFC 4180 has it.
std::string quoted(const std::string& name) {
  if (name.find_first_of(",\"\r\n") == std::string::npos) return name;
  std::string text = "\"";
  for (const char c : name) text += c == '"' ? std::string("\"\"") : std::string(1, c);
  return text + '"';
}

std::string cell(std::int64_t clock) { return clock == 0 ? "" : fmt::format("{}", clock); }

}  // namespace

bool PassClocks::next(replay::Pass& pass) {
  if (!source_.next(pass)) return false;
  entries_.push_back({pass.tally, pass.number, pass.data.rows(), {}});
  return true;
}

void PassClocks::on_rows(replay::Side side, int rows, std::int64_t clock) {
  Cursor& cursor = sides_[static_cast<std::size_t>(side)];
  for (; rows > 0; --rows) {
    Entry& entry = entries_.at(cursor.entry);
    if (entry.clock[first_row] == 0) entry.clock[first_row] = clock;
    if (++cursor.rows < entry.rows) continue;
    // The side that comes later counts.
    entry.clock[last_row] = clock;
    ++cursor.entry;
    cursor.rows = 0;
  }
}

void PassClocks::on_step(bool final, std::int64_t clock) {
  if (stepping_ == entries_.size()) return;  // the scoreboard complains
  Entry& entry = entries_[stepping_];
  if (entry.clock[first_step] == 0) entry.clock[first_step] = clock;
  if (!final) return;
  entry.clock[last_step] = clock;
  ++stepping_;
}

void PassClocks::on_output(std::int64_t clock) {
  if (leaving_ < entries_.size()) entries_[leaving_++].clock[output] = clock;
}

void PassClocks::on_reset() {
  sides_.fill({entries_.size(), 0});
  stepping_ = leaving_ = entries_.size();
}

std::string PassClocks::csv() const {
  const std::vector<replay::Tally> tallies = source_.tallies();
  std::string text =
      "snapshot,layer,op,pass,rows,first_row_clock,last_row_clock,first_step_clock,"
      "last_step_clock,output_clock,first_row_ns,output_ns\n";
  const auto time = [&](std::int64_t clock) {
    return clock == 0 ? "" : fmt::format("{}", static_cast<double>(clock - 1) * period_ns_);
  };
  for (const Entry& entry : entries_) {
    const replay::Tally& tally = tallies[entry.tally];
    text += fmt::format("{},{},{},{},{}", quoted(tally.snapshot), quoted(tally.layer), tally.op,
                        entry.number, entry.rows);
    for (const std::int64_t clock : entry.clock) text += ',' + cell(clock);
    text += fmt::format(",{},{}\n", time(entry.clock[first_row]), time(entry.clock[output]));
  }
  return text;
}

}  // namespace td::verify
