// SPDX-License-Identifier: Apache-2.0
#include "verify/trained/reference_passes.hpp"

namespace td::verify {

namespace {

/// The streams begin…begin+count-1 of a side as a pass has them: [row][line][lane].
Bits side_bits(const sim::Mapping& mapping, const sim::Block& block, sim::Which which,
               std::int64_t begin, std::int64_t count, std::int64_t lines, const Bits& tensor) {
  const std::int64_t lanes = mapping.lanes();
  Bits bits(static_cast<std::size_t>(block.rows() * lines * lanes));
  std::vector<std::int64_t> indices(static_cast<std::size_t>(block.rows() * lanes));
  for (std::int64_t line = 0; line < count; ++line) {
    mapping.gather_indices(block, which, begin + line, indices.data());
    for (std::int64_t i = 0; i < block.rows() * lanes; ++i) {
      const std::int64_t from = indices[static_cast<std::size_t>(i)];
      if (from < 0) continue;
      bits[static_cast<std::size_t>((i / lanes * lines + line) * lanes + i % lanes)] =
          tensor[static_cast<std::size_t>(from)];
    }
  }
  return bits;
}

}  // namespace

void each_pass(const Config& config, const sim::Mapping& mapping, sim::Which scheduled,
               const std::function<void(const sim::Block&, const sim::Pass&)>& use) {
  for (const sim::Block& block : mapping.blocks()) {
    if (block.rows() == 0) continue;
    const std::int64_t count = sim::passes(block, config.rows, config.columns, scheduled);
    for (std::int64_t number = 0; number < count; ++number) {
      use(block, sim::pass(block, config.rows, config.columns, scheduled, number));
    }
  }
}

std::int64_t output_of(const sim::Mapping& mapping, const sim::Block& block,
                       const sim::Pass& streams, sim::Which scheduled, int row, int column) {
  const bool first_is_b = scheduled == sim::Which::first;
  const int first = first_is_b ? row : column;
  const int second = first_is_b ? column : row;
  if (first >= streams.first_count || second >= streams.second_count) return -1;
  return mapping.output_index(block, streams.first_begin + first, streams.second_begin + second);
}

Bits reference_outputs(const Config& config, const sim::LayerInfo& layer, sim::Op op,
                       sim::Which scheduled, const Bits& first, const Bits& second) {
  const sim::Mapping mapping(layer, op, config.lanes);
  sim::TileModel model(config);
  sim::PassResult result;
  Bits outputs(static_cast<std::size_t>(sim::count(mapping.output_shape())));
  each_pass(config, mapping, scheduled, [&](const sim::Block& block, const sim::Pass& streams) {
    const Bits sides[2] = {
        side_bits(mapping, block, sim::Which::first, streams.first_begin, streams.first_count,
                  scheduled == sim::Which::first ? config.rows : config.columns, first),
        side_bits(mapping, block, sim::Which::second, streams.second_begin, streams.second_count,
                  scheduled == sim::Which::second ? config.rows : config.columns, second)};
    sim::PassData data;
    data.b = sides[scheduled == sim::Which::first ? 0 : 1];
    data.a = sides[scheduled == sim::Which::first ? 1 : 0];
    data.segment_rows.assign(static_cast<std::size_t>(block.segments), block.segment_rows);
    data.dense.assign(static_cast<std::size_t>(block.segments), false);
    model.run(data, result);
    for (int pe = 0; pe < config.rows * config.columns; ++pe) {
      const std::int64_t at =
          output_of(mapping, block, streams, scheduled, pe / config.columns, pe % config.columns);
      if (at >= 0) {
        outputs[static_cast<std::size_t>(at)] = result.outputs[static_cast<std::size_t>(pe)];
      }
    }
  });
  return outputs;
}

}  // namespace td::verify
