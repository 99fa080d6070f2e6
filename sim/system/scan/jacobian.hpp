// SPDX-License-Identifier: Apache-2.0
// Jacobians of a chain of linear layers with ReLU, from the operands of a training step.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "sim/trace/operand_source.hpp"

namespace td::job {

/// Row-major.
struct Matrix {
  std::size_t rows = 0, columns = 0;
  std::vector<double> values;

  Matrix(std::size_t r, std::size_t c) : rows(r), columns(c), values(r * c) {}
  double& at(std::size_t row, std::size_t column) { return values[row * columns + column]; }
  double at(std::size_t row, std::size_t column) const { return values[row * columns + column]; }
};

/// What applies `first`, then `second`: the matrix second · first.
Matrix applied_after(const Matrix& first, const Matrix& second);

/// Of a matrix, 0…1.
double zero_share(const Matrix& matrix);

/// A chain of layers: each takes the results of the one before, those below zero as zero.
struct LinearChain {
  struct Layer {
    Matrix inputs;     ///< samples x features in
    Matrix weights;    ///< features out x features in
    Matrix gradients;  ///< samples x features out: of the loss with respect to them, before ReLU
  };
  std::vector<Layer> layers;

  std::size_t samples() const { return layers.front().inputs.rows; }
};

/// Reads it. Throws UserError where these layers are no such chain: not linear, of sizes that do
/// not fit, or with gradients that are not those of the layer behind through weights and ReLU, but
/// for the rounding of the numbers as they are stored.
LinearChain read_chain(const sim::OperandSource& source, const std::vector<sim::LayerInfo>& layers);

/// The chain of a scan, of one sample: the gradient of the last layer's results (a column), then
/// the transposed Jacobians of the layers, the last first.
std::vector<std::optional<Matrix>> jacobians(const LinearChain& chain, std::size_t sample);

}  // namespace td::job
