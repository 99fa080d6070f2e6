// SPDX-License-Identifier: Apache-2.0
// Counts zeros one by one, those of the padding too.
#include "verify/authors/model/choice.hpp"

#include <algorithm>

namespace td::authors {
namespace {

struct Zeros {
  std::int64_t zeros = 0;
  std::int64_t elements = 0;
};

/// A rectangle of positions, the same in every image and channel.
struct Area {
  std::int64_t x_begin = 0;
  std::int64_t x_end = 0;
  std::int64_t y_begin = 0;
  std::int64_t y_end = 0;
};

Padding padding_of(const Convolution& conv, std::int64_t in, std::int64_t out,
                   std::int64_t kernel) {
  const std::int64_t p = conv.padding;
  const bool exact = in - kernel + 2 * p == (out - 1) * conv.stride;
  return {p, exact ? p : std::max<std::int64_t>(0, p - 1)};
}

Area padded_area(const Convolution& conv, const NonZero& tensor) {
  const Padding x = padding_along_x(conv);
  const Padding y = padding_along_y(conv);
  return {-x.before, tensor.size_x + x.after, -y.before, tensor.size_y + y.after};
}

Zeros count(const NonZero& tensor, std::int64_t begin, std::int64_t end, const Area& area) {
  Zeros result;
  for (std::int64_t o = begin; o < end; ++o) {
    for (std::int64_t channel = 0; channel < tensor.channels; ++channel) {
      for (std::int64_t x = area.x_begin; x < area.x_end; ++x) {
        for (std::int64_t y = area.y_begin; y < area.y_end; ++y) {
          ++result.elements;
          if (!tensor.at(o, channel, x, y)) ++result.zeros;
        }
      }
    }
  }
  return result;
}

Zeros count_first(const Convolution& conv, sim::Op op, std::int64_t begin, std::int64_t end) {
  if (op == sim::Op::fwd) return count(conv.a, begin, end, padded_area(conv, conv.a));
  if (op == sim::Op::dgrad) return count(conv.go, begin, end, padded_area(conv, conv.go));
  const std::int64_t p = conv.padding;
  return count(conv.a, begin, end, {-p, conv.go.size_x - p, -p, conv.go.size_y - p});
}

Zeros count_second(const Convolution& conv, sim::Op op, std::int64_t begin, std::int64_t end) {
  const NonZero& second = op == sim::Op::wgrad ? conv.go : conv.w;
  const Area everywhere{0, second.size_x, 0, second.size_y};
  if (op == sim::Op::wgrad) return count(second, begin, end, everywhere);
  return count(second, 0, second.outer, everywhere);
}

}  // namespace

Padding padding_along_x(const Convolution& conv) {
  return padding_of(conv, conv.a.size_x, conv.go.size_x, conv.w.size_x);
}

Padding padding_along_y(const Convolution& conv) {
  return padding_of(conv, conv.a.size_y, conv.go.size_y, conv.w.size_y);
}

sim::Which choose_operand(const Convolution& conv, sim::Op op, std::int64_t first_image,
                          std::int64_t end_image) {
  const Zeros first = count_first(conv, op, first_image, end_image);
  const Zeros second = count_second(conv, op, first_image, end_image);
  return first.zeros * second.elements > second.zeros * first.elements ? sim::Which::first
                                                                       : sim::Which::second;
}

}  // namespace td::authors
