// SPDX-License-Identifier: Apache-2.0
#include "sim/trace/shared_rows.hpp"

#include <cstring>

#include "sim/mapping/mapping.hpp"

namespace td::sim {

namespace {

std::int64_t kernel_positions(const LayerInfo& layer) { return layer.w[2] * layer.w[3]; }

/// Moves elements of so many bytes into the order of shared rows.
template <int bytes>
class Mover {
 public:
  Mover(const LayerInfo& layer, const unsigned char* from, unsigned char* to)
      : layer_(layer), from_(from), to_(to) {}

  /// A filter, or no more than its channels at a kernel position.
  void filter() const {
    const std::int64_t channels = layer_.w[1];
    const std::int64_t height = layer_.w[2];
    const std::int64_t width = layer_.w[3];
    unsigned char* to = to_;
    for (std::int64_t x = 0; x < width; ++x) {
      for (std::int64_t y = 0; y < height; ++y) {
        for (std::int64_t c = 0; c < channels; ++c, to += bytes) {
          std::memcpy(to, from_ + ((c * height + y) * width + x) * bytes, bytes);
        }
      }
    }
  }

  /// The windows of an image, a plane for each of their elements.
  void image() const {
    const std::int64_t channels = layer_.w[1];
    unsigned char* plane = to_;
    for (std::int64_t group = 0; group < layer_.conv.groups; ++group) {
      for (std::int64_t x = 0; x < layer_.w[3]; ++x) {
        for (std::int64_t y = 0; y < layer_.w[2]; ++y) {
          for (std::int64_t c = 0; c < channels; ++c) {
            plane = put_plane(group * channels + c, y, x, plane);
          }
        }
      }
    }
  }

 private:
  /// What the windows have of a channel at a kernel position. Returns the end.
  unsigned char* put_plane(std::int64_t channel, std::int64_t y, std::int64_t x,
                           unsigned char* to) const {
    const Conv& conv = layer_.conv;
    const std::int64_t height = layer_.a[2];
    const std::int64_t width = layer_.a[3];
    for (std::int64_t p = 0; p < layer_.go[2]; ++p) {
      const std::int64_t row = p * conv.stride[0] + y * conv.dilation[0] - conv.padding[0];
      std::int64_t column = x * conv.dilation[1] - conv.padding[1];
      for (std::int64_t q = 0; q < layer_.go[3]; ++q, to += bytes, column += conv.stride[1]) {
        const bool inside = row >= 0 && row < height && column >= 0 && column < width;
        if (inside) {
          std::memcpy(to, from_ + ((channel * height + row) * width + column) * bytes, bytes);
        } else {
          std::memset(to, 0, bytes);
        }
      }
    }
    return to;
  }

  const LayerInfo& layer_;
  const unsigned char* from_;
  unsigned char* to_;
};

}  // namespace

bool can_share_rows(const LayerInfo& layer, Op op, int lanes) {
  constexpr std::int64_t most_elements = std::int64_t{1} << 26;
  if (op != Op::fwd || layer.type != LayerType::conv2d) return false;
  const std::int64_t positions = kernel_positions(layer);
  const Shape& shape = with_shared_rows(layer).a;
  if (shape[1] * shape[2] > most_elements / shape[3]) return false;
  return ceil_div(positions * layer.w[1], lanes) < positions * ceil_div(layer.w[1], lanes);
}

LayerInfo with_shared_rows(const LayerInfo& layer) {
  LayerInfo shared = layer;
  const std::int64_t elements = kernel_positions(layer) * layer.w[1];
  shared.conv = Conv{};
  shared.conv.groups = layer.conv.groups;
  shared.a = {layer.a[0], layer.conv.groups * elements, layer.go[2], layer.go[3]};
  shared.w = {layer.w[0], elements, 1, 1};
  return shared;
}

const unsigned char* SharedRowOperands::slab(const LayerInfo&, Operand operand, std::int64_t index,
                                             std::vector<unsigned char>& buffer) const {
  if (operand == Operand::GO) return source_.slab(layer_, operand, index, buffer);
  std::vector<unsigned char> own;
  const unsigned char* from = source_.slab(layer_, operand, index, own);
  const Shape& shape = layer().shape(operand);
  const std::int64_t size = bytes(dtype(layer_, operand));
  buffer.resize(static_cast<std::size_t>(count(shape) / shape.front() * size));
  const auto move = [&](const auto& mover) {
    if (operand == Operand::W) {
      mover.filter();
    } else {
      mover.image();
    }
  };
  if (size == 4) {
    move(Mover<4>(layer_, from, buffer.data()));
  } else {
    move(Mover<2>(layer_, from, buffer.data()));
  }
  return buffer.data();
}

}  // namespace td::sim
