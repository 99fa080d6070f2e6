// SPDX-License-Identifier: Apache-2.0
#include "sim/system/scan/jacobian.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string>

#include "base/support/error.hpp"

namespace td::job {
namespace {

constexpr std::int64_t kMostFeatures = 2048;  ///< a product of two Jacobians is of their cube

double number_of(sim::Dtype dtype, const unsigned char* data, std::size_t index) {
  std::uint32_t bits = 0;
  const auto size = static_cast<std::size_t>(sim::bytes(dtype));
  // Of BF16 the upper half of an F32.
  std::memcpy(reinterpret_cast<unsigned char*>(&bits) + 4 - size, data + index * size, size);
  float value = 0;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

Matrix read_matrix(const sim::OperandSource& source, const sim::LayerInfo& layer,
                   sim::Operand operand) {
  const sim::Shape& shape = layer.shape(operand);
  Matrix matrix(static_cast<std::size_t>(shape[0]), static_cast<std::size_t>(shape[1]));
  const sim::Dtype dtype = source.dtype(layer, operand);
  sim::SlabBuffer buffer;
  for (std::size_t row = 0; row < matrix.rows; ++row) {
    const unsigned char* slab = source.slab(layer, operand, static_cast<std::int64_t>(row), buffer);
    for (std::size_t i = 0; i < matrix.columns; ++i) matrix.at(row, i) = number_of(dtype, slab, i);
  }
  return matrix;
}

[[noreturn]] void refuse(const sim::OperandSource& source, const sim::LayerInfo& layer,
                         const std::string& value, const char* legal) {
  throw UserError(source.path(), sim::path(layer), value, legal);
}

void check_shapes(const sim::OperandSource& source, const std::vector<sim::LayerInfo>& layers) {
  for (std::size_t i = 0; i < layers.size(); ++i) {
    const sim::LayerInfo& layer = layers[i];
    if (layer.type != sim::LayerType::linear) {
      refuse(source, layer, sim::to_string(layer.type), "a linear layer");
    }
    if (std::max(layer.w[0], layer.w[1]) > kMostFeatures) {
      refuse(source, layer, sim::to_string(layer.w), "at most 2048 features in and out");
    }
    if (i > 0 && layer.a != layers[i - 1].go) {
      refuse(source, layer, sim::to_string(layer.a), "the shape of the results before it");
    }
  }
}

/// Whether the gradients of a layer are those of the layer behind it, times weights and ReLU. Every
/// stored number may be off by half of its last bit; sums are of binary32.
bool is_back_propagated(const LinearChain::Layer& before, const LinearChain::Layer& behind,
                        sim::Dtype dtype) {
  constexpr double half_bf16 = 0x1p-8, half_f32 = 0x1p-24;
  const double half = dtype == sim::Dtype::bf16 ? half_bf16 : half_f32;
  const double most = 3 * half + static_cast<double>(behind.weights.rows + 1) * half_f32;
  for (std::size_t n = 0; n < before.gradients.rows; ++n) {
    for (std::size_t in = 0; in < before.gradients.columns; ++in) {
      double sum = 0, size = 0;
      for (std::size_t out = 0; out < behind.weights.rows; ++out) {
        const double one = behind.weights.at(out, in) * behind.gradients.at(n, out);
        sum += one;
        size += std::abs(one);
      }
      if (!(behind.inputs.at(n, in) > 0)) sum = size = 0;
      if (!(std::abs(before.gradients.at(n, in) - sum) <= most * size)) return false;
    }
  }
  return true;
}

}  // namespace

Matrix applied_after(const Matrix& first, const Matrix& second) {
  Matrix product(second.rows, first.columns);
  for (std::size_t i = 0; i < second.rows; ++i) {
    for (std::size_t k = 0; k < second.columns; ++k) {
      const double factor = second.at(i, k);
      if (factor == 0) continue;
      for (std::size_t j = 0; j < first.columns; ++j) product.at(i, j) += factor * first.at(k, j);
    }
  }
  return product;
}

double zero_share(const Matrix& matrix) {
  const auto zeros = std::count(matrix.values.begin(), matrix.values.end(), 0.0);
  return static_cast<double>(zeros) / static_cast<double>(matrix.values.size());
}

LinearChain read_chain(const sim::OperandSource& source,
                       const std::vector<sim::LayerInfo>& layers) {
  check_shapes(source, layers);
  LinearChain chain;
  for (const sim::LayerInfo& layer : layers) {
    chain.layers.push_back({read_matrix(source, layer, sim::Operand::A),
                            read_matrix(source, layer, sim::Operand::W),
                            read_matrix(source, layer, sim::Operand::GO)});
    const std::size_t last = chain.layers.size() - 1;
    if (last == 0) continue;
    if (!is_back_propagated(chain.layers[last - 1], chain.layers[last],
                            source.dtype(layer, sim::Operand::GO))) {
      refuse(source, layers[last - 1], "other gradients",
             "those of the layer behind it, through its weights and ReLU alone");
    }
  }
  return chain;
}

std::vector<std::optional<Matrix>> jacobians(const LinearChain& chain, std::size_t sample) {
  const Matrix& last = chain.layers.back().gradients;
  Matrix gradient(last.columns, 1);
  for (std::size_t i = 0; i < last.columns; ++i) gradient.at(i, 0) = last.at(sample, i);
  std::vector<std::optional<Matrix>> elements = {std::move(gradient)};
  for (std::size_t number = chain.layers.size(); number-- > 0;) {
    const LinearChain::Layer& layer = chain.layers[number];
    Matrix jacobian(layer.weights.columns, layer.weights.rows);
    for (std::size_t in = 0; in < jacobian.rows; ++in) {
      // What the first layer takes is data, without ReLU.
      if (number > 0 && !(layer.inputs.at(sample, in) > 0)) continue;
      for (std::size_t out = 0; out < jacobian.columns; ++out) {
        jacobian.at(in, out) = layer.weights.at(out, in);
      }
    }
    elements.emplace_back(std::move(jacobian));
  }
  return elements;
}

}  // namespace td::job
