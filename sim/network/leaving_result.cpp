// SPDX-License-Identifier: Apache-2.0
#include "sim/network/leaving_result.hpp"

#include "sim/mapping/mapping.hpp"
#include "sim/memory/off_chip.hpp"

namespace td::sim {

namespace {

std::int64_t stored_bytes(const LayerInfo& layer, const Config& config,
                          const ZerosOfActivations& zeros) {
  const ZeroCount counted = zeros(layer);
  return compressed_bytes(counted.elements, counted.elements - counted.zeros,
                          output_width(config) / 8);
}

/// Of bytes that several layers write: the part of one, by its channels; all add up.
std::int64_t part_of(std::int64_t bytes, const std::vector<LayerInfo>& layers,
                     const std::vector<std::size_t>& writers, std::size_t writer) {
  std::int64_t all = 0;
  std::int64_t before = 0;
  for (const std::size_t one : writers) {
    if (one == writer) before = all;
    all += layers[one].go[1];
  }
  const std::int64_t behind = before + layers[writer].go[1];
  return bytes * behind / all - bytes * before / all;
}

}  // namespace

std::optional<LeavingResult> leaving_result(const std::vector<LayerInfo>& layers,
                                            const LayerLinks& links, const LayerInfo& layer, Op op,
                                            const Config& config, const ZerosOfActivations& zeros) {
  if (links.empty() || op == Op::wgrad) return std::nullopt;
  const auto index = static_cast<std::size_t>(&layer - layers.data());
  const std::int64_t raw = count(layer.shape(result_like(op))) * (output_width(config) / 8);
  LeavingResult result;
  if (op == Op::dgrad) {
    if (!links[index].relu) return std::nullopt;
    result = {stored_bytes(layer, config, zeros), ceil_div(count(layer.a), 8)};
  } else {
    const LayerInfo* reader = reader_of(layers, links, index);
    if (reader == nullptr) return std::nullopt;
    const auto& writers = links[static_cast<std::size_t>(reader - layers.data())].from;
    result = {part_of(stored_bytes(*reader, config, zeros), layers, writers, index), 0};
  }
  if (result.written_bytes + result.mask_bytes >= raw) return std::nullopt;
  return result;
}

}  // namespace td::sim
