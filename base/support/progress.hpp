// SPDX-License-Identifier: Apache-2.0
// A line on a terminal about how far a long run has come.
#pragma once

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

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

/// Done/total, rate and time left on stderr, five times a second; silent unless enabled, and while
/// another process shows how far it is on the same terminal.
class Progress {
 public:
  Progress(std::string unit, std::int64_t total, bool enabled)
      : unit_(std::move(unit)), total_(total), enabled_(enabled), begin_(Clock::now()) {}
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  ~Progress() {
    if (shown_) fmt::print(stderr, "\r\033[K");
    if (terminal_ >= 0) ::close(terminal_);
  }

  void show(std::int64_t done) {
    if (!enabled_) return;
    const Clock::time_point now = Clock::now();
    if (now - last_ < std::chrono::milliseconds(200)) return;
    last_ = now;
    if (!takes_line()) return;
    shown_ = true;
    const double seconds = std::chrono::duration<double>(now - begin_).count();
    fmt::print(stderr, "\r\033[K{}", progress_text(done, total_, unit_, seconds));
    std::fflush(stderr);
  }

 private:
  using Clock = std::chrono::steady_clock;

  /// Takes the terminal's line, to which its lock stands, unless another process has it. What
  /// cannot be opened (another user's terminal) is not shared either.
  bool takes_line() {
    if (terminal_ < 0) terminal_ = ::open("/proc/self/fd/2", O_WRONLY | O_NOCTTY | O_CLOEXEC);
    return terminal_ < 0 || ::flock(terminal_, LOCK_EX | LOCK_NB) == 0;
  }

  std::string unit_;
  std::int64_t total_;
  bool enabled_;
  Clock::time_point begin_;
  Clock::time_point last_{};
  bool shown_ = false;
  int terminal_ = -1;  ///< opened anew: a lock is of an open file, and stderr's is shared
};

}  // namespace td
