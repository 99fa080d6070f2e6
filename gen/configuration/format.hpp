// SPDX-License-Identifier: Apache-2.0
// The operand formats that a configuration can choose, and the widths of their fields.
#pragma once

namespace td {

/// Floating point format of an operand; products and sums are binary32 in all of them.
enum class Format { fp32, bf16, fp16 };

/// Bits of the exponent field.
constexpr int exponent_bits(Format format) { return format == Format::fp16 ? 5 : 8; }

/// Bits of the fraction field, without the hidden one.
constexpr int fraction_bits(Format format) {
  return format == Format::fp32 ? 23 : format == Format::bf16 ? 7 : 10;
}

/// Bits of an operand: sign, exponent and fraction.
constexpr int width(Format format) { return 1 + exponent_bits(format) + fraction_bits(format); }

/// The name that configurations and reports use.
constexpr const char* to_string(Format format) {
  return format == Format::fp32 ? "fp32" : format == Format::bf16 ? "bf16" : "fp16";
}

}  // namespace td
