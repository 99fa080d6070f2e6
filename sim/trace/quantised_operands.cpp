// SPDX-License-Identifier: Apache-2.0
#include "sim/trace/quantised_operands.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <mutex>
#include <vector>

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

/// The power of two of a block, by its largest magnitude, as the specification forms it: larger
/// than that of a tensor, so that a number above the largest may be cut off.
int block_scale(Fp8 kind, float magnitude) {
  constexpr int kMost = 127;  // of the eight bits that hold it
  return std::clamp(std::ilogb(largest(kind)) - std::ilogb(magnitude), -kMost, kMost);
}

/// Numbers that become zero if each block has a scale of its own.
std::int64_t underflows_of_blocks(const TensorView& tensor, Fp8 kind) {
  const std::int64_t channels = tensor.shape.size() > 1 ? tensor.shape[1] : 1;
  const std::int64_t apart = tensor.count / tensor.shape.front() / channels;  // two of a block
  std::int64_t underflows = 0;
  const auto block = [&](std::int64_t first, std::int64_t numbers) {
    std::vector<float> values;
    float most = 0.0F;
    for (std::int64_t i = 0; i < numbers; ++i) {
      each_value(tensor, first + i * apart, first + i * apart + 1, [&](float value) {
        if (value == 0.0F || !std::isfinite(value)) return;
        values.push_back(value);
        most = std::max(most, std::fabs(value));
      });
    }
    if (values.empty()) return;
    const Quantiser quantise(kind, block_scale(kind, most));
    underflows += std::count_if(values.begin(), values.end(),
                                [&](float value) { return quantise(value) == 0.0F; });
  };
  for (std::int64_t slab = 0; slab < tensor.shape.front(); ++slab) {
    for (std::int64_t at = 0; at < apart; ++at) {
      for (std::int64_t channel = 0; channel < channels; channel += kBlock) {
        block((slab * channels + channel) * apart + at, std::min(kBlock, channels - channel));
      }
    }
  }
  return underflows;
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
  result.underflows_blocks = underflows_of_blocks(tensor, fp8_kind(operand));
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
