// SPDX-License-Identifier: Apache-2.0
// A wave file that is either whole or not there.
#pragma once

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <string>

#include "base/support/error.hpp"

namespace td::verify {

/// Written under a temporary name, renamed when it is complete. The writer of waves maps the file
/// into memory and does not look at errors: where the disk is full it is killed (SIGBUS, SIGXFSZ).
/// While such a file is open these signals end the program as a user's error does.
class WaveFile {
 public:
  explicit WaveFile(const std::string& path)
      : path_(path), temporary_(fmt::format("{}.{}.tmp", path, ::getpid())) {
    const int probe = ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0666);
    if (probe < 0) refuse();
    ::close(probe);
    std::snprintf(unlinked_[0], sizeof unlinked_[0], "%s", temporary_.c_str());
    std::snprintf(unlinked_[1], sizeof unlinked_[1], "%s.hier", temporary_.c_str());
    for (int kind : {SIGBUS, SIGXFSZ}) ::signal(kind, on_full_disk);
  }
  WaveFile(const WaveFile&) = delete;
  WaveFile& operator=(const WaveFile&) = delete;
  ~WaveFile() {
    for (int kind : {SIGBUS, SIGXFSZ}) ::signal(kind, SIG_DFL);
    if (!temporary_.empty()) ::unlink(temporary_.c_str());
  }

  const std::string& temporary() const { return temporary_; }

  /// The file is closed. Throws UserError when it is not a complete wave.
  void keep() {
    // Its header is written last: the type of the block, 0, and the time of the last change.
    unsigned char header[25] = {1};
    std::FILE* file = std::fopen(temporary_.c_str(), "rb");
    const std::size_t bytes = file == nullptr ? 0 : std::fread(header, 1, sizeof header, file);
    if (file != nullptr) std::fclose(file);
    if (bytes != sizeof header || header[0] != 0) refuse();
    if (std::rename(temporary_.c_str(), path_.c_str()) != 0) refuse();
    temporary_.clear();
  }

  [[noreturn]] void refuse() const {
    throw UserError("command line", "--wave", path_, "a writable file with room on its disk");
  }

 private:
  /// Only what a signal handler may do.
  static void on_full_disk(int) {
    static const char message[] =
        "command line: --wave: no room; legal: a writable file with room on its disk\n";
    for (const char* path : unlinked_) ::unlink(path);
    if (::write(STDERR_FILENO, message, sizeof message - 1) < 0) ::_exit(kExitUserError);
    ::_exit(kExitUserError);
  }

  /// The file, and the writer's own beside it; for the handler, which cannot be told otherwise.
  static inline char unlinked_[2][4096] = {};

  std::string path_;
  std::string temporary_;
};

}  // namespace td::verify
