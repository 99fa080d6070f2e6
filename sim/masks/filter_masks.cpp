// SPDX-License-Identifier: Apache-2.0
// Lane masks of filters: channels (fwd) or filters (dgrad) side by side, at every kernel position.
#include <algorithm>

#include "base/support/parallel.hpp"
#include "sim/masks/nonzero.hpp"
#include "sim/masks/stream_masks.hpp"

namespace td::sim {
namespace {

/// Masks stand as the tensor's other dimensions do. fwd: [filter][channel block][kernel position];
/// dgrad: [group][filter block][channel][kernel position].
template <class Mask>
class FilterMasks : public StreamMasks<Mask> {
 public:
  explicit FilterMasks(const StreamOperand& operand) : StreamMasks<Mask>(operand, 1) {
    const Shape& shape = operand.layer.w;
    is_fwd_ = operand.mapping.op() == Op::fwd;
    width_ = operand.layer.type == LayerType::linear ? 1 : shape[3];
    taps_ = operand.layer.type == LayerType::linear ? 1 : shape[2] * shape[3];
    groups_ = operand.layer.conv.groups;
    filters_ = shape[0] / groups_;
    channels_ = shape[1];
    row_blocks_ = ((is_fwd_ ? channels_ : filters_) - 1) / this->lanes_ + 1;
    const std::int64_t streams = is_fwd_ ? filters_ : channels_;
    this->set_image_masks({groups_, streams, row_blocks_, taps_});
  }

  void load(std::int64_t, Mask* table) const override {
    const StreamOperand& operand = this->operand_;
    const Dtype dtype = operand.source.dtype(operand.layer, operand.operand());
    with_nonzero_test(dtype, operand.format, [&](const auto& nonzero) {
      // Filters of one block of lanes share masks, so they stay with one thread.
      parallel_for(groups_ * filter_blocks(), [&](std::int64_t block) {
        const std::int64_t first = block % filter_blocks() * this->lanes_;
        const std::int64_t group = block / filter_blocks() * filters_;
        SlabBuffer buffer;
        for (std::int64_t k = first; k < std::min(filters_, first + this->lanes_); ++k) {
          const unsigned char* slab =
              operand.source.slab(operand.layer, operand.operand(), group + k, buffer);
          if (is_fwd_) {
            load_stream(nonzero, slab, table + (group + k) * row_blocks_ * taps_);
          } else {
            nonzero.add_bit(slab, channels_ * taps_, static_cast<int>(k - first),
                            table + block * channels_ * taps_);
          }
        }
      });
    });
  }

  void bases(const Block& block, std::int64_t begin, std::int64_t count,
             std::uint32_t* bases) const override {
    const std::int64_t step = is_fwd_ ? row_blocks_ * taps_ : taps_;
    const std::int64_t group = block.group * this->image_masks() / groups_;
    for (std::int64_t i = 0; i < count; ++i) {
      bases[i] = static_cast<std::uint32_t>(group + (begin + i) * step);
    }
  }

  std::vector<std::uint32_t> offsets(const Block& block) const override {
    const std::int64_t step = is_fwd_ ? taps_ : channels_ * taps_;
    std::vector<std::uint32_t> offsets;
    for (const Mapping::Tap& x : this->operand_.mapping.axis(block, 1).taps) {
      for (const Mapping::Tap& y : this->operand_.mapping.axis(block, 0).taps) {
        for (std::int64_t b = 0; b < row_blocks_; ++b) {
          offsets.push_back(static_cast<std::uint32_t>(b * step + y.kernel * width_ + x.kernel));
        }
      }
    }
    return offsets;
  }

 private:
  /// Blocks of as many filters as there are lanes, in one group.
  std::int64_t filter_blocks() const { return (filters_ - 1) / this->lanes_ + 1; }

  /// A filter whose channels lie along the lanes.
  template <class Nonzero>
  void load_stream(const Nonzero& nonzero, const unsigned char* slab, Mask* masks) const {
    for (std::int64_t b = 0; b < row_blocks_; ++b) {
      const auto lanes = static_cast<int>(std::min(this->lanes_, channels_ - b * this->lanes_));
      for (std::int64_t tap = 0; tap < taps_; ++tap) {
        const std::int64_t first = b * this->lanes_ * taps_ + tap;
        *masks++ = nonzero.template gather<Mask>(slab + first * nonzero.bytes(), taps_, lanes);
      }
    }
  }

  bool is_fwd_;
  std::int64_t width_;  ///< of the kernel
  std::int64_t taps_;
  std::int64_t groups_;
  std::int64_t filters_;  ///< in one group
  std::int64_t channels_;
  std::int64_t row_blocks_;  ///< rows for each kernel position
};

}  // namespace

template <class Mask>
std::unique_ptr<StreamMasks<Mask>> make_filter_masks(const StreamOperand& operand) {
  return std::make_unique<FilterMasks<Mask>>(operand);
}

template std::unique_ptr<StreamMasks<std::uint16_t>> make_filter_masks(const StreamOperand&);
template std::unique_ptr<StreamMasks<std::uint32_t>> make_filter_masks(const StreamOperand&);
template std::unique_ptr<StreamMasks<std::uint64_t>> make_filter_masks(const StreamOperand&);

}  // namespace td::sim
