// SPDX-License-Identifier: Apache-2.0
// The hash that identifies configurations and traces: 64-bit FNV-1a.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <string_view>

namespace td {

/// Of no text; also where a hash of several texts starts.
inline constexpr std::uint64_t kEmptyHash = 0xcbf29ce484222325U;

/// 64-bit FNV-1a of what `hash` stands for, followed by `text`.
constexpr std::uint64_t fnv1a(std::string_view text, std::uint64_t hash = kEmptyHash) {
  for (char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
  return hash;
}

/// 16 hexadecimal digits.
inline std::string hash_text(std::uint64_t hash) { return fmt::format("{:016x}", hash); }

}  // namespace td
