// SPDX-License-Identifier: Apache-2.0
#include "verify/plain/plain_gradients.hpp"

#include <algorithm>
#include <array>
#include <set>

namespace td::verify {
namespace {

using Place = std::array<std::int64_t, 4>;

/// Places of an operand: of each image or filter, channel and position. Linear layers: a batch is
/// one image, whose positions are the samples.
template <class Visit>
void each_element(const sim::LayerInfo& layer, sim::Operand operand, std::int64_t begin,
                  std::int64_t end, const Visit& visit) {
  const sim::Shape& shape = layer.shape(operand);
  const bool flat = shape.size() == 2;
  const std::int64_t positions = flat ? 1 : shape[2] * shape[3];
  for (std::int64_t outer = begin; outer < std::min(end, shape[0]); ++outer) {
    for (std::int64_t channel = 0; channel < shape[1]; ++channel) {
      for (std::int64_t position = 0; position < positions; ++position) {
        const bool sample = flat && operand != sim::Operand::W;
        visit(sample ? 0 : outer, channel, sample ? outer : position);
      }
    }
  }
}

/// Rows of channels side by side.
std::int64_t plain_rows(const Config& config, const sim::LayerInfo& layer, std::int64_t begin,
                        std::int64_t end) {
  std::set<Place> rows;
  each_element(layer, sim::Operand::GO, begin, end,
               [&](std::int64_t image, std::int64_t channel, std::int64_t position) {
                 rows.insert({image, position, channel / config.lanes, 0});
               });
  return static_cast<std::int64_t>(rows.size());
}

/// Whole squares of lanes by lanes.
std::int64_t turned_rows(const Config& config, const sim::LayerInfo& layer, sim::Operand operand,
                         std::int64_t begin, std::int64_t end) {
  std::set<Place> squares;
  const std::int64_t lanes = config.lanes;
  const std::int64_t group_filters = layer.w[0] / layer.conv.groups;
  each_element(layer, operand, begin, end,
               [&](std::int64_t outer, std::int64_t channel, std::int64_t position) {
                 const bool filter = operand == sim::Operand::W;
                 squares.insert(filter ? Place{outer / group_filters, outer % group_filters / lanes,
                                               channel / lanes, position}
                                       : Place{outer, position / lanes, channel / lanes, 0});
               });
  return lanes * static_cast<std::int64_t>(squares.size());
}

}  // namespace

PlainGradients plain_gradients(const Config& config, const sim::LayerInfo& layer,
                               std::int64_t images) {
  const std::int64_t all = layer.go[0];
  const std::int64_t weights = turned_rows(config, layer, sim::Operand::W, 0, layer.w[0]);
  PlainGradients most;
  std::int64_t before = 0;
  for (std::int64_t begin = 0; begin < all; begin += images) {
    const std::int64_t end = begin + images;
    const std::int64_t gradients = plain_rows(config, layer, begin, end);
    const std::int64_t turned = turned_rows(config, layer, sim::Operand::GO, begin, end);
    const std::int64_t activations = turned_rows(config, layer, sim::Operand::A, begin, end);
    most.first = std::max(most.first, gradients + activations);
    most.second = std::max(most.second, weights + before + turned);
    most.gradients = std::max(most.gradients, gradients);
    most.turned = std::max(most.turned, turned);
    before = turned;
  }
  return most;
}

}  // namespace td::verify
