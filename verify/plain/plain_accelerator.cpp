// SPDX-License-Identifier: Apache-2.0
#include "verify/plain/plain_accelerator.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

#include "sim/accelerator/unrolled_layer.hpp"
#include "sim/arithmetic/arith.hpp"
#include "sim/model/tile.hpp"

namespace td::verify {
namespace {

using sim::LayerInfo;
using sim::Op;
using Index = std::int64_t;
using Indices = std::vector<Index>;
using Triple = std::array<Index, 3>;

constexpr Index nowhere = -1;

/// A layer as a convolution.
struct Sizes {
  explicit Sizes(const LayerInfo& layer) {
    groups = layer.conv.groups;
    filters = layer.w[0] / groups;
    channels = layer.w[1];
    if (layer.type == sim::LayerType::linear) {
      images = 1;
      in[0] = out[0] = layer.a[0];
      return;
    }
    linear = false;
    images = layer.a[0];
    for (std::size_t i = 0; i < 2; ++i) {
      in[i] = layer.a[2 + i];
      out[i] = layer.go[2 + i];
      kernel[i] = layer.w[2 + i];
      stride[i] = layer.conv.stride[i];
      padding[i] = layer.conv.padding[i];
      dilation[i] = layer.conv.dilation[i];
    }
  }

  Index a(Index n, Index c, Index y, Index x) const {
    return linear ? y * channels + c : ((n * groups * channels + c) * in[0] + y) * in[1] + x;
  }
  Index w(Index k, Index c, Index r, Index s) const {
    return ((k * channels + c) * kernel[0] + r) * kernel[1] + s;
  }
  Index go(Index n, Index k, Index p, Index q) const {
    return linear ? p * filters + k : ((n * groups * filters + k) * out[0] + p) * out[1] + q;
  }

  bool linear = true;
  Index groups, filters, channels, images;
  Index in[2] = {1, 1}, out[2] = {1, 1}, kernel[2] = {1, 1};
  Index stride[2] = {1, 1}, padding[2] = {0, 0}, dilation[2] = {1, 1};
};

/// Triples of a box in pieces, the first dimension fastest; pieces of pieces, in the order of both.
std::vector<std::vector<Triple>> pieces(const Triple& extents, const Triple& outer,
                                        const Triple& inner) {
  const auto cut = [](const Triple& begin, const Triple& end, const Triple& size, auto use) {
    for (Index z = begin[2]; z < end[2]; z += size[2])
      for (Index y = begin[1]; y < end[1]; y += size[1])
        for (Index x = begin[0]; x < end[0]; x += size[0])
          use(Triple{x, y, z}, Triple{std::min(x + size[0], end[0]), std::min(y + size[1], end[1]),
                                      std::min(z + size[2], end[2])});
  };
  std::vector<std::vector<Triple>> result;
  cut({0, 0, 0}, extents, outer, [&](const Triple& begin, const Triple& end) {
    cut(begin, end, inner, [&](const Triple& first, const Triple& last) {
      result.emplace_back();
      for (Index z = first[2]; z < last[2]; ++z)
        for (Index y = first[1]; y < last[1]; ++y)
          for (Index x = first[0]; x < last[0]; ++x) result.back().push_back({x, y, z});
    });
  });
  return result;
}

class Plain {
 public:
  Plain(const Config& config, const LayerInfo& layer, Op op, const sim::Cut& cut,
        const PlainTensor& first, const PlainTensor& second)
      : config_(config),
        tile_(config),
        is_(layer),
        op_(op),
        cut_(cut),
        rows_(op == Op::wgrad ? second : first),
        lanes_(op == Op::wgrad ? first : second),
        rows_on_b_((cut.options.scheduled == sim::Which::second) == (op == Op::wgrad)) {
    const sim::Shape& shape = op == Op::fwd ? layer.go : op == Op::dgrad ? layer.a : layer.w;
    results_.resize(static_cast<std::size_t>(sim::count(shape)));
  }

