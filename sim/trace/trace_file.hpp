// SPDX-License-Identifier: Apache-2.0
// A file mapped read-only into memory, and split into the header and data of a safetensors file.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace td::sim {

/// Owns the mapping. Shortening the file meanwhile kills the program (SIGBUS), as with any mapping.
class TraceFile {
 public:
  /// Throws UserError when it cannot be read, or when its header is longer than the file or 100 MB.
  explicit TraceFile(const std::string& path);
  ~TraceFile();
  TraceFile(TraceFile&& other) noexcept;
  TraceFile& operator=(TraceFile&& other) noexcept;
  TraceFile(const TraceFile&) = delete;
  TraceFile& operator=(const TraceFile&) = delete;

  /// Of the whole file.
  std::uint64_t bytes() const { return bytes_; }

  /// The JSON text.
  std::string_view header() const { return header_; }

  /// Where the tensors' offsets count from.
  const unsigned char* data() const { return data_; }

  /// Bytes from data() to the end of the file.
  std::uint64_t data_bytes() const { return data_bytes_; }

 private:
  void map(const std::string& path);
  void split(const std::string& path);

  void* memory_ = nullptr;
  std::uint64_t bytes_ = 0;
  std::string_view header_;
  const unsigned char* data_ = nullptr;
  std::uint64_t data_bytes_ = 0;
};

}  // namespace td::sim
