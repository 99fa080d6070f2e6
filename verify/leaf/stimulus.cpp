// SPDX-License-Identifier: Apache-2.0
// Operands that hurt: corner cases crossed with each other, biased and uniform random pairs.
#include "verify/leaf/stimulus.hpp"

#include <algorithm>
#include <utility>

namespace td::leaf {

std::vector<std::uint32_t> corners(Layout layout) {
  const std::uint32_t ones = layout.fraction_mask();
  const std::uint32_t top = 1U << (layout.fraction - 1);
  const std::uint32_t special = layout.exponent_mask();
  const std::uint32_t bias = special >> 1;
  const auto places = static_cast<std::uint32_t>(layout.fraction);
  std::vector<std::uint32_t> exponents = {0,          1,           2,           bias - 1,    bias,
                                          bias + 1,   special - 2, special - 1, special,     places,
                                          places + 1, places + 2,  bias / 2,    bias / 2 + 1};
  for (const std::uint32_t distance : {places, places + 1, places + 2, places + 3}) {
    if (distance < bias) exponents.insert(exponents.end(), {bias - distance, bias + distance});
  }
  std::sort(exponents.begin(), exponents.end());
  exponents.erase(std::unique(exponents.begin(), exponents.end()), exponents.end());
  std::vector<std::uint32_t> values;
  for (const std::uint32_t exponent : exponents) {
    for (const std::uint32_t fraction : {0U, 1U, 2U, 3U, top - 1, top, top + 1, ones - 1, ones}) {
      const std::uint32_t value = (exponent << layout.fraction) | fraction;
      values.insert(values.end(), {value, value | (1U << (layout.width() - 1))});
    }
  }
  return values;
}

Stimulus::Stimulus(Layout layout, std::uint64_t seed)
    : layout_(layout),
      max_exponent_(static_cast<int>(layout.exponent_mask()) - 1),
      random_(seed),
      corners_(corners(layout)) {}

Operands Stimulus::next() {
  const std::size_t count = corners_.size();
  if (crossed_ < count * count) {
    const std::size_t index = crossed_++;
    return {corners_[index / count], corners_[index % count]};
  }
  if ((random_.bits() & 3) == 0) return {any(), any()};
  return biased();
}

Operands Stimulus::biased() {
  Operands pair{};
  switch (random_.below(8)) {
    case 0:
      pair = near_exponents();
      break;
    case 1:
      pair = cancelling();
      break;
    case 2:
      pair = tied_sum();
      break;
    case 3:
      pair = tied_product();
      break;
    case 4:
      pair = near_product_limits();
      break;
    case 5:
      pair = with_subnormal();
      break;
    case 6:
      pair = with_corner();
      break;
    default:
      return tied_conversion();
  }
  if ((random_.bits() & 1) != 0) std::swap(pair.a, pair.b);
  return pair;
}

/// A finite value of the exponent nearest to the wanted one, with a random sign.
std::uint32_t Stimulus::make(int exponent, std::uint32_t fraction) {
  const auto field = static_cast<std::uint32_t>(std::clamp(exponent, 0, max_exponent_));
  const std::uint32_t sign = (random_.bits() & 1) << (layout_.width() - 1);
  return sign | (field << layout_.fraction) | (fraction & layout_.fraction_mask());
}

/// A fraction whose last one is `places` below the hidden bit.
std::uint32_t Stimulus::short_fraction(int places) {
  if (places == 0) return 0;
  const int zeros = layout_.fraction - places;
  return ((random_.bits() | 1) << zeros) & layout_.fraction_mask();
}

Operands Stimulus::near_exponents() {
  const int exponent = random_.between(0, max_exponent_);
  const int reach = (random_.bits() & 1) != 0 ? 2 : layout_.fraction + 4;
  return {make(exponent, random_.bits()),
          make(exponent + random_.between(-reach, reach), random_.bits())};
}

/// Opposite values that differ in few low bits.
Operands Stimulus::cancelling() {
  const std::uint32_t a = make(random_.between(0, max_exponent_), random_.bits());
  const std::uint32_t difference = random_.bits() >> random_.between(8, 31);
  const std::uint32_t opposite = a ^ (1U << (layout_.width() - 1));
  return {a, (opposite + ((random_.bits() & 1) != 0 ? difference : -difference)) & layout_.mask()};
}

/// A sum halfway between two results, or next to it.
Operands Stimulus::tied_sum() {
  const int distance = random_.between(1, layout_.fraction + 2);
  const int exponent = random_.between(0, max_exponent_);
  const int kept = std::max(layout_.fraction - distance + 1, 0);
  const std::uint32_t nudge = random_.below(4) == 0 ? 1 : 0;
  return {make(exponent, random_.bits()),
          make(exponent - distance, short_fraction(std::min(kept, layout_.fraction)) | nudge)};
}

/// Significands whose product has just one bit too many, in the normal range or below it.
Operands Stimulus::tied_product() {
  const int longest = std::min(24, 2 * layout_.fraction);
  const int total = (random_.bits() & 1) != 0 ? longest : random_.between(0, longest);
  const int first =
      random_.between(std::max(0, total - layout_.fraction), std::min(layout_.fraction, total));
  Operands pair = near_product_limits();
  if ((random_.bits() & 1) != 0) pair = {any(), any()};
  const std::uint32_t keep = ~layout_.fraction_mask();
  return {(pair.a & keep) | short_fraction(first), (pair.b & keep) | short_fraction(total - first)};
}

/// Exponents whose product is close to overflow or underflow of binary32.
Operands Stimulus::near_product_limits() {
  const int bias = max_exponent_ / 2;
  const int limit = (random_.bits() & 1) != 0 ? random_.between(-152, -124)  // subnormal results
                                              : random_.between(125, 129);   // overflow
  const int exponent = random_.between(0, max_exponent_);
  return {make(exponent, random_.bits()), make(limit + 2 * bias - exponent, random_.bits())};
}

Operands Stimulus::with_subnormal() {
  const std::uint32_t fraction =
      layout_.fraction_mask() >> random_.between(0, layout_.fraction - 1);
  return {make(0, random_.bits() & fraction),
          make(random_.between(0, max_exponent_), random_.bits())};
}

Operands Stimulus::with_corner() {
  return {corners_[random_.below(static_cast<std::uint32_t>(corners_.size()))], any()};
}

/// A binary32 value halfway between two bfloat16 values, or next to it.
Operands Stimulus::tied_conversion() {
  const std::uint32_t low = 0x7fff + random_.below(3);
  return {((any() & ~0xffffU) | low) & layout_.mask(), any()};
}

}  // namespace td::leaf