  PlainTensor run() {
    const Index across = op_ == Op::dgrad ? std::min(is_.stride[1], is_.in[1])
                         : op_ == Op::fwd ? 1
                                          : is_.kernel[1];
    const Index down = op_ == Op::dgrad ? std::min(is_.stride[0], is_.in[0])
                       : op_ == Op::fwd ? 1
                                        : is_.kernel[0];
    for (group_ = 0; group_ < is_.groups; ++group_)
      for (x_ = 0; x_ < across; ++x_)
        for (y_ = 0; y_ < down; ++y_) run_block();
    return results_;
  }

 private:
  Index lanes() const { return config_.lanes; }
  Index blocks(Index elements) const { return (elements + lanes() - 1) / lanes(); }

  /// Kernel positions that reach a phase, or all of them.
  Indices taps(int dimension) const {
    Indices result;
    for (Index r = 0; r < is_.kernel[dimension]; ++r) result.push_back(r);
    if (op_ == Op::fwd) return result;
    std::reverse(result.begin(), result.end());
    const Index phase = dimension == 0 ? y_ : x_;
    const auto misses = [&](Index r) {
      return (phase + is_.padding[dimension] - r * is_.dilation[dimension]) %
                 is_.stride[dimension] !=
             0;
    };
    result.erase(std::remove_if(result.begin(), result.end(), misses), result.end());
    return result;
  }

  void run_block() {
    Triple rows = {is_.out[0], is_.out[1], is_.images};
    Triple sums = {blocks(is_.channels), 0, 0};
    if (op_ == Op::dgrad) {
      rows[0] = (is_.in[0] - y_ + is_.stride[0] - 1) / is_.stride[0];
      rows[1] = (is_.in[1] - x_ + is_.stride[1] - 1) / is_.stride[1];
      sums[0] = blocks(is_.filters);
    }
    if (op_ == Op::wgrad) {
      sums = rows;
      rows = {blocks(is_.filters), 1, 1};
    } else {
      taps_[0] = taps(0);
      taps_[1] = taps(1);
      sums[1] = static_cast<Index>(taps_[0].size());
      sums[2] = static_cast<Index>(taps_[1].size());
    }
    const auto chunks = pieces(sums, cut_.part, cut_.chunk);
    const Index all = op_ == Op::fwd ? blocks(is_.filters) : blocks(is_.channels);
    const auto lane_pieces = pieces({all, 1, 1}, {cut_.lane_super, 1, 1}, {cut_.lane_sub, 1, 1});
    for (auto streams : pieces(rows, cut_.row_super, cut_.row_sub)) {
      if (op_ == Op::wgrad) streams = filters_of(streams);
      for (const auto& some : lane_pieces) run_sub(streams, some, chunks);
    }
  }

  std::vector<Triple> filters_of(const std::vector<Triple>& some) const {
    std::vector<Triple> filters;
    for (const Triple& block : some)
      for (Index i = 0; i < lanes(); ++i)
        if (block[0] * lanes() + i < is_.filters) filters.push_back({block[0] * lanes() + i, 0, 0});
    return filters;
  }

  void run_sub(const std::vector<Triple>& streams, const std::vector<Triple>& lane_blocks,
               const std::vector<std::vector<Triple>>& chunks) {
    const auto size = static_cast<std::size_t>(config_.rows);
    for (std::size_t row = 0; row < streams.size(); row += size) {
      for (const Triple& block : lane_blocks) {
        for (Index lane = 0; lane < lanes(); lane += config_.rows) {
          std::vector<float> sums(size * size, 0.0F);
          for (std::size_t i = 0; i < chunks.size(); ++i) {
            add_pass(streams, row, block[0] * lanes() + lane, chunks[i], i == 0, sums);
          }
          keep(streams, row, block[0] * lanes() + lane, sums);
        }
      }
    }
  }

