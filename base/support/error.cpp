// SPDX-License-Identifier: Apache-2.0
// Texts from files that may say anything, made fit for a terminal.
#include "base/support/error.hpp"

#include <cstdint>

namespace td {

namespace {

bool is_continuation(char c) { return (static_cast<unsigned char>(c) & 0xc0) == 0x80; }

/// Bytes of the first character; 0 when it is broken UTF-8 or a control character. The text is not
/// empty.
std::size_t printable_bytes(std::string_view text) {
  const auto lead = static_cast<unsigned char>(text[0]);
  if (lead < 0x80) return lead >= 0x20 && lead != 0x7f ? 1 : 0;
  const std::size_t bytes = lead < 0xc2   ? 0
                            : lead < 0xe0 ? 2
                            : lead < 0xf0 ? 3
                            : lead < 0xf5 ? 4
                                          : 0;
  if (bytes == 0 || bytes > text.size()) return 0;
  std::uint32_t character = lead & (0xffU >> (bytes + 1));
  for (const char c : text.substr(1, bytes - 1)) {
    if (!is_continuation(c)) return 0;
    character = character << 6U | (static_cast<unsigned char>(c) & 0x3fU);
  }
  constexpr std::uint32_t least[] = {0, 0, 0xa0, 0x800, 0x10000};  // below 0xa0: controls
  const bool surrogate = character >= 0xd800 && character < 0xe000;
  return character >= least[bytes] && character <= 0x10ffff && !surrogate ? bytes : 0;
}

}  // namespace

bool is_printable(std::string_view text) {
  while (!text.empty()) {
    const std::size_t bytes = printable_bytes(text);
    if (bytes == 0) return false;
    text.remove_prefix(bytes);
  }
  return true;
}

std::string one_line(std::string_view text) {
  constexpr std::size_t most = 160;
  std::string line;
  while (!text.empty()) {
    std::size_t bytes = printable_bytes(text);
    const std::string_view shown = bytes == 0 ? "?" : text.substr(0, bytes);
    if (line.size() + shown.size() > most) return line + "...";
    line += shown;
    if (bytes == 0) {
      ++bytes;
      while (bytes < text.size() && is_continuation(text[bytes])) ++bytes;
    }
    text.remove_prefix(bytes);
  }
  return line;
}

}  // namespace td
