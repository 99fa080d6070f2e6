// SPDX-License-Identifier: Apache-2.0
#include "sim/operator/operands.hpp"

#include <algorithm>
#include <cmath>

#include "base/support/parallel.hpp"
#include "sim/arithmetic/arith.hpp"
#include "sim/cycles/operand_choice.hpp"

namespace td::sim {

namespace {

template <Format format>
void round_all(const float* values, std::int64_t count, float* out) {
  for (std::int64_t i = 0; i < count; ++i) out[i] = widen(format, narrow(format, values[i]));
}

/// The two operands of one operation where they lie.
class MemoryOperands : public OperandSource {
 public:
  MemoryOperands(const LayerInfo& layer, Op op, const float* first, const float* second)
      : layers_{layer}, op_(op), data_{first, second} {}

  const std::string& path() const override { return path_; }
  std::string identity() const override { return "0000000000000000"; }
  const std::vector<LayerInfo>& layers() const override { return layers_; }
  Dtype dtype(const LayerInfo&, Operand) const override { return Dtype::f32; }
  const unsigned char* slab(const LayerInfo& layer, Operand operand, std::int64_t index,
                            SlabBuffer&) const override {
    const Shape& shape = layer.shape(operand);
    const float* data = data_[operand == sim::operand(op_, Which::first) ? 0 : 1];
    return reinterpret_cast<const unsigned char*>(data + index * (count(shape) / shape[0]));
  }

 private:
  std::string path_ = "memory";
  std::vector<LayerInfo> layers_;
  Op op_;
  const float* data_[2];
};

}  // namespace

void round_to(Format format, const float* values, std::int64_t count, float* out) {
  if (format == Format::fp32) {
    round_all<Format::fp32>(values, count, out);
  } else if (format == Format::bf16) {
    round_all<Format::bf16>(values, count, out);
  } else {
    round_all<Format::fp16>(values, count, out);
  }
}

std::vector<float> rounded(const float* values, std::int64_t count, Format format) {
  std::vector<float> out(static_cast<std::size_t>(count));
  parallel_pieces(count, [&](std::int64_t begin, std::int64_t end) {
    round_to(format, values + begin, end - begin, out.data() + begin);
  });
  return out;
}

Scaled quantised(const float* values, std::int64_t count, Fp8 kind) {
  std::uint32_t largest = 0;  // as bits, which are ordered as the magnitudes are
  for (std::int64_t i = 0; i < count; ++i) {
    const std::uint32_t magnitude = detail::bits_of(values[i]) & 0x7fffffff;
    if (magnitude < 0x7f800000) largest = std::max(largest, magnitude);
  }
  Scaled result{std::vector<float>(static_cast<std::size_t>(count)),
                fp8_scale(kind, detail::float_of(largest))};
  const Quantiser quantise(kind, result.scale);
  parallel_pieces(count, [&](std::int64_t begin, std::int64_t end) {
    std::transform(values + begin, values + end, result.values.data() + begin, quantise);
  });
  return result;
}

bool has_nonfinite(const std::vector<float>& values) {
  bool found = false;
  for (const float value : values) found |= !(std::fabs(value) <= 0x1.fffffep127F);
  return found;
}

Which scheduled_operand(const LayerInfo& layer, Op op, Format format, const float* first,
                        const float* second) {
  const MemoryOperands operands(layer, op, first, second);
  return zero_shares(layer, op, count_zeros(operands, layer, op, format)).scheduled();
}

}  // namespace td::sim
