// SPDX-License-Identifier: Apache-2.0
// The streams of an operation as lane masks: a bit for every operand, set where it is not zero.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "base/configuration/format.hpp"
#include "sim/mapping/mapping.hpp"
#include "sim/trace/operand_source.hpp"

namespace td::sim {

/// What the streams of one side are read from.
struct StreamOperand {
  const OperandSource& source;
  const LayerInfo& layer;
  const Mapping& mapping;
  Which which;
  Format format;  ///< of the configuration: rounding to it makes zeros

  Operand operand() const { return sim::operand(mapping.op(), which); }
};

/// A table of the masks of all different rows, and where a stream's rows stand in it. Rows that
/// several streams share, as windows that overlap do, are there once. Tables are loaded image by
/// image. `Mask` (std::uint16_t, std::uint32_t, std::uint64_t) has a bit for every lane or more.
template <class Mask>
class StreamMasks {
 public:
  virtual ~StreamMasks() = default;

  /// Images that can be loaded apart; 1 where streams do not belong to images.
  std::int64_t images() const { return images_; }

  /// Masks of one image. Throws UserError when they are too many to be numbered.
  std::int64_t image_masks() const { return image_masks_; }

  /// Writes image_masks() masks of an image to `table`, which is all zeros.
  virtual void load(std::int64_t image, Mask* table) const = 0;

  /// Where `count` streams of a block begin: the mask of a stream's row t is
  /// table[base + offsets()[t]]. The same for every image.
  virtual void bases(const Block& block, std::int64_t begin, std::int64_t count,
                     std::uint32_t* bases) const = 0;

  /// [segment_rows]
  virtual std::vector<std::uint32_t> offsets(const Block& block) const = 0;

 protected:
  StreamMasks(const StreamOperand& operand, std::int64_t images);

  /// Called by constructors: the product of `dimensions`, which may be 0.
  void set_image_masks(const Shape& dimensions);

  StreamOperand operand_;
  std::int64_t lanes_;

 private:
  std::int64_t images_;
  std::int64_t image_masks_ = 0;
};

/// The masks of one side. What `operand` refers to must outlive them.
template <class Mask>
std::unique_ptr<StreamMasks<Mask>> make_stream_masks(const StreamOperand& operand);

/// [segment_rows]: the lanes that only fill up the row, in the streams of a block.
template <class Mask>
std::vector<Mask> filling_lanes(const LayerInfo& layer, const Mapping& mapping, const Block& block);

/// Windows of A (fwd) or GO (dgrad), filters, and flattened positions (wgrad).
template <class Mask>
std::unique_ptr<StreamMasks<Mask>> make_window_masks(const StreamOperand& operand);
template <class Mask>
std::unique_ptr<StreamMasks<Mask>> make_filter_masks(const StreamOperand& operand);
template <class Mask>
std::unique_ptr<StreamMasks<Mask>> make_position_masks(const StreamOperand& operand);

}  // namespace td::sim