  /// sums[row * size + lane] += a pass's outputs.
  void add_pass(const std::vector<Triple>& streams, std::size_t row, Index lane,
                const std::vector<Triple>& chunk, bool first, std::vector<float>& sums) {
    const auto size = static_cast<std::size_t>(config_.rows);
    const auto width = static_cast<std::size_t>(lanes());
    const std::size_t elements = op_ == Op::wgrad ? chunk.size() : chunk.size() * width;
    const std::size_t rows = (elements + width - 1) / width;
    sim::PassData pass;
    pass.segment_rows = {static_cast<Index>(rows)};
    pass.dense = {cut_.options.dense};
    pass.a.assign(rows * size * width, 0);
    pass.b.assign(rows * size * width, 0);
    for (std::size_t i = 0; i < size; ++i) {
      for (std::size_t e = 0; e < elements; ++e) {
        const std::size_t at = (e / width * size + i) * width + e % width;
        const Triple& sum = chunk[op_ == Op::wgrad ? e : e / width];
        const auto within = static_cast<Index>(e % width);
        const Index row_index =
            row + i < streams.size() ? row_element(streams[row + i], sum, within) : nowhere;
        const Index lane_index = lane_element(lane + static_cast<Index>(i), sum, within);
        auto& row_side = rows_on_b_ ? pass.b : pass.a;
        auto& lane_side = rows_on_b_ ? pass.a : pass.b;
        if (row_index != nowhere) row_side[at] = rows_[static_cast<std::size_t>(row_index)];
        if (lane_index != nowhere) lane_side[at] = lanes_[static_cast<std::size_t>(lane_index)];
      }
    }
    sim::PassResult result;
    tile_.run(pass, result);
    for (std::size_t r = 0; r < size; ++r) {
      for (std::size_t c = 0; c < size; ++c) {
        const float output = sim::widen(Format::fp32, result.outputs[r * size + c]);
        float& sum = sums[rows_on_b_ ? r * size + c : c * size + r];
        sum = first ? output : sum + output;
      }
    }
  }

  /// Position along a dimension that a window meets through a tap.
  Index met(int dimension, Index window, Index tap) const {
    const Index r = taps_[dimension][static_cast<std::size_t>(tap)];
    const Index reach = is_.padding[dimension] - r * is_.dilation[dimension];
    if (op_ == Op::fwd) return window * is_.stride[dimension] - reach;
    const Index phase = dimension == 0 ? y_ : x_;
    return window + (phase + reach) / is_.stride[dimension];  // divides
  }

  Index row_element(const Triple& stream, const Triple& sum, Index within) const {
    if (op_ == Op::wgrad) return is_.go(sum[2], group_ * is_.filters + stream[0], sum[0], sum[1]);
    const Index channel = sum[0] * lanes() + within;
    const Index y = met(0, stream[0], sum[1]);
    const Index x = met(1, stream[1], sum[2]);
    const Index* size = op_ == Op::fwd ? is_.in : is_.out;
    const Index channels = op_ == Op::fwd ? is_.channels : is_.filters;
    if (y < 0 || y >= size[0] || x < 0 || x >= size[1] || channel >= channels) return nowhere;
    return op_ == Op::fwd ? is_.a(stream[2], group_ * channels + channel, y, x)
                          : is_.go(stream[2], group_ * channels + channel, y, x);
  }

  Index lane_element(Index lane, const Triple& sum, Index within) const {
    if (op_ == Op::wgrad) {
      const Index y = sum[0] * is_.stride[0] + y_ * is_.dilation[0] - is_.padding[0];
      const Index x = sum[1] * is_.stride[1] + x_ * is_.dilation[1] - is_.padding[1];
      const bool inside = y >= 0 && y < is_.in[0] && x >= 0 && x < is_.in[1];
      if (!inside || lane >= is_.channels) return nowhere;
      return is_.a(sum[2], group_ * is_.channels + lane, y, x);
    }
    const Index other = sum[0] * lanes() + within;
    const Index filter = op_ == Op::fwd ? lane : other;
    const Index channel = op_ == Op::fwd ? other : lane;
    if (filter >= is_.filters || channel >= is_.channels) return nowhere;
    return is_.w(group_ * is_.filters + filter, channel, taps_[0][static_cast<std::size_t>(sum[1])],
                 taps_[1][static_cast<std::size_t>(sum[2])]);
  }

