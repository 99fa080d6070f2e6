// SPDX-License-Identifier: Apache-2.0
// Mapping of a trace into memory, and the bounds of its header.
#include "sim/trace/trace_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "base/support/error.hpp"

namespace td::sim {

namespace {

constexpr std::uint64_t max_header_bytes = 100'000'000;
constexpr std::uint64_t length_bytes = 8;

/// Closes the descriptor when it goes; the mapping outlives it.
class Descriptor {
 public:
  // Not blocking: a pipe given by mistake must be refused, not waited for.
  explicit Descriptor(const std::string& path)
      : fd_(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {}
  ~Descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int get() const { return fd_; }

 private:
  int fd_;
};

[[noreturn]] void fail_system(const std::string& path) {
  throw UserError(fmt::format("{}: cannot be read: {}; legal: a readable trace (safetensors)", path,
                              std::strerror(errno)));
}

}  // namespace

TraceFile::TraceFile(const std::string& path) {
  map(path);
  try {
    split(path);
  } catch (...) {
    ::munmap(memory_, bytes_);
    throw;
  }
}

TraceFile::~TraceFile() {
  if (memory_ != nullptr) ::munmap(memory_, bytes_);
}

TraceFile::TraceFile(TraceFile&& other) noexcept
    : memory_(std::exchange(other.memory_, nullptr)),
      bytes_(other.bytes_),
      header_(other.header_),
      data_(other.data_),
      data_bytes_(other.data_bytes_) {}

TraceFile& TraceFile::operator=(TraceFile&& other) noexcept {
  std::swap(memory_, other.memory_);
  std::swap(bytes_, other.bytes_);
  std::swap(header_, other.header_);
  std::swap(data_, other.data_);
  std::swap(data_bytes_, other.data_bytes_);
  return *this;
}

void TraceFile::map(const std::string& path) {
  const Descriptor descriptor(path);
  struct stat status = {};
  if (descriptor.get() < 0 || ::fstat(descriptor.get(), &status) != 0) fail_system(path);
  if (!S_ISREG(status.st_mode)) throw UserError(path + ": is not a regular file");
  bytes_ = static_cast<std::uint64_t>(status.st_size);
  if (bytes_ < length_bytes) {
    throw UserError(path, "size", fmt::format("{} bytes", bytes_),
                    "at least the 8 bytes of the header length");
  }
  void* memory = ::mmap(nullptr, bytes_, PROT_READ, MAP_PRIVATE, descriptor.get(), 0);
  if (memory == MAP_FAILED) fail_system(path);
  memory_ = memory;
}

void TraceFile::split(const std::string& path) {
  const auto* start = static_cast<const unsigned char*>(memory_);
  std::uint64_t length = 0;
  for (std::uint64_t i = length_bytes; i-- > 0;) length = length << 8 | start[i];
  const std::uint64_t most = std::min(max_header_bytes, bytes_ - length_bytes);
  if (length > most) {
    throw UserError(path, "header length", fmt::format("{}", length),
                    fmt::format("0..{} bytes, as in a safetensors file", most));
  }
  header_ = std::string_view(reinterpret_cast<const char*>(start) + length_bytes, length);
  data_ = start + length_bytes + length;
  data_bytes_ = bytes_ - length_bytes - length;
}

}  // namespace td::sim
