// SPDX-License-Identifier: Apache-2.0
// The number formats, as one table of their traits.
#pragma once

#include <cstddef>

namespace td {

/// Floating point format of operands and results; products and sums are binary32 in all of them.
/// Operands of fp8 come in one of OFP8's two formats; what is said here is of the one that a tile
/// turns them into, which holds both exactly. The order is that of kFormats.
enum class Format { fp32, bf16, fp8, fp16 };

/// A format has a sign, an exponent and a fraction without the hidden bit.
struct FormatTraits {
  const char* name;  ///< in configurations, manifests and reports
  int exponent_bits;
  int fraction_bits;
  int stored_bits;  ///< of an operand outside of a tile

  constexpr int bits() const { return 1 + exponent_bits + fraction_bits; }
};

/// Every format: what else knows one by name or width reads it here, or from a manifest or the
/// schema, which are written from here.
inline constexpr FormatTraits kFormats[] = {
    {"fp32", 8, 23, 32}, {"bf16", 8, 7, 16}, {"fp8", 5, 3, 8}, {"fp16", 5, 10, 16}};
inline constexpr std::size_t kFormatCount = sizeof(kFormats) / sizeof(kFormats[0]);

/// Results are of one of the first formats: they have the exponent of the sums, or a power of two
/// that comes with them.
inline constexpr std::size_t kOutputFormatCount = 3;

constexpr const FormatTraits& traits(Format format) {
  return kFormats[static_cast<std::size_t>(format)];
}

constexpr int exponent_bits(Format format) { return traits(format).exponent_bits; }

/// Without the hidden bit.
constexpr int fraction_bits(Format format) { return traits(format).fraction_bits; }

/// Bits of an operand in a tile: sign, exponent and fraction.
constexpr int width(Format format) { return traits(format).bits(); }

/// Bits of an operand at a tile's ports and in memory.
constexpr int stored_width(Format format) { return traits(format).stored_bits; }

/// The name that configurations and reports use.
constexpr const char* to_string(Format format) { return traits(format).name; }

}  // namespace td
