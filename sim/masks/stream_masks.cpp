// SPDX-License-Identifier: Apache-2.0
#include "sim/masks/stream_masks.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/support/error.hpp"

namespace td::sim {

template <class Mask>
StreamMasks<Mask>::StreamMasks(const StreamOperand& operand, std::int64_t images)
    : operand_(operand), lanes_(operand.mapping.lanes()), images_(images) {}

template <class Mask>
void StreamMasks<Mask>::set_image_masks(const Shape& dimensions) {
  if (std::find(dimensions.begin(), dimensions.end(), 0) != dimensions.end()) return;
  // A bound for the memory that a layer takes; below it, 32 bits can number the masks.
  constexpr std::int64_t most = (std::int64_t{1} << 27) / static_cast<std::int64_t>(sizeof(Mask));
  image_masks_ = count(dimensions);
  if (image_masks_ == 0 || image_masks_ > most) {
    throw UserError(operand_.source.path(),
                    fmt::format("{}/{} shape", path(operand_.layer), to_string(operand_.operand())),
                    to_string(operand_.layer.shape(operand_.operand())),
                    fmt::format("at most {} different rows of {} lanes, padding included, in an "
                                "image of a convolution, or in a filter tensor or linear layer",
                                most, lanes_));
  }
}

template <class Mask>
std::unique_ptr<StreamMasks<Mask>> make_stream_masks(const StreamOperand& operand) {
  if (operand.mapping.op() == Op::wgrad) return make_position_masks<Mask>(operand);
  if (operand.which == Which::first) return make_window_masks<Mask>(operand);
  return make_filter_masks<Mask>(operand);
}

template <class Mask>
std::vector<Mask> filling_lanes(const LayerInfo& layer, const Mapping& mapping,
                                const Block& block) {
  std::int64_t reduced = layer.w[1];
  if (mapping.op() == Op::dgrad) reduced = layer.w[0] / layer.conv.groups;
  if (mapping.op() == Op::wgrad) {
    reduced = layer.type == LayerType::linear ? layer.go[0] : layer.go[2] * layer.go[3];
  }
  const std::int64_t used = reduced % mapping.lanes();
  std::vector<Mask> lanes(static_cast<std::size_t>(block.segment_rows), Mask{0});
  if (used == 0) return lanes;
  const auto all = static_cast<Mask>(~std::uint64_t{0} >> (64 - mapping.lanes()));
  const auto filling = static_cast<Mask>(all & ~((std::uint64_t{1} << used) - 1));
  const auto blocks = static_cast<std::size_t>((reduced - 1) / mapping.lanes() + 1);
  for (std::size_t t = blocks - 1; t < lanes.size(); t += blocks) lanes[t] = filling;
  return lanes;
}

template class StreamMasks<std::uint16_t>;
template class StreamMasks<std::uint32_t>;
template class StreamMasks<std::uint64_t>;
template std::unique_ptr<StreamMasks<std::uint16_t>> make_stream_masks(const StreamOperand&);
template std::unique_ptr<StreamMasks<std::uint32_t>> make_stream_masks(const StreamOperand&);
template std::unique_ptr<StreamMasks<std::uint64_t>> make_stream_masks(const StreamOperand&);
template std::vector<std::uint16_t> filling_lanes(const LayerInfo&, const Mapping&, const Block&);
template std::vector<std::uint32_t> filling_lanes(const LayerInfo&, const Mapping&, const Block&);
template std::vector<std::uint64_t> filling_lanes(const LayerInfo&, const Mapping&, const Block&);

}  // namespace td::sim
