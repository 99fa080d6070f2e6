// SPDX-License-Identifier: Apache-2.0
// A line on a terminal about how far a long run has come.
#pragma once

#include <fmt/format.h>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <string>

namespace td::sim {

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
    const double rate = static_cast<double>(done) / seconds;
    const double left = rate > 0 ? static_cast<double>(total_ - done) / rate : 0.0;
    fmt::print(stderr, "\r\033[K{}/{} {}, {:.0f}/s, {:.0f} s left", done, total_, unit_, rate,
               left);
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

}  // namespace td::sim
