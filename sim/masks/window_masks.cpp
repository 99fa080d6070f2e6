// SPDX-License-Identifier: Apache-2.0
// Lane masks of windows: a plane of positions for every block of channels, with the padding around.
#include <algorithm>
#include <limits>

#include "base/support/parallel.hpp"
#include "sim/masks/nonzero.hpp"
#include "sim/masks/stream_masks.hpp"

namespace td::sim {
namespace {

/// Positions that the windows of any block look at: 0…size-1 counted from `origin`.
struct Range {
  std::int64_t origin = std::numeric_limits<std::int64_t>::max();
  std::int64_t end = std::numeric_limits<std::int64_t>::min();

  std::int64_t size() const { return end > origin ? end - origin : 0; }

  void include(const Mapping::Axis& axis) {
    for (const Mapping::Tap& tap : axis.taps) {
      origin = std::min(origin, tap.offset);
      end = std::max(end, (axis.windows - 1) * axis.step + tap.offset + 1);
    }
  }
};

/// Masks stand [group][channel block][x][y]: neighbouring windows are neighbours along y.
template <class Mask>
class WindowMasks : public StreamMasks<Mask> {
 public:
  explicit WindowMasks(const StreamOperand& operand)
      : StreamMasks<Mask>(operand, images_of(operand.layer)) {
    const LayerInfo& layer = operand.layer;
    groups_ = layer.conv.groups;
    channels_ = layer.shape(operand.operand())[1] / groups_;
    channel_blocks_ = (channels_ - 1) / this->lanes_ + 1;
    for (const Block& block : operand.mapping.blocks()) {
      if (block.group > 0 || block.image > 0) break;
      down_.include(operand.mapping.axis(block, 0));
      across_.include(operand.mapping.axis(block, 1));
    }
    this->set_image_masks({groups_, channel_blocks_, down_.size(), across_.size()});
    plane_ = down_.size() * across_.size();
  }

  void load(std::int64_t image, Mask* table) const override {
    if (plane_ == 0) return;  // no window looks at anything
    const StreamOperand& operand = this->operand_;
    const Dtype dtype = operand.source.dtype(operand.layer, operand.operand());
    with_nonzero_test(dtype, operand.format, [&](const auto& nonzero) {
      if (operand.layer.type == LayerType::linear) {
        load_batch(nonzero, table);
      } else {
        load_image(nonzero, image, table);
      }
    });
  }

  void bases(const Block& block, std::int64_t begin, std::int64_t count,
             std::uint32_t* bases) const override {
    const Mapping::Axis& down = this->operand_.mapping.axis(block, 0);
    const Mapping::Axis& across = this->operand_.mapping.axis(block, 1);
    const std::int64_t group = block.group * channel_blocks_ * plane_;
    std::int64_t x = begin / down.windows;
    std::int64_t y = begin % down.windows;
    for (std::int64_t i = 0; i < count; ++i) {
      bases[i] = static_cast<std::uint32_t>(group + x * across.step * down_.size() + y * down.step);
      if (++y == down.windows) {
        y = 0;
        ++x;
      }
    }
  }

  std::vector<std::uint32_t> offsets(const Block& block) const override {
    std::vector<std::uint32_t> offsets;
    for (const Mapping::Tap& x : this->operand_.mapping.axis(block, 1).taps) {
      for (const Mapping::Tap& y : this->operand_.mapping.axis(block, 0).taps) {
        const std::int64_t position =
            (x.offset - across_.origin) * down_.size() + y.offset - down_.origin;
        for (std::int64_t b = 0; b < channel_blocks_; ++b) {
          offsets.push_back(static_cast<std::uint32_t>(b * plane_ + position));
        }
      }
    }
    return offsets;
  }

 private:
  static std::int64_t images_of(const LayerInfo& layer) {
    return layer.type == LayerType::linear ? 1 : layer.a[0];
  }

  int channels_in(std::int64_t block) const {
    return static_cast<int>(std::min(this->lanes_, channels_ - block * this->lanes_));
  }

  /// A linear layer's batch: one position for every slab, channels side by side.
  template <class Nonzero>
  void load_batch(const Nonzero& nonzero, Mask* table) const {
    const StreamOperand& operand = this->operand_;
    parallel_pieces(down_.size(), [&](std::int64_t begin, std::int64_t end) {
      SlabBuffer buffer;
      for (std::int64_t n = begin; n < end; ++n) {
        const unsigned char* slab =
            operand.source.slab(operand.layer, operand.operand(), n, buffer);
        for (std::int64_t b = 0; b < channel_blocks_; ++b) {
          table[b * plane_ + n] = nonzero.template gather<Mask>(
              slab + b * this->lanes_ * nonzero.bytes(), 1, channels_in(b));
        }
      }
    });
  }

  template <class Nonzero>
  void load_image(const Nonzero& nonzero, std::int64_t image, Mask* table) const {
    const StreamOperand& operand = this->operand_;
    SlabBuffer buffer;
    const unsigned char* channel =
        operand.source.slab(operand.layer, operand.operand(), image, buffer);
    const Shape& shape = operand.layer.shape(operand.operand());
    const std::int64_t positions = shape[2] * shape[3];
    std::vector<Mask> masks(static_cast<std::size_t>(positions));
    for (std::int64_t group = 0; group < groups_; ++group) {
      for (std::int64_t b = 0; b < channel_blocks_; ++b) {
        std::fill(masks.begin(), masks.end(), Mask{0});
        for (int lane = 0; lane < channels_in(b); ++lane) {
          nonzero.add_bit(channel, positions, lane, masks.data());
          channel += positions * nonzero.bytes();
        }
        put_plane(shape, masks.data(), table);
        table += plane_;
      }
    }
  }

  /// From the tensor's order (x fastest) to the table's, without what no window looks at.
  void put_plane(const Shape& shape, const Mask* masks, Mask* plane) const {
    const std::int64_t x_begin = std::max<std::int64_t>(0, across_.origin);
    const std::int64_t x_end = std::min(shape[3], across_.end);
    const std::int64_t y_end = std::min(shape[2], down_.end);
    for (std::int64_t y = std::max<std::int64_t>(0, down_.origin); y < y_end; ++y) {
      Mask* out = plane + (y - down_.origin);
      for (std::int64_t x = x_begin; x < x_end; ++x) {
        out[(x - across_.origin) * down_.size()] = masks[y * shape[3] + x];
      }
    }
  }

  std::int64_t groups_;
  std::int64_t channels_;  ///< in one group
  std::int64_t channel_blocks_;
  std::int64_t plane_ = 0;
  Range down_;
  Range across_;
};

}  // namespace

template <class Mask>
std::unique_ptr<StreamMasks<Mask>> make_window_masks(const StreamOperand& operand) {
  return std::make_unique<WindowMasks<Mask>>(operand);
}

template std::unique_ptr<StreamMasks<std::uint16_t>> make_window_masks(const StreamOperand&);
template std::unique_ptr<StreamMasks<std::uint32_t>> make_window_masks(const StreamOperand&);
template std::unique_ptr<StreamMasks<std::uint64_t>> make_window_masks(const StreamOperand&);

}  // namespace td::sim
