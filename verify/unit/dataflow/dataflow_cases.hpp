// SPDX-License-Identifier: Apache-2.0
// Small machines, layers and dataflows for tests, drawn so that every level is full at times.
#pragma once

#include <optional>
#include <random>

#include "sim/dataflow/dataflow.hpp"
#include "sim/mapping/layer.hpp"
#include "sim/trace/shared_rows.hpp"
#include "verify/unit/configuration/random_config.hpp"
#include "verify/unit/mapping/layers.hpp"

namespace td::unit {

inline Config dataflow_machine(std::mt19937& random) {
  Config config = config_of("");
  config.lanes = pick(random, 2, 5);
  config.rows = pick(random, 1, 4);
  config.columns = pick(random, 1, 4);
  config.depth = pick(random, 2, 4);
  config.options = random_options(random, config.lanes, config.depth, 4);
  config.levels = random_levels(random, config.options, config.lanes);
  config.format = pick(random, 0, 1) == 0 ? Format::fp32 : Format::bf16;
  Accelerator& machine = config.accelerator;
  machine.tiles = pick(random, 1, 9);
  machine.sram_banks = pick(random, 1, 2);
  machine.sram_bank_bytes = pick(random, 1, 8) * 4 * config.lanes;
  machine.scratchpad_bank_bytes = pick(random, 2, 12) * 4 * config.lanes;
  return config;
}

inline sim::LayerInfo dataflow_layer(std::mt19937& random) {
  return pick(random, 0, 3) == 0
             ? linear_layer(pick(random, 1, 20), pick(random, 1, 60), pick(random, 1, 20))
             : random_conv(random);
}

/// Of more images, with kernels that fit.
inline sim::LayerInfo layer_of_images(std::mt19937& random) {
  if (pick(random, 0, 5) == 0) return dataflow_layer(random);
  sim::Conv conv;
  conv.groups = pick(random, 1, 2);
  conv.stride[0] = conv.stride[1] = pick(random, 1, 2);
  const int channels = pick(random, 1, 7);
  const int kernel = pick(random, 1, 2);
  const int size = pick(random, 2, 6);
  return conv_layer({pick(random, 3, 12), conv.groups * channels, size, size},
                    {conv.groups * pick(random, 1, 6), channels, kernel, kernel}, conv);
}

inline sim::Which random_side(std::mt19937& random) {
  return pick(random, 0, 1) == 0 ? sim::Which::first : sim::Which::second;
}

/// Legal but for the result memories.
inline sim::Dataflow random_dataflow(std::mt19937& random, const Config& config) {
  const auto tiles = static_cast<int>(config.accelerator.tiles);
  sim::Dataflow dataflow;
  dataflow.stationary = random_side(random);
  dataflow.first_tiles = pick(random, 1, tiles);
  dataflow.second_tiles = pick(random, 1, tiles / static_cast<int>(dataflow.first_tiles));
  const auto half = static_cast<int>(sim::scratchpad_rows(config));
  dataflow.chunk_rows = pick(random, 0, 2) == 0 ? 0 : pick(random, 1, 2 * half);
  if (pick(random, 0, 2) == 0) dataflow.images = pick(random, 1, 2);
  if (pick(random, 0, 2) == 0) dataflow.kept_rows = pick(random, 1, 6);
  return dataflow;
}

/// A layer's streams: with rows that are shared where that is possible and `shared`.
class DataflowStreams {
 public:
  DataflowStreams(const sim::OperandSource& source, const sim::LayerInfo& layer, sim::Op op,
                  int lanes, bool shared)
      : source_(source), layer_(layer) {
    if (shared && can_share_rows(layer, op, lanes)) shared_.emplace(source, layer);
  }

  bool are_shared() const { return shared_.has_value(); }
  const sim::OperandSource& source() const { return shared_ ? *shared_ : source_; }
  const sim::LayerInfo& layer() const { return shared_ ? shared_->layer() : layer_; }

 private:
  const sim::OperandSource& source_;
  const sim::LayerInfo& layer_;
  std::optional<sim::SharedRowOperands> shared_;
};

}  // namespace td::unit
