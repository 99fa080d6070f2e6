// SPDX-License-Identifier: Apache-2.0
// All three operations multiply along one set of meetings: an output position (p, q), a kernel
// position (r, s) and the input position that they meet at, where it is no padding. What is summed
// over differs, and with it what can be counted before it is paired: weights (fwd, dgrad), since an
// element of A or GO meets the same ones in all images; channels (wgrad), since they all meet.
#include "sim/masks/useful_macs.hpp"

#include <mutex>
#include <numeric>
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
      SlabBuffer buffer;
      for (std::int64_t n = begin; n < end; ++n) {
        count(n, nonzero, source.slab(layer, operand, n, buffer), part);
      }
      const std::lock_guard<std::mutex> lock(mutex);
      for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += part[i];
    });
  });
  return sum;
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

/// Calls each(line, meeting along y, meeting along x) for all; lines at the same time.
template <class Each>
void each_meeting(const LayerInfo& layer, const Sizes& sizes, std::int64_t lines, Each each) {
  const std::vector<Meeting> along_y = meetings(layer, sizes, 0);
  const std::vector<Meeting> along_x = meetings(layer, sizes, 1);
  parallel_for(lines, [&](std::int64_t line) {
    for (const Meeting& y : along_y) {
      for (const Meeting& x : along_x) each(line, y, x);
    }
  });
}

std::int64_t input(const Sizes& sizes, std::int64_t line, const Meeting& y, const Meeting& x) {
  return (line * sizes.input[0] + y.input) * sizes.input[1] + x.input;
}

std::int64_t output(const Sizes& sizes, std::int64_t line, const Meeting& y, const Meeting& x) {
  return (line * sizes.output[0] + y.output) * sizes.output[1] + x.output;
}

std::int64_t& at(Counts& counts, std::int64_t index) {
  return counts[static_cast<std::size_t>(index)];
}

/// Of the weight gradient: channels and filters that meet at a position of an image.
std::int64_t over_images(const OperandSource& source, const LayerInfo& layer, Format format,
                         const Sizes& sizes) {
  Counts a = over_channels(source, layer, Operand::A, format, sizes.groups);
  Counts go = over_channels(source, layer, Operand::GO, format, sizes.groups);
  const std::int64_t lines = sizes.images * sizes.groups;
  Counts pairs(static_cast<std::size_t>(lines));
  each_meeting(layer, sizes, lines, [&](std::int64_t line, const Meeting& y, const Meeting& x) {
    at(pairs, line) += at(a, input(sizes, line, y, x)) * at(go, output(sizes, line, y, x));
  });
  return std::accumulate(pairs.begin(), pairs.end(), std::int64_t{0});
}

/// Whether elements of a channel of A or GO make equally many pairs: each meets the one weight
/// once.
bool are_alike(const LayerInfo& layer, const Sizes& sizes, Operand moving) {
  for (int axis = 0; axis < 2; ++axis) {
    const std::int64_t extent = moving == Operand::A ? sizes.input[axis] : sizes.output[axis];
    if (sizes.kernel[axis] > 1) return false;
    if (static_cast<std::int64_t>(meetings(layer, sizes, axis).size()) < extent) return false;
  }
  return true;
}

/// The pairs that an element of a slab of A or GO makes if it is not zero: [element], or [channel]
/// where its elements are alike.
Counts pairs_of_elements(const OperandSource& source, const LayerInfo& layer, Op op, Format format,
                         const Sizes& sizes, Operand moving) {
  Counts filters = weights(source, layer, op, format, sizes);
  if (are_alike(layer, sizes, moving)) return filters;
  const Shape& shape = layer.shape(moving);
  Counts pairs(static_cast<std::size_t>(count(shape) / shape[0]));
  each_meeting(layer, sizes, shape[1], [&](std::int64_t line, const Meeting& y, const Meeting& x) {
    const std::int64_t element =
        op == Op::fwd ? input(sizes, line, y, x) : output(sizes, line, y, x);
    at(pairs, element) +=
        at(filters, (line * sizes.kernel[0] + y.kernel) * sizes.kernel[1] + x.kernel);
  });
  return pairs;
}

}  // namespace

std::int64_t useful_macs(const OperandSource& source, const LayerInfo& layer, Op op,
                         Format format) {
  const Sizes sizes(layer);
  if (op == Op::wgrad) return over_images(source, layer, format, sizes);
  const Operand moving = op == Op::fwd ? Operand::A : Operand::GO;
  const Counts pairs = pairs_of_elements(source, layer, op, format, sizes, moving);
  const Shape& shape = layer.shape(moving);
  const std::int64_t alike = count(shape) / shape[0] / static_cast<std::int64_t>(pairs.size());
  const auto add = [&](std::int64_t, const auto& nonzero, const unsigned char* slab, Counts& sum) {
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      const auto begin = static_cast<std::int64_t>(i) * alike;
      const unsigned char* elements = slab + begin * nonzero.bytes();
      sum[0] += alike == 1 ? (nonzero(elements, 0) ? pairs[i] : 0)
                           : pairs[i] * (alike - nonzero.zeros(elements, alike));
    }
  };
  return sum_slabs(source, layer, moving, format, 1, add)[0];
}

}  // namespace td::sim
