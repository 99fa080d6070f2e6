// SPDX-License-Identifier: Apache-2.0
// The SystemC types that Verilator gives to ports, and their contents as 32-bit words.
#pragma once

#include <cstdint>
#include <systemc>
#include <type_traits>
#include <vector>

namespace td::verify {

/// Type of a port of `Bits` bits.
template <int Bits>
using Pin = std::conditional_t<
    Bits == 1, bool,
    std::conditional_t<Bits <= 32, std::uint32_t,
                       std::conditional_t<Bits <= 64, std::uint64_t, sc_dt::sc_bv<Bits>>>>;

/// Port value from words, low bits first.
template <int Bits>
void from_words(const std::vector<std::uint32_t>& words, Pin<Bits>& value) {
  if constexpr (Bits > 64) {
    for (std::size_t i = 0; i < words.size(); ++i) value.set_word(static_cast<int>(i), words[i]);
  } else if constexpr (Bits > 32) {
    value = (std::uint64_t{words[1]} << 32) | words[0];
  } else {
    value = static_cast<Pin<Bits>>(words[0]);
  }
}

/// Word `index` of a port value.
template <int Bits>
std::uint32_t word(const Pin<Bits>& value, int index) {
  if constexpr (Bits > 64) {
    return static_cast<std::uint32_t>(value.get_word(index));
  } else {
    return static_cast<std::uint32_t>(std::uint64_t{value} >> (32 * index));
  }
}

/// `width` (at most 32) bits of a port value from bit `low`; they do not cross a word.
template <int Bits>
std::uint32_t field(const Pin<Bits>& value, int low, int width) {
  return (word<Bits>(value, low / 32) >> (low % 32)) & (~0u >> (32 - width));
}

}  // namespace td::verify
