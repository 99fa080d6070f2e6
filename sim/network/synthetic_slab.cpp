// SPDX-License-Identifier: Apache-2.0
#include "sim/network/synthetic_slab.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <numeric>

#include "sim/network/draws.hpp"

namespace td::sim {

namespace {

constexpr std::uint16_t one = 0x3f80;  ///< 1 in bf16
constexpr std::size_t element_bytes = 2;
constexpr double unit32 = 4294967296.0;

/// A probability below 1 as the bound of a 32-bit number.
std::uint32_t bound32(double probability) {
  return static_cast<std::uint32_t>(std::min(std::round(probability * unit32), unit32 - 1));
}

void fill(std::uint16_t element, std::size_t elements, unsigned char* bytes) {
  for (std::size_t i = 0; i < elements; ++i) {
    std::memcpy(bytes + i * element_bytes, &element, element_bytes);
  }
}

/// Every element is zero when its 16 bits are below `bound` (1..65535).
void draw_block(Draws& draws, std::uint16_t bound, unsigned char* bytes, std::size_t elements) {
  std::uint32_t numbers[Draws::kBlock];
  std::uint16_t halves[2 * Draws::kBlock];
  draws.block(numbers);
  std::memcpy(halves, numbers, sizeof halves);
  for (std::uint16_t& half : halves) half = half < bound ? 0 : one;
  std::memcpy(bytes, halves, elements * element_bytes);
}

void draw_random(double zeros, std::uint64_t key, std::size_t elements, unsigned char* bytes) {
  // 16 bits are too coarse a bound for the share. It is rounded up or down at random, slab by slab,
  // so that the expected share is exact.
  const double dither = static_cast<double>(mix_bits(~key) >> 32) / unit32;
  const auto bound = static_cast<std::uint32_t>(zeros * 65536 + dither);
  if (bound == 0 || bound == 65536) return fill(bound == 0 ? one : 0, elements, bytes);
  Draws draws(key);
  constexpr std::size_t block = 2 * Draws::kBlock;
  for (; elements > block; elements -= block, bytes += block * element_bytes) {
    draw_block(draws, static_cast<std::uint16_t>(bound), bytes, block);
  }
  draw_block(draws, static_cast<std::uint16_t>(bound), bytes, elements);
}

/// One line of a channel: the first element is drawn, and each other one with the probability
/// `fresh`; the rest repeat their neighbour. Both bounds in units of 2^-32.
void draw_line(Draws& draws, std::uint32_t zero_below, std::uint32_t fresh_below, std::size_t width,
               unsigned char* bytes) {
  // Below this a number says both that the element is drawn and that it is zero.
  const auto fresh_zero_below =
      static_cast<std::uint32_t>((std::uint64_t{zero_below} * fresh_below) >> 32);
  std::uint32_t element = draws.next() < zero_below ? 0 : one;
  for (std::size_t x = 0;;) {
    const auto stored = static_cast<std::uint16_t>(element);
    std::memcpy(bytes + x * element_bytes, &stored, element_bytes);
    if (++x == width) return;
    // Masks, since a branch here would be taken at random.
    const std::uint32_t number = draws.next();
    const std::uint32_t repeats = 0 - std::uint32_t{number >= fresh_below};
    const std::uint32_t drawn = one & (0 - std::uint32_t{number >= fresh_zero_below});
    element = (element & repeats) | (drawn & ~repeats);
  }
}

/// One channel: each line after the first repeats the one above, or is drawn with the probability
/// `fresh`.
void draw_channel(Draws& draws, std::uint32_t zero_below, std::uint32_t fresh_below,
                  std::size_t height, std::size_t width, unsigned char* bytes) {
  const std::size_t line_bytes = width * element_bytes;
  for (std::size_t y = 0; y < height; ++y, bytes += line_bytes) {
    if (y > 0 && draws.next() >= fresh_below) {
      std::memcpy(bytes, bytes - line_bytes, line_bytes);
    } else {
      draw_line(draws, zero_below, fresh_below, width, bytes);
    }
  }
}

/// Channels of one element each, as draw_channel() draws them.
void draw_elements(Draws& draws, const std::vector<std::uint32_t>& zero_below,
                   unsigned char* bytes) {
  std::uint32_t numbers[Draws::kBlock];
  std::uint16_t elements[Draws::kBlock];
  for (std::size_t begin = 0; begin < zero_below.size(); begin += Draws::kBlock) {
    const std::size_t some = std::min(zero_below.size() - begin, Draws::kBlock);
    draws.block(numbers);
    for (std::size_t i = 0; i < some; ++i) {
      elements[i] = numbers[i] < zero_below[begin + i] ? 0 : one;
    }
    std::memcpy(bytes + begin * element_bytes, elements, some * element_bytes);
  }
}

/// The channels' shares, as bounds of 32-bit numbers: quantiles of the law's distribution, evenly
/// spread over the channels and in random order.
std::vector<std::uint32_t> draw_shares(const ZeroLaw& law, std::size_t channels,
                                       std::uint64_t key) {
  Draws draws(key);
  std::vector<std::uint32_t> order(channels);
  std::iota(order.begin(), order.end(), 0u);
  for (std::size_t i = channels; i > 1; --i) {
    std::swap(order[i - 1], order[(draws.next() * std::uint64_t{i}) >> 32]);
  }
  std::vector<std::uint32_t> bounds;
  for (const std::uint32_t stratum : order) {
    const double within = (draws.next() + 0.5) / unit32;
    const double quantile = (stratum + within) / static_cast<double>(channels);
    const double spread_share = 1 - std::pow(quantile, law.zeros / (1 - law.zeros));
    bounds.push_back(bound32((1 - law.spread) * law.zeros + law.spread * spread_share));
  }
  return bounds;
}

}  // namespace

SlabGenerator::SlabGenerator(const ZeroLaw& law, const Shape& shape, std::uint64_t key)
    : law_(law), key_(key), channels_(shape[1]) {
  if (shape.size() == 4) {
    height_ = shape[2];
    width_ = shape[3];
  }
  if (!law.is_random() && law.zeros > 0 && law.zeros < 1) {
    zero_below_ = draw_shares(law, static_cast<std::size_t>(channels_), mix_bits(key));
  }
}

void SlabGenerator::generate(std::int64_t index, unsigned char* bytes) const {
  const std::uint64_t key = mix_bits(key_ + 1 + static_cast<std::uint64_t>(index));
  if (zero_below_.empty()) {
    return draw_random(law_.zeros, key, static_cast<std::size_t>(elements()), bytes);
  }
  const auto height = static_cast<std::size_t>(height_);
  const auto width = static_cast<std::size_t>(width_);
  const std::uint32_t fresh_below = bound32(1 / law_.run);
  Draws draws(key);
  if (height * width == 1) return draw_elements(draws, zero_below_, bytes);
  for (const std::uint32_t zero_below : zero_below_) {
    draw_channel(draws, zero_below, fresh_below, height, width, bytes);
    bytes += height * width * element_bytes;
  }
}

}  // namespace td::sim
