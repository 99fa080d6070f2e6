// SPDX-License-Identifier: Apache-2.0
// All three operations multiply along one set of meetings: an output position (p, q), a kernel
// position (r, s) and the input position that they meet at, where it is no padding. What is summed
// over differs, and with it which elements can be counted before they are paired: images of A (fwd)
// or GO (dgrad), since they meet the same filters; channels (wgrad), since they all meet.
#include "sim/masks/useful_macs.hpp"

#include <atomic>
#include <mutex>
#include <vector>

#include "base/support/parallel.hpp"
#include "sim/masks/nonzero.hpp"

namespace td::sim {
namespace {

using Counts = std::vector<std::int64_t>;

/// A layer as a convolution: a linear one has one position.
struct Sizes {
  std::int64_t images, groups;
  std::int64_t channels, filters;  ///< of a group
  std::int64_t input[2] = {1, 1}, output[2] = {1, 1}, kernel[2] = {1, 1};

  explicit Sizes(const LayerInfo& layer)
      : images(layer.a[0]),
        groups(layer.conv.groups),
        channels(layer.w[1]),
        filters(layer.w[0] / layer.conv.groups) {
    if (layer.type == LayerType::linear) return;
    for (std::size_t axis = 0; axis < 2; ++axis) {
      input[axis] = layer.a[2 + axis];
      output[axis] = layer.go[2 + axis];
      kernel[axis] = layer.w[2 + axis];
    }
  }
};

/// A meeting along one axis: output position, kernel position, input position.
struct Meeting {
  std::int64_t output, kernel, input;
};

std::vector<Meeting> meetings(const LayerInfo& layer, const Sizes& sizes, int axis) {
  std::vector<Meeting> all;
  for (std::int64_t k = 0; k < sizes.kernel[axis]; ++k) {
    for (std::int64_t o = 0; o < sizes.output[axis]; ++o) {
      const std::int64_t i =
          o * layer.conv.stride[axis] + k * layer.conv.dilation[axis] - layer.conv.padding[axis];
      if (0 <= i && i < sizes.input[axis]) all.push_back({o, k, i});
    }
  }
  return all;
}

/// Adds up count(slab's index, test, slab, counts of the thread) over all slabs of an operand.
template <class Count>
Counts sum_slabs(const OperandSource& source, const LayerInfo& layer, Operand operand,
                 Format format, std::int64_t counts, Count count) {
  Counts sum(static_cast<std::size_t>(counts));
  std::mutex mutex;
  with_nonzero_test(source.dtype(layer, operand), format, [&](const auto& nonzero) {
    parallel_pieces(layer.shape(operand)[0], [&](std::int64_t begin, std::int64_t end) {
      Counts part(sum.size());
      std::vector<unsigned char> buffer;
      for (std::int64_t n = begin; n < end; ++n) {
        count(n, nonzero, source.slab(layer, operand, n, buffer), part);
      }
      const std::lock_guard<std::mutex> lock(mutex);
      for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += part[i];
    });
  });
  return sum;
}

/// [element of a slab]: slabs that have it.
Counts over_slabs(const OperandSource& source, const LayerInfo& layer, Operand operand,
                  Format format) {
  const std::int64_t elements = count(layer.shape(operand)) / layer.shape(operand)[0];
  return sum_slabs(
      source, layer, operand, format, elements,
      [elements](std::int64_t, const auto& nonzero, const unsigned char* slab, Counts& counts) {
        for (std::int64_t i = 0; i < elements; ++i) {
          counts[static_cast<std::size_t>(i)] += nonzero(slab, i) ? 1 : 0;
        }
      });
}

/// [image][group][position]: channels of A or GO that are not zero there.
Counts over_channels(const OperandSource& source, const LayerInfo& layer, Operand operand,
                     Format format, std::int64_t groups) {
  const Shape& shape = layer.shape(operand);
  const std::int64_t channels = shape[1] / groups;
  const std::int64_t positions = count(shape) / shape[0] / shape[1];
  return sum_slabs(
      source, layer, operand, format, shape[0] * groups * positions,
      [=](std::int64_t n, const auto& nonzero, const unsigned char* slab, Counts& counts) {
        for (std::int64_t c = 0; c < groups * channels; ++c) {
          const std::int64_t first = (n * groups + c / channels) * positions;
          for (std::int64_t i = 0; i < positions; ++i) {
            counts[static_cast<std::size_t>(first + i)] += nonzero(slab, c * positions + i) ? 1 : 0;
          }
        }
      });
}

/// [channel of a group or filter][kernel position] of each group: filters or channels whose weight
/// there is not zero.
Counts weights(const OperandSource& source, const LayerInfo& layer, Op op, Format format,
               const Sizes& sizes) {
  const std::int64_t area = sizes.kernel[0] * sizes.kernel[1];
  const std::int64_t lines = op == Op::fwd ? sizes.groups * sizes.channels : layer.w[0];
  return sum_slabs(
      source, layer, Operand::W, format, lines * area,
      [=](std::int64_t k, const auto& nonzero, const unsigned char* slab, Counts& counts) {
        for (std::int64_t c = 0; c < sizes.channels; ++c) {
          const std::int64_t line = op == Op::fwd ? k / sizes.filters * sizes.channels + c : k;
          for (std::int64_t i = 0; i < area; ++i) {
            counts[static_cast<std::size_t>(line * area + i)] +=
                nonzero(slab, c * area + i) ? 1 : 0;
          }
        }
      });
}

/// Adds up count(line, meeting along y, meeting along x) over everything.
template <class Pairs>
std::int64_t sum_meetings(const LayerInfo& layer, const Sizes& sizes, std::int64_t lines,
                          Pairs pairs) {
  const std::vector<Meeting> along_y = meetings(layer, sizes, 0);
  const std::vector<Meeting> along_x = meetings(layer, sizes, 1);
  std::atomic<std::int64_t> sum = 0;
  parallel_for(lines, [&](std::int64_t line) {
    std::int64_t part = 0;
    for (const Meeting& y : along_y) {
      for (const Meeting& x : along_x) part += pairs(line, y, x);
    }
    sum += part;
  });
  return sum;
}

}  // namespace

std::int64_t useful_macs(const OperandSource& source, const LayerInfo& layer, Op op,
                         Format format) {
  const Sizes sizes(layer);
  const auto at = [](const Counts& counts, std::int64_t index) {
    return counts[static_cast<std::size_t>(index)];
  };
  const auto input = [&](std::int64_t line, const Meeting& y, const Meeting& x) {
    return (line * sizes.input[0] + y.input) * sizes.input[1] + x.input;
  };
  const auto output = [&](std::int64_t line, const Meeting& y, const Meeting& x) {
    return (line * sizes.output[0] + y.output) * sizes.output[1] + x.output;
  };
  if (op == Op::wgrad) {
    const Counts a = over_channels(source, layer, Operand::A, format, sizes.groups);
    const Counts go = over_channels(source, layer, Operand::GO, format, sizes.groups);
    return sum_meetings(layer, sizes, sizes.images * sizes.groups,
                        [&](std::int64_t line, const Meeting& y, const Meeting& x) {
                          return at(a, input(line, y, x)) * at(go, output(line, y, x));
                        });
  }
  const Operand moving = op == Op::fwd ? Operand::A : Operand::GO;
  const Counts elements = over_slabs(source, layer, moving, format);
  const Counts filters = weights(source, layer, op, format, sizes);
  return sum_meetings(layer, sizes, layer.shape(moving)[1],
                      [&](std::int64_t line, const Meeting& y, const Meeting& x) {
                        const std::int64_t index =
                            op == Op::fwd ? input(line, y, x) : output(line, y, x);
                        const std::int64_t weight =
                            (line * sizes.kernel[0] + y.kernel) * sizes.kernel[1] + x.kernel;
                        return at(elements, index) * at(filters, weight);
                      });
}

}  // namespace td::sim
