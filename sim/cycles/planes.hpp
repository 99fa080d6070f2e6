// SPDX-License-Identifier: Apache-2.0
// Registers with a bit for every group, for the instruction set that the including file is compiled
// for.
#pragma once

#include <cstdint>
#include <xsimd/xsimd.hpp>

#include "sim/cycles/transpose_bits.hpp"

namespace td::sim {

/// A struct template only so that every instruction set has functions of its own.
template <class Arch>
struct Planes {
  using Plane = xsimd::batch<std::uint64_t, Arch>;
  static constexpr int kWords = static_cast<int>(Plane::size);
  static constexpr int kWidth = 64 * kWords;

  static Plane zeros() { return Plane(std::uint64_t{0}); }
  static Plane ones() { return Plane(~std::uint64_t{0}); }
  static Plane load(const std::uint64_t* words) { return Plane::load_aligned(words); }
  static void store(std::uint64_t* words, Plane plane) { plane.store_aligned(words); }
  static Plane without(Plane x, Plane y) { return x & ~y; }

  static std::int64_t count(Plane plane) {
    alignas(64) std::uint64_t words[Plane::size];
    store(words, plane);
    int bits = 0;
    for (int i = 0; i < kWords; ++i) bits += __builtin_popcountll(words[i]);
    return bits;
  }
};

/// Between a mask for every group and a plane for every bit of the masks.
template <class Arch, class Mask>
struct Transposed : Planes<Arch> {
  using typename Planes<Arch>::Plane;
  using Masks = xsimd::batch<Mask, Arch>;
  static constexpr int kBits = 8 * static_cast<int>(sizeof(Mask));
  static constexpr int kMaskCount = static_cast<int>(Masks::size);

  /// `planes` [lanes] from one mask for each group.
  static void to_planes(const Mask* masks, int lanes, std::uint64_t* planes, Plane present) {
    Masks v[8 * sizeof(Mask)];
    for (int j = 0; j < kBits; ++j) v[j] = Masks::load_aligned(masks + j * kMaskCount);
    transpose_bits<Mask>(v);
    for (int lane = 0; lane < lanes; ++lane) {
      Planes<Arch>::store(planes + lane * Planes<Arch>::kWords,
                          xsimd::bitwise_cast<Plane>(v[lane]) & present);
    }
  }

  /// `values` [width]: of each group the number whose bit i is in planes[i], `bits` in all.
  static void to_numbers(const Plane* planes, int bits, std::uint32_t* values) {
    for (int g = 0; g < Planes<Arch>::kWidth; ++g) values[g] = 0;
    for (int begin = 0; begin < bits; begin += kBits) {
      Masks v[8 * sizeof(Mask)];
      for (int i = 0; i < kBits; ++i) {
        v[i] = xsimd::bitwise_cast<Masks>(begin + i < bits ? planes[begin + i]
                                                           : Planes<Arch>::zeros());
      }
      transpose_bits<Mask>(v);
      alignas(64) Mask parts[Masks::size];
      for (int j = 0; j < kBits; ++j) {
        v[j].store_aligned(parts);
        for (int e = 0; e < kMaskCount; ++e) {
          values[j * kMaskCount + e] |= static_cast<std::uint32_t>(parts[e]) << begin;
        }
      }
    }
  }
};

}  // namespace td::sim
