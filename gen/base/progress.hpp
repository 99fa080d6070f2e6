// SPDX-License-Identifier: Apache-2.0
// A line on a terminal about how far a long run has come.
#pragma once

#include <fmt/format.h>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <string>

namespace td {

/// What the line says after `seconds`; `-` for the time left while nothing has been done.
inline std::string progress_text(std::int64_t done, std::int64_t total, const std::string& unit,
                                 double seconds) {
  const double rate = done > 0 && seconds > 0 ? static_cast<double>(done) / seconds : 0;
  const std::string left =
      rate > 0 ? fmt::format("{:.0f} s", static_cast<double>(total - done) / rate) : "-";
  return fmt::format("{}/{} {}, {:.0f}/s, {} left", done, total, unit, rate, left);
}

/// Done/total, rate and time left on stderr, five times a second; silent unless enabled.
class Progress {
 public:
  Progress(std::string unit, std::int64_t total, bool enabled)
      : unit_(std::move(unit)), total_(total), enabled_(enabled), begin_(Clock::now()) {}
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  ~Progress() {
    if (shown_) fmt::print(stderr, "\r\033[K");
  }

  void show(std::int64_t done) {
    if (!enabled_) return;
    const Clock::time_point now = Clock::now();
    if (now - last_ < std::chrono::milliseconds(200)) return;
    last_ = now;
    shown_ = true;
    const double seconds = std::chrono::duration<double>(now - begin_).count();
    fmt::print(stderr, "\r\033[K{}", progress_text(done, total_, unit_, seconds));
    std::fflush(stderr);
  }

 private:
  using Clock = std::chrono::steady_clock;
  std::string unit_;
  std::int64_t total_;
  bool enabled_;
  Clock::time_point begin_;
  Clock::time_point last_{};
  bool shown_ = false;
};

}  // namespace td
