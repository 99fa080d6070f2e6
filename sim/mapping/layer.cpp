// SPDX-License-Identifier: Apache-2.0
// Names of a layer and the rules that its parameters and shapes must keep.
#include "sim/mapping/layer.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/support/error.hpp"

namespace td::sim {

namespace {

constexpr std::int64_t max_dimension = 2147483647;
constexpr std::int64_t max_elements = std::int64_t{1} << 62;
constexpr const char* axis_names[2] = {"y", "x"};

/// Checks one layer; every message begins with its file and path.
class Checker {
 public:
  Checker(const LayerInfo& layer, const std::string& file) : layer_(layer), file_(file) {}

  void check() const {
    for (const Operand operand : {Operand::A, Operand::W, Operand::GO}) check_shape(operand);
    if (layer_.type == LayerType::linear) {
      check_channels();
      return;
    }
    check_parameters();
    check_channels();
    for (int axis = 0; axis < 2; ++axis) check_output_size(axis);
    check_padded(Operand::A);
    check_padded(Operand::GO);
  }

 private:
  [[noreturn]] void fail(const std::string& field, const std::string& value,
                         const std::string& legal) const {
    throw UserError(file_, path(layer_) + "/" + field, value, legal);
  }

  [[noreturn]] void fail_shape(Operand operand, const std::string& legal) const {
    fail(fmt::format("{} shape", to_string(operand)), to_string(layer_.shape(operand)), legal);
  }

  void check_shape(Operand operand) const {
    const std::size_t rank = layer_.type == LayerType::conv2d ? 4 : 2;
    const Shape& shape = layer_.shape(operand);
    if (shape.size() != rank) {
      fail_shape(operand, fmt::format("{} dimensions for {}", rank, to_string(layer_.type)));
    }
    for (const std::int64_t size : shape) {
      if (size < 1 || size > max_dimension) {
        fail_shape(operand, fmt::format("dimensions of 1..{}", max_dimension));
      }
    }
    if (count(shape) == 0) fail_shape(operand, fmt::format("at most {} elements", max_elements));
  }

  void check_pair(const std::string& field, const std::int64_t (&pair)[2],
                  std::int64_t least) const {
    for (const std::int64_t value : pair) {
      if (value < least || value > max_dimension) {
        fail(field, fmt::format("[{}, {}]", pair[0], pair[1]),
             fmt::format("two integers of {}..{}", least, max_dimension));
      }
    }
  }

  void check_parameters() const {
    const Conv& conv = layer_.conv;
    check_pair("stride", conv.stride, 1);
    check_pair("padding", conv.padding, 0);
    check_pair("dilation", conv.dilation, 1);
    const std::int64_t channels = layer_.a[1];
    const std::int64_t filters = layer_.w[0];
    if (conv.groups < 1 || channels % conv.groups != 0 || filters % conv.groups != 0) {
      fail("groups", fmt::format("{}", conv.groups),
           fmt::format("a divisor of C = {} and of K = {}", channels, filters));
    }
  }

  void check_channels() const {
    const std::int64_t channels = layer_.a[1] / layer_.conv.groups;
    if (layer_.w[1] != channels) {
      fail_shape(Operand::W, fmt::format("dimension 1 of {} (channels of A in a group)", channels));
    }
    if (layer_.go[0] != layer_.a[0]) {
      fail_shape(Operand::GO, fmt::format("dimension 0 of {} (that of A)", layer_.a[0]));
    }
    if (layer_.go[1] != layer_.w[0]) {
      fail_shape(Operand::GO, fmt::format("dimension 1 of {} (filters of W)", layer_.w[0]));
    }
  }

  void check_output_size(int axis) const {
    const Conv& conv = layer_.conv;
    const auto dimension = static_cast<std::size_t>(2 + axis);
    const std::int64_t padded = layer_.a[dimension] + 2 * conv.padding[axis];
    const std::int64_t reach = conv.dilation[axis] * (layer_.w[dimension] - 1) + 1;
    if (reach > padded) {
      fail_shape(Operand::W, fmt::format("a kernel that reaches at most {} along {} (now {})",
                                         padded, axis_names[axis], reach));
    }
    const std::int64_t size = (padded - reach) / conv.stride[axis] + 1;
    if (layer_.go[dimension] != size) {
      fail_shape(Operand::GO,
                 fmt::format("dimension {} of {} (from A, W, stride, padding, dilation)", dimension,
                             size));
    }
  }

  /// Both A and GO are counted with the layer's padding around them.
  void check_padded(Operand operand) const {
    const std::int64_t(&padding)[2] = layer_.conv.padding;
    Shape shape = layer_.shape(operand);
    shape[2] += 2 * padding[0];
    shape[3] += 2 * padding[1];
    if (count(shape) == 0) {
      fail("padding", fmt::format("[{}, {}]", padding[0], padding[1]),
           fmt::format("padded tensors of at most {} elements", max_elements));
    }
  }

  const LayerInfo& layer_;
  const std::string& file_;
};

}  // namespace

std::vector<Op> operations(const LayerInfo& layer) {
  std::vector<Op> all = {Op::fwd, Op::dgrad, Op::wgrad};
  const auto is_left_out = [&](Op op) {
    return (op == Op::dgrad && !layer.needs_input_grad) ||
           std::find(layer.omits.begin(), layer.omits.end(), op) != layer.omits.end();
  };
  all.erase(std::remove_if(all.begin(), all.end(), is_left_out), all.end());
  return all;
}

std::string path(const LayerInfo& layer) { return layer.snapshot + "/" + layer.name; }

std::string geometry_text(const LayerInfo& layer) {
  std::string text = fmt::format("{} groups {}", to_string(layer.type), layer.conv.groups);
  for (int dimension = 0; dimension < 2; ++dimension) {
    text += fmt::format(" {} {} {}", layer.conv.stride[dimension], layer.conv.padding[dimension],
                        layer.conv.dilation[dimension]);
  }
  return text + to_string(layer.a) + to_string(layer.w) + to_string(layer.go);
}

std::string to_string(const Shape& shape) {
  std::string text;
  for (const std::int64_t size : shape) text += (text.empty() ? "" : ", ") + std::to_string(size);
  return "[" + text + "]";
}

std::int64_t count(const Shape& shape) {
  std::int64_t product = 1;
  for (const std::int64_t size : shape) {
    if (size < 1 || product > max_elements / size) return 0;
    product *= size;
  }
  return product;
}

void check_layer(const LayerInfo& layer, const std::string& file) { Checker(layer, file).check(); }

}  // namespace td::sim
