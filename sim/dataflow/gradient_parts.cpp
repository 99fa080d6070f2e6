// SPDX-License-Identifier: Apache-2.0
#include "sim/dataflow/gradient_parts.hpp"

#include <algorithm>

#include "sim/dataflow/dataflow.hpp"
#include "sim/memory/off_chip.hpp"

namespace td::sim {

namespace {

/// Rows of an operand in the large memories.
std::int64_t rows_of(const Config& config, const LayerInfo& layer, Op op, Operand operand) {
  return stored_tensor(layer, layer, op, operand, config, 0).rows;
}

/// The most images of which the large memories hold what a part needs; may be none.
std::int64_t most_images(const Config& config, const LayerInfo& layer) {
  const std::int64_t half = half_rows(config);
  const std::int64_t images = layer.go[0];
  const std::int64_t gradients = rows_of(config, layer, Op::wgrad, Operand::GO) / images;
  const std::int64_t firsts = (rows_of(config, layer, Op::dgrad, Operand::GO) +
                               rows_of(config, layer, Op::wgrad, Operand::A)) /
                              images;
  const std::int64_t beside_weights = 2 * half - rows_of(config, layer, Op::dgrad, Operand::W);
  return std::min(half / firsts, std::max<std::int64_t>(beside_weights, 0) / (2 * gradients));
}

}  // namespace

std::optional<GradientParts> gradient_parts(const Config& config, const LayerInfo& layer) {
  const std::int64_t half = half_rows(config);
  if (rows_of(config, layer, Op::dgrad, Operand::GO) <= half &&
      rows_of(config, layer, Op::wgrad, Operand::GO) <= half) {
    return GradientParts{};
  }
  if (layer.type == LayerType::linear) return std::nullopt;  // its batch is one image
  const auto blocks = super_blocks(Mapping(layer, Op::wgrad, config.lanes));
  const std::int64_t step = chunks(blocks.front(), scratchpad_rows(config)).segments;
  const std::int64_t parts = most_images(config, layer) / step;
  if (parts == 0) return std::nullopt;
  // Whichever operand is on side B.
  const std::int64_t sum_rows = std::max(partial_rows(blocks, config, Which::first),
                                         partial_rows(blocks, config, Which::second));
  return GradientParts{parts * step, sum_rows};
}

}  // namespace td::sim
