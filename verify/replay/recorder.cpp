// SPDX-License-Identifier: Apache-2.0
#include "verify/replay/recorder.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <utility>

#include "base/support/error.hpp"

namespace td::verify {

Recorder::Recorder(std::string path)
    : path_(std::move(path)), temporary_(fmt::format("{}.{}.tmp", path_, ::getpid())) {
  std::FILE* file = std::fopen(temporary_.c_str(), "wb");
  if (file == nullptr) refuse();
  std::fclose(file);
}

Recorder::~Recorder() { ::unlink(temporary_.c_str()); }

void Recorder::refuse() const {
  throw UserError("command line", "--record", path_, "a writable file with room on its disk");
}

void Recorder::field(const std::vector<std::uint32_t>& words, int bits) {
  fields_ += '_';
  for (int digit = (bits + 3) / 4 - 1; digit >= 0; --digit) {
    const std::uint32_t word = words[static_cast<std::size_t>(digit / 8)];
    fields_ += "0123456789abcdef"[word >> (digit % 8 * 4) & 15];
  }
}

void Recorder::field(std::uint64_t value, int bits) {
  field({static_cast<std::uint32_t>(value), static_cast<std::uint32_t>(value >> 32)}, bits);
}

void Recorder::clock() {
  lines_ += fmt::format("{:02x}_{:02x}{}\n", falls_, rises_, fields_);
  fields_.clear();
  falls_ = rises_ = 0;
}

void Recorder::keep() {
  std::FILE* file = std::fopen(temporary_.c_str(), "wb");
  if (file == nullptr) refuse();
  const bool written = std::fwrite(lines_.data(), 1, lines_.size(), file) == lines_.size();
  if (std::fclose(file) != 0 || !written) refuse();
  if (std::rename(temporary_.c_str(), path_.c_str()) != 0) refuse();
}

}  // namespace td::verify
