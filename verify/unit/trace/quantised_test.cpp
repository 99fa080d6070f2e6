// SPDX-License-Identifier: Apache-2.0
// Operands scaled and rounded to OFP8.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <random>

#include "sim/arithmetic/arith.hpp"
#include "sim/trace/quantised_operands.hpp"
#include "verify/unit/trace/trace_draft.hpp"

namespace {

using td::Format;
using td::sim::Fp8;
using td::sim::Operand;

/// A trace of normal numbers of very different sizes, some of them zero.
td::unit::Draft drawn() {
  td::unit::Draft draft = td::unit::good();
  std::mt19937 random(7);
  std::normal_distribution<float> normal;
  for (const auto& [name, entry] : draft.header.items()) {
    const auto begin = entry["data_offsets"][0].get<std::size_t>();
    const auto end = entry["data_offsets"][1].get<std::size_t>();
    const bool wide = entry["dtype"] == "F32";
    const int size = static_cast<int>(random() % 60) - 40;
    for (std::size_t at = begin; at + (wide ? 4 : 2) <= end; at += wide ? 4 : 2) {
      const int own = size - static_cast<int>(random() % 32);
      const float value = random() % 4 == 0 ? 0.0F : std::ldexp(normal(random), own);
      const std::uint32_t bits = td::sim::canonical_bits(value);
      std::memcpy(&draft.data[at], reinterpret_cast<const char*>(&bits) + (wide ? 0 : 2),
                  wide ? 4 : 2);
    }
  }
  return draft;
}

}  // namespace

TEST_CASE("quantised: gradients of outputs are of E5M2, the others of E4M3") {
  CHECK(td::sim::fp8_kind(Operand::A) == Fp8::e4m3);
  CHECK(td::sim::fp8_kind(Operand::W) == Fp8::e4m3);
  CHECK(td::sim::fp8_kind(Operand::GO) == Fp8::e5m2);
}

TEST_CASE("quantised: the largest power of two with which nothing overflows, then rounding") {
  const td::unit::Folder folder;
  const td::sim::Trace trace(td::unit::write(folder, drawn()));
  const td::sim::QuantisedOperands operands(trace);
  for (const td::sim::LayerInfo& layer : trace.layers()) {
    for (const Operand operand : {Operand::A, Operand::W, Operand::GO}) {
      const Fp8 kind = td::sim::fp8_kind(operand);
      const std::vector<std::uint32_t> bits = load_bits(trace.tensor(layer, operand), Format::fp32);
      const std::vector<std::uint32_t> codes = load_bits(operands, layer, operand, Format::fp8);
      const td::sim::Quantised counted = operands.quantised(layer, operand);
      REQUIRE(codes.size() == bits.size());
      double largest = 0.0;
      td::sim::Quantised expected;
      for (std::size_t i = 0; i < bits.size(); ++i) {
        const double value = td::sim::widen(Format::fp32, bits[i]);
        largest = std::max(largest, std::fabs(value));
        const double scaled = std::ldexp(value, counted.scale);
        REQUIRE(codes[i] ==
                td::sim::narrow_fp8(kind, td::sim::Overflow::special, static_cast<float>(scaled)));
        const bool becomes_zero = td::sim::is_zero(Format::fp8, codes[i]);
        ++(value == 0.0 ? expected.zeros : becomes_zero ? expected.underflows : expected.elements);
      }
      CHECK(std::ldexp(largest, counted.scale) <= td::sim::largest(kind));
      CHECK(std::ldexp(largest, counted.scale + 1) > td::sim::largest(kind));
      CHECK(counted.zeros == expected.zeros);
      CHECK(counted.underflows == expected.underflows);
      CHECK(counted.special == 0);
      CHECK(counted.elements == trace.tensor(layer, operand).count);
    }
  }
}

TEST_CASE(
    "quantised: with a scale for each 32 channels, what is at most half the smallest number is "
    "lost") {
  const td::unit::Folder folder;
  const td::sim::Trace trace(td::unit::write(folder, drawn()));
  const td::sim::QuantisedOperands operands(trace);
  std::int64_t lost = 0, kept = 0;
  for (const td::sim::LayerInfo& layer : trace.layers()) {
    for (const Operand operand : {Operand::A, Operand::W, Operand::GO}) {
      const Fp8 kind = td::sim::fp8_kind(operand);
      const td::sim::TensorView& tensor = trace.tensor(layer, operand);
      const std::vector<std::uint32_t> bits = load_bits(tensor, Format::fp32);
      const auto axis = [&](std::size_t n) { return static_cast<std::size_t>(tensor.shape[n]); };
      const std::size_t channels = tensor.shape.size() > 1 ? axis(1) : 1;
      const std::size_t apart = bits.size() / axis(0) / channels;
      const auto magnitude = [&](std::size_t i) {
        return std::fabs(static_cast<double>(td::sim::widen(Format::fp32, bits[i])));
      };
      std::int64_t expected = 0;
      for (std::size_t i = 0; i < bits.size(); ++i) {
        const std::size_t channel = i / apart % channels;
        const std::size_t first = channel / 32 * 32;
        double most = 0.0;
        for (std::size_t c = first; c < std::min(first + 32, channels); ++c) {
          most = std::max(most, magnitude(i + c * apart - channel * apart));
        }
        if (magnitude(i) == 0.0) continue;
        const int scale = (kind == Fp8::e4m3 ? 8 : 15) - std::ilogb(most);
        const bool becomes_zero = std::ldexp(magnitude(i), scale) <=
                                  std::ldexp(1.0, td::sim::smallest_exponent(kind) - 1);
        ++(becomes_zero ? expected : kept);
      }
      CHECK(operands.quantised(layer, operand).underflows_blocks == expected);
      lost += expected;
    }
  }
  CHECK(lost > 0);
  CHECK(kept > 0);
}

TEST_CASE("quantised: a trace as it is for other formats, and what is said of it") {
  const td::unit::Folder folder;
  const td::sim::Trace trace(td::unit::write(folder, drawn()));
  const td::sim::LayerInfo& layer = trace.layers()[0];
  const auto plain = td::sim::operands_of(trace, Format::bf16);
  CHECK(plain->dtype(layer, Operand::A) == trace.tensor(layer, Operand::A).dtype);
  const auto quantised = td::sim::operands_of(trace, Format::fp8);
  const char* type = to_string(trace.tensor(layer, Operand::A).dtype);
  CHECK(quantised->conversion_text(layer, Operand::A, Format::fp8) ==
        std::string(type) + " scaled and rounded to fp8");
  CHECK(trace.conversion_text(Format::fp8) ==
        "BF16 scaled and rounded to fp8; F32 scaled and rounded to fp8");
}
