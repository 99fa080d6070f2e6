// SPDX-License-Identifier: Apache-2.0
// Where tensors are not zero, which is all that cycles depend on; every layer as a convolution.
#pragma once

#include <cstdint>
#include <vector>

#include "verify/authors/model/layer.hpp"

namespace td::authors {

/// A tensor [outer, channel, x, y], with the authors' names: x is dimension 2 (H of NCHW), y is
/// dimension 3.
struct NonZero {
  std::int64_t outer = 0;  ///< images; of W: filters
  std::int64_t channels = 0;
  std::int64_t size_x = 0;
  std::int64_t size_y = 0;
  std::vector<char> elements;

  /// False outside the tensor, where padding is.
  bool at(std::int64_t o, std::int64_t channel, std::int64_t x, std::int64_t y) const {
    if (x < 0 || x >= size_x || y < 0 || y >= size_y) return false;
    const std::int64_t index = ((o * channels + channel) * size_x + x) * size_y + y;
    return elements[static_cast<std::size_t>(index)] != 0;
  }
};

/// A layer as the authors' simulator sees it.
struct Convolution {
  NonZero a;
  NonZero w;
  NonZero go;
  std::int64_t stride = 1;
  std::int64_t padding = 0;
};

/// A linear layer is a 1x1 convolution of 1x1 images. Throws UserError for what the authors'
/// simulator does not have: groups, dilation, kernels, strides or paddings that are not square.
Convolution as_convolution(const Layer& layer);

/// The images of a linear layer as the positions, along x, of a single one.
Convolution batch_along_x(const Convolution& linear);

}  // namespace td::authors
