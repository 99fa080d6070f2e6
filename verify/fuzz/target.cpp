// SPDX-License-Identifier: Apache-2.0
// Checks of the texts that an input can bring onto a terminal.
#include "verify/fuzz/target.hpp"

namespace td::verify {

namespace {

/// A decoded character, and how many bytes it took; 0 where the text is no UTF-8.
struct Decoded {
  std::uint32_t character = 0;
  std::size_t bytes = 0;
};

/// The first character of a text that is not empty. Written apart from what the readers use.
Decoded decode(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  if (byte(0) < 0x80) return {byte(0), 1};
  const std::size_t bytes = byte(0) >= 0xf0 ? 4 : byte(0) >= 0xe0 ? 3 : 2;
  if (byte(0) < 0xc0 || byte(0) > 0xf7 || bytes > text.size()) return {};
  std::uint32_t character = byte(0) & (0x7fU >> bytes);
  for (std::size_t i = 1; i < bytes; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return {};
    character = character << 6 | (byte(i) & 0x3fU);
  }
  constexpr std::uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
  const bool surrogate = character >= 0xd800 && character < 0xe000;
  if (character < least[bytes] || character > 0x10ffff || surrogate) return {};
  return {character, bytes};
}

}  // namespace

void check_printable(std::string_view text, const std::string& what) {
  while (!text.empty()) {
    const Decoded next = decode(text);
    must(next.bytes > 0, what + " is UTF-8");
    const bool control = next.character < 0x20 || (next.character >= 0x7f && next.character < 0xa0);
    must(!control, what + " has no control character");
    text.remove_prefix(next.bytes);
  }
}

void check_message(std::string_view message) {
  constexpr std::size_t most = 1000;
  must(message.size() <= most, "a refusal is short; it has " + std::to_string(message.size()) +
                                   " bytes: " + std::string(message.substr(0, most)));
  check_printable(message, "the refusal \"" + std::string(message) + "\"");
}

}  // namespace td::verify