  void keep(const std::vector<Triple>& streams, std::size_t row, Index lane,
            const std::vector<float>& sums) {
    const auto size = static_cast<std::size_t>(config_.rows);
    for (std::size_t i = 0; i < size && row + i < streams.size(); ++i) {
      const Triple& stream = streams[row + i];
      for (std::size_t j = 0; j < size; ++j) {
        const Index one = lane + static_cast<Index>(j);
        if (one >= (op_ == Op::fwd ? is_.filters : is_.channels)) continue;
        Index to = 0;
        if (op_ == Op::fwd) {
          to = is_.go(stream[2], group_ * is_.filters + one, stream[0], stream[1]);
        } else if (op_ == Op::dgrad) {
          to = is_.a(stream[2], group_ * is_.channels + one, y_ + stream[0] * is_.stride[0],
                     x_ + stream[1] * is_.stride[1]);
        } else {
          to = is_.w(group_ * is_.filters + stream[0], one, y_, x_);
        }
        results_[static_cast<std::size_t>(to)] = sim::canonical_bits(sums[i * size + j]);
      }
    }
  }

  const Config& config_;
  sim::TileModel tile_;
  Sizes is_;
  Op op_;
  const sim::Cut& cut_;
  const PlainTensor& rows_;
  const PlainTensor& lanes_;
  bool rows_on_b_;
  PlainTensor results_;

  Index group_ = 0;
  Index y_ = 0;  ///< phase or kernel position
  Index x_ = 0;
  Indices taps_[2];
};

/// Images whose channels are those of every kernel position of x.
PlainTensor unrolled_images(const LayerInfo& layer, const PlainTensor& images) {
  const Sizes is(layer);
  PlainTensor result;
  for (Index n = 0; n < is.images; ++n)
    for (Index s = 0; s < is.kernel[1]; ++s)
      for (Index c = 0; c < is.channels; ++c)
        for (Index y = 0; y < is.in[0]; ++y)
          for (Index q = 0; q < is.out[1]; ++q) {
            const Index x = q * is.stride[1] + s * is.dilation[1] - is.padding[1];
            const bool there = x >= 0 && x < is.in[1];
            result.push_back(there ? images[static_cast<std::size_t>(is.a(n, c, y, x))] : 0);
          }
  return result;
}

/// Where the elements of such filters come from, in their order.
std::vector<std::size_t> unrolled_filters(const LayerInfo& layer) {
  const Sizes is(layer);
  std::vector<std::size_t> result;
  for (Index k = 0; k < is.filters; ++k)
    for (Index s = 0; s < is.kernel[1]; ++s)
      for (Index c = 0; c < is.channels; ++c)
        for (Index r = 0; r < is.kernel[0]; ++r)
          result.push_back(static_cast<std::size_t>(is.w(k, c, r, s)));
  return result;
}

PlainTensor plain_unrolled(const Config& config, const LayerInfo& layer, Op op, const sim::Cut& cut,
                           const PlainTensor& first, const PlainTensor& second) {
  const std::vector<std::size_t> from = unrolled_filters(layer);
  PlainTensor filters_or_gradients;
  if (op == Op::wgrad) {
    filters_or_gradients = second;
  } else {
    for (const std::size_t at : from) filters_or_gradients.push_back(second[at]);
  }
  PlainTensor found = Plain(config, sim::unrolled(layer), op, cut, unrolled_images(layer, first),
                            filters_or_gradients)
                          .run();
  if (op == Op::fwd) return found;
  PlainTensor result(found.size());
  for (std::size_t i = 0; i < from.size(); ++i) result[from[i]] = found[i];
  return result;
}

}  // namespace

PlainTensor plain_accelerator(const Config& config, const LayerInfo& layer, Op op,
                              const sim::Cut& cut, const PlainTensor& first,
                              const PlainTensor& second) {
  if (sim::is_unrolled(layer, config.lanes)) {
    return plain_unrolled(config, layer, op, cut, first, second);
  }
  return Plain(config, layer, op, cut, first, second).run();
}

}  // namespace td::verify
