// SPDX-License-Identifier: Apache-2.0
// A file for readers that take a path, without a disk.
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <string>

#include "verify/fuzz/target.hpp"

namespace td::verify {

/// A file that lives in memory alone has a path too.
class MemoryFile {
 public:
  MemoryFile(const std::uint8_t* data, std::size_t size) : fd_(::memfd_create(kInputName, 0)) {
    must(fd_ >= 0, "there is room for a file in memory");
    const ssize_t written = ::write(fd_, data, size);
    must(written == static_cast<ssize_t>(size), "a file in memory takes all bytes");
  }
  ~MemoryFile() { ::close(fd_); }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;
  std::string path() const { return "/proc/self/fd/" + std::to_string(fd_); }

 private:
  int fd_;
};

}  // namespace td::verify
