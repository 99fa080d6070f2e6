// SPDX-License-Identifier: Apache-2.0
#include "base/support/text_file.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <fstream>

#include "base/support/error.hpp"

namespace td {

std::string read_text(const std::string& path, const std::string& legal, std::size_t most) {
  std::ifstream in(path, std::ios::binary);
  if (!in.is_open()) {
    throw UserError(
        fmt::format("{}: cannot be read: {}; legal: {}", path, std::strerror(errno), legal));
  }
  std::string text;
  while (in && text.size() <= most) {
    constexpr std::size_t piece = 1 << 16;
    const std::size_t size = text.size();
    text.resize(size + piece);
    in.read(text.data() + size, static_cast<std::streamsize>(piece));
    text.resize(size + static_cast<std::size_t>(in.gcount()));
  }
  if (text.empty()) throw UserError(path, "file", "(empty or unreadable)", legal);
  if (text.size() > most) {
    throw UserError(path, "size", "more", fmt::format("at most {} bytes", most));
  }
  return text;
}

}  // namespace td
