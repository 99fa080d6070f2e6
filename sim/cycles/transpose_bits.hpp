// SPDX-License-Identifier: Apache-2.0
// Square matrices of bits turned over, of numbers or of many numbers at once.
#pragma once

namespace td::sim {

/// `v` has as many elements as a Mask has bits; an element is a Mask or a vector of them. Bit i of
/// element j changes places with bit j of element i.
template <class Mask, class Element>
inline void transpose_bits(Element* v) {
  constexpr int bits = 8 * static_cast<int>(sizeof(Mask));
  Mask half = static_cast<Mask>(~Mask{0});
  for (int distance = bits / 2; distance > 0; distance /= 2) {
    half = static_cast<Mask>(half ^ static_cast<Mask>(half << distance));
    const Element low(half);
    for (int j = 0; j < bits; ++j) {
      if ((j & distance) != 0) continue;
      const auto swap = static_cast<Element>(((v[j] >> distance) ^ v[j + distance]) & low);
      v[j] = static_cast<Element>(v[j] ^ (swap << distance));
      v[j + distance] = static_cast<Element>(v[j + distance] ^ swap);
    }
  }
}

}  // namespace td::sim
