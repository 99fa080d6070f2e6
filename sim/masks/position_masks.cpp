// SPDX-License-Identifier: Apache-2.0
// Lane masks of wgrad: the output positions of a channel flattened, y fastest; or a linear layer's
// batch.
#include <algorithm>

#include "base/support/parallel.hpp"
#include "sim/masks/nonzero.hpp"
#include "sim/masks/stream_masks.hpp"

namespace td::sim {
namespace {

/// One channel of an image, a bit for every position: columns of words along y. The positions of
/// one column that a stride meets together lie side by side.
class Columns {
 public:
  Columns(std::int64_t height, std::int64_t width, std::int64_t stride)
      : height_(height), width_(width), stride_(stride) {
    phases_ = std::min(stride, height);
    words_ = (height - 1) / stride / 64 + 1;
    bits_.resize(static_cast<std::size_t>(phases_ * words_ * width_));
  }

  template <class Nonzero>
  void load(const Nonzero& nonzero, const unsigned char* plane) {
    std::fill(bits_.begin(), bits_.end(), std::uint64_t{0});
    for (std::int64_t y = 0; y < height_; ++y) {
      const std::int64_t step = y / stride_;
      std::uint64_t* words = bits_.data() + (y % stride_ * words_ + step / 64) * width_;
      nonzero.add_bit(plane + y * width_ * nonzero.bytes(), width_, static_cast<int>(step % 64),
                      words);
    }
  }

  /// Bit i of 64 is position y + i * stride of column x; 0 outside the image.
  std::uint64_t read(std::int64_t x, std::int64_t y) const {
    const std::int64_t phase = (y % stride_ + stride_) % stride_;
    if (x < 0 || x >= width_ || phase >= phases_) return 0;
    const std::int64_t step = (y - phase) / stride_;
    const std::int64_t shift = (step % 64 + 64) % 64;
    const std::int64_t first = (step - shift) / 64;
    const std::uint64_t low = word(phase, first, x) >> shift;
    return shift == 0 ? low : low | word(phase, first + 1, x) << (64 - shift);
  }

 private:
  std::uint64_t word(std::int64_t phase, std::int64_t index, std::int64_t x) const {
    if (index < 0 || index >= words_) return 0;
    return bits_[static_cast<std::size_t>((phase * words_ + index) * width_ + x)];
  }

  std::int64_t height_;
  std::int64_t width_;
  std::int64_t stride_;
  std::int64_t phases_;
  std::int64_t words_;               ///< of a column and phase
  std::vector<std::uint64_t> bits_;  ///< [phase][word][x]
};

/// Cuts a stream of bits into masks of `lanes` bits, `distance` apart.
template <class Mask>
class MaskWriter {
 public:
  MaskWriter(Mask* out, std::int64_t distance, std::int64_t lanes)
      : out_(out), distance_(distance), lanes_(lanes) {}

  /// Appends the low `count` (1…64) of `bits`.
  void append(std::uint64_t bits, std::int64_t count) {
    while (count > 0) {
      const std::int64_t taken = std::min(count, lanes_ - filled_);
      *out_ = static_cast<Mask>(
          *out_ | static_cast<Mask>((bits & (~std::uint64_t{0} >> (64 - taken))) << filled_));
      filled_ += taken;
      count -= taken;
      bits = taken == 64 ? 0 : bits >> taken;
      if (filled_ == lanes_) {
        out_ += distance_;
        filled_ = 0;
      }
    }
  }

 private:
  Mask* out_;
  std::int64_t distance_;
  std::int64_t lanes_;
  std::int64_t filled_ = 0;
};

/// Masks stand [kernel position][row][channel]; only A differs from kernel position to position.
template <class Mask>
class PositionMasks : public StreamMasks<Mask> {
 public:
  explicit PositionMasks(const StreamOperand& operand)
      : StreamMasks<Mask>(operand, is_linear(operand) ? 1 : operand.layer.a[0]) {
    samples_ = operand.which == Which::first && !is_linear(operand);
    channels_ = operand.layer.shape(operand.operand())[1];
    group_channels_ = channels_ / operand.layer.conv.groups;
    rows_ = operand.mapping.blocks().front().segment_rows;
    const Shape& kernel = operand.layer.w;
    this->set_image_masks({samples_ ? kernel[2] : 1, samples_ ? kernel[3] : 1, rows_, channels_});
  }

