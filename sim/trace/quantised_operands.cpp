// SPDX-License-Identifier: Apache-2.0
#include "sim/trace/quantised_operands.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <mutex>

#include "base/support/parallel.hpp"
#include "sim/arithmetic/arith.hpp"

namespace td::sim {
namespace {

/// Calls `visit(value)` for numbers begin…end-1 of a tensor.
template <class Visit>
void each_value(const TensorView& tensor, std::int64_t begin, std::int64_t end, Visit visit) {
  for (std::int64_t i = begin; i < end; ++i) {
    visit(widen(Format::fp32, tensor.bits(Format::fp32, i)));
  }
}

/// 0 where there is no finite number but zero.
float largest_magnitude(const TensorView& tensor) {
  float largest = 0.0F;
  std::mutex mutex;
  parallel_pieces(tensor.count, [&](std::int64_t begin, std::int64_t end) {
    float here = 0.0F;
    each_value(tensor, begin, end, [&](float value) {
      if (std::isfinite(value)) here = std::max(here, std::fabs(value));
    });
    const std::lock_guard<std::mutex> lock(mutex);
    largest = std::max(largest, here);
  });
  return largest;
}

}  // namespace

QuantisedOperands::QuantisedOperands(const Trace& trace) : TraceOperands(trace) {
  for (const LayerInfo& layer : layers()) {
    for (const Operand operand : {Operand::A, Operand::W, Operand::GO}) {
      scales_[{sim::path(layer), operand}] =
          fp8_scale(fp8_kind(operand), largest_magnitude(trace.tensor(layer, operand)));
    }
  }
}

const unsigned char* QuantisedOperands::slab(const LayerInfo& layer, Operand operand,
                                             std::int64_t index, SlabBuffer& buffer) const {
  const TensorView& tensor = trace().tensor(layer, operand);
  const Quantiser quantise(fp8_kind(operand), scales_.at({sim::path(layer), operand}));
  const std::int64_t elements = tensor.count / tensor.shape.front();
  unsigned char* to = buffer.bytes(static_cast<std::size_t>(elements * bytes(Dtype::bf16)));
  unsigned char* next = to;
  each_value(tensor, index * elements, (index + 1) * elements, [&](float value) {
    const std::uint16_t bits = to_bf16(quantise(value));
    std::memcpy(next, &bits, sizeof bits);
    next += sizeof bits;
  });
  return to;
}

Quantised QuantisedOperands::quantised(const LayerInfo& layer, Operand operand) const {
  const TensorView& tensor = trace().tensor(layer, operand);
  Quantised result;
  result.scale = scales_.at({sim::path(layer), operand});
  result.elements = tensor.count;
  const Quantiser scaled(fp8_kind(operand), result.scale);
  const Quantiser unscaled(fp8_kind(operand), 0);
  each_value(tensor, 0, tensor.count, [&](float value) {
    if (value == 0.0F) {
      ++result.zeros;
    } else if (!std::isfinite(value)) {
      ++result.special;
    } else {
      if (scaled(value) == 0.0F) ++result.underflows;
      if (unscaled(value) == 0.0F) ++result.underflows_unscaled;
    }
  });
  return result;
}

std::unique_ptr<OperandSource> operands_of(const Trace& trace, Format format) {
  if (format == Format::fp8) return std::make_unique<QuantisedOperands>(trace);
  return std::make_unique<TraceOperands>(trace);
}

}  // namespace td::sim
