// SPDX-License-Identifier: Apache-2.0
// A traced layer: its type, its parameters, the shapes of its operands, and the operations on it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace td::sim {

enum class LayerType { conv2d, linear };

/// The multiply-accumulate operations of training: O = A*W, GA = GO*W, GW = A*GO.
enum class Op { fwd, dgrad, wgrad };

/// The traced tensors: activations, weights, output gradients.
enum class Operand { A, W, GO };

/// Which operand of an operation, in the order of its loops: groups of the first are outermost.
enum class Which { first, second };

using Shape = std::vector<std::int64_t>;

/// Parameters of a convolution; [0] is y (dimension 2 of NCHW), [1] is x (dimension 3).
struct Conv {
  std::int64_t stride[2] = {1, 1};
  std::int64_t padding[2] = {0, 0};
  std::int64_t dilation[2] = {1, 1};
  std::int64_t groups = 1;
};

/// One layer of one snapshot.
struct LayerInfo {
  std::string snapshot;
  std::string name;
  LayerType type = LayerType::conv2d;
  bool needs_input_grad = true;  ///< false: training does not compute dgrad here
  std::vector<Op> omits;         ///< further operations that training does not compute here
  bool is_transposed = false;    ///< a transposed convolution, whose forward pass is dgrad here
  Conv conv;                     ///< the default for linear layers
  Shape a;                       ///< [N, C, H, W] unpadded, or [N, C]
  Shape w;                       ///< [K, C/groups, R, S], or [K, C]
  Shape go;                      ///< [N, K, P, Q], or [N, K]

  const Shape& shape(Operand operand) const {
    return operand == Operand::A ? a : operand == Operand::W ? w : go;
  }
};

/// The names that traces, messages and reports use.
constexpr const char* to_string(LayerType type) {
  return type == LayerType::conv2d ? "conv2d" : "linear";
}
constexpr const char* to_string(Op op) {
  return op == Op::fwd ? "fwd" : op == Op::dgrad ? "dgrad" : "wgrad";
}
constexpr const char* to_string(Operand operand) {
  return operand == Operand::A ? "A" : operand == Operand::W ? "W" : "GO";
}

/// What tables and results call a tensor: its letter could be taken for a side of the tile.
constexpr const char* tensor_name(Operand operand) {
  return operand == Operand::A ? "activations" : operand == Operand::W ? "weights" : "gradients";
}

/// What an operation makes: outputs, and gradients of activations and weights.
constexpr const char* result_name(Op op) {
  return op == Op::fwd ? "O" : op == Op::dgrad ? "GA" : "GW";
}

/// The operand that has the result's shape.
constexpr Operand result_like(Op op) {
  return op == Op::fwd ? Operand::GO : op == Op::dgrad ? Operand::A : Operand::W;
}

/// The operands of an operation: A and W (fwd), GO and W (dgrad), A and GO (wgrad).
constexpr Operand operand(Op op, Which which) {
  if (which == Which::first) return op == Op::dgrad ? Operand::GO : Operand::A;
  return op == Op::wgrad ? Operand::GO : Operand::W;
}

/// The operations that training does on the layer: dgrad only where the input needs a gradient,
/// and none that it omits.
std::vector<Op> operations(const LayerInfo& layer);

/// `snapshot/name`, the layer's tensors without their last part.
std::string path(const LayerInfo& layer);

/// Type, parameters and shapes: equal for two layers that are mapped alike.
std::string geometry_text(const LayerInfo& layer);

/// `[4, 3, 32, 32]`.
std::string to_string(const Shape& shape);

/// Elements of a tensor; 0 when a dimension is not positive or the product exceeds 2^62.
std::int64_t count(const Shape& shape);

/// Checks every parameter and that the three shapes fit each other. `file` names the source in
/// messages. Throws UserError.
void check_layer(const LayerInfo& layer, const std::string& file);

}  // namespace td::sim