  void load(std::int64_t image, Mask* table) const override {
    const StreamOperand& operand = this->operand_;
    const Dtype dtype = operand.source.dtype(operand.layer, operand.operand());
    with_nonzero_test(dtype, operand.format, [&](const auto& nonzero) {
      if (is_linear(operand)) {
        load_batch(nonzero, table);
      } else {
        load_image(nonzero, image, table);
      }
    });
  }

  void bases(const Block& block, std::int64_t begin, std::int64_t count,
             std::uint32_t* bases) const override {
    const std::int64_t position = samples_ ? block.x * this->operand_.layer.w[2] + block.y : 0;
    const std::int64_t first = position * rows_ * channels_ + block.group * group_channels_ + begin;
    for (std::int64_t i = 0; i < count; ++i) bases[i] = static_cast<std::uint32_t>(first + i);
  }

  std::vector<std::uint32_t> offsets(const Block&) const override {
    std::vector<std::uint32_t> offsets;
    for (std::int64_t t = 0; t < rows_; ++t) {
      offsets.push_back(static_cast<std::uint32_t>(t * channels_));
    }
    return offsets;
  }

 private:
  static bool is_linear(const StreamOperand& operand) {
    return operand.layer.type == LayerType::linear;
  }

  template <class Nonzero>
  void load_batch(const Nonzero& nonzero, Mask* table) const {
    const StreamOperand& operand = this->operand_;
    parallel_for(rows_, [&](std::int64_t t) {
      const std::int64_t end = std::min(operand.layer.a[0], (t + 1) * this->lanes_);
      SlabBuffer buffer;
      for (std::int64_t n = t * this->lanes_; n < end; ++n) {
        nonzero.add_bit(operand.source.slab(operand.layer, operand.operand(), n, buffer), channels_,
                        static_cast<int>(n % this->lanes_), table + t * channels_);
      }
    });
  }

  template <class Nonzero>
  void load_image(const Nonzero& nonzero, std::int64_t image, Mask* table) const {
    const StreamOperand& operand = this->operand_;
    SlabBuffer buffer;
    const unsigned char* plane =
        operand.source.slab(operand.layer, operand.operand(), image, buffer);
    const Shape& shape = operand.layer.shape(operand.operand());
    parallel_pieces(channels_, [&](std::int64_t begin, std::int64_t end) {
      Columns columns(shape[2], shape[3], samples_ ? operand.layer.conv.stride[0] : 1);
      for (std::int64_t channel = begin; channel < end; ++channel) {
        columns.load(nonzero, plane + channel * shape[2] * shape[3] * nonzero.bytes());
        if (samples_) {
          put_samples(columns, table + channel);
        } else {
          put_stream(columns, {}, {}, 1, table + channel);
        }
      }
    });
  }

  /// A channel of A as every kernel position meets it; blocks are in the order of the positions.
  void put_samples(const Columns& columns, Mask* out) const {
    const Mapping& mapping = this->operand_.mapping;
    const Mapping::Axis& down = mapping.axis(mapping.blocks().front(), 0);
    const Mapping::Axis& across = mapping.axis(mapping.blocks().front(), 1);
    for (const Mapping::Tap& x : across.taps) {
      for (const Mapping::Tap& y : down.taps) {
        put_stream(columns, x, y, across.step, out);
        out += rows_ * channels_;
      }
    }
  }

  void put_stream(const Columns& columns, const Mapping::Tap& x, const Mapping::Tap& y,
                  std::int64_t step, Mask* out) const {
    const LayerInfo& layer = this->operand_.layer;
    const std::int64_t stride = samples_ ? layer.conv.stride[0] : 1;
    MaskWriter<Mask> writer(out, channels_, this->lanes_);
    for (std::int64_t q = 0; q < layer.go[3]; ++q) {
      for (std::int64_t p = 0; p < layer.go[2]; p += 64) {
        writer.append(columns.read(q * step + x.offset, p * stride + y.offset),
                      std::min<std::int64_t>(64, layer.go[2] - p));
      }
    }
  }

  bool samples_;  ///< A at the stride, for every kernel position; else GO, as it lies
  std::int64_t channels_;
  std::int64_t group_channels_;
  std::int64_t rows_;
};

}  // namespace

template <class Mask>
std::unique_ptr<StreamMasks<Mask>> make_position_masks(const StreamOperand& operand) {
  return std::make_unique<PositionMasks<Mask>>(operand);
}

template std::unique_ptr<StreamMasks<std::uint16_t>> make_position_masks(const StreamOperand&);
template std::unique_ptr<StreamMasks<std::uint32_t>> make_position_masks(const StreamOperand&);
template std::unique_ptr<StreamMasks<std::uint64_t>> make_position_masks(const StreamOperand&);

}  // namespace td::sim
