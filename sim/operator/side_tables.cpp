// SPDX-License-Identifier: Apache-2.0
#include "sim/operator/side_tables.hpp"

#include <fmt/format.h>

#include <limits>
#include <utility>

#include "base/support/error.hpp"

namespace td::sim {

namespace {

LayerInfo one_image(LayerInfo layer) {
  if (layer.type == LayerType::conv2d) layer.a[0] = layer.go[0] = 1;
  return layer;
}

StreamTable table_of(const Mapping& mapping, const Block& block, Which which) {
  StreamTable table;
  table.streams = which == Which::first ? block.first_streams : block.second_streams;
  table.rows = block.rows();
  table.elements = block.rows() * mapping.lanes();
  const auto streams = static_cast<std::size_t>(table.streams);
  const auto elements = static_cast<std::size_t>(table.elements);
  table.by_stream.resize(streams * elements);
  table.by_element.resize(streams * elements);
  std::vector<std::int64_t> indices(elements);
  for (std::size_t s = 0; s < streams; ++s) {
    mapping.gather_indices(block, which, static_cast<std::int64_t>(s), indices.data());
    for (std::size_t e = 0; e < elements; ++e) {
      const auto index = static_cast<std::int32_t>(indices[e]);
      table.by_stream[s * elements + e] = index;
      table.by_element[e * streams + s] = index;
    }
  }
  return table;
}

}  // namespace

SideTables::SideTables(const LayerInfo& layer, Op op, int lanes) {
  const LayerInfo mapped = one_image(layer);
  for (const Operand operand : {Operand::A, Operand::W, Operand::GO}) {
    const std::int64_t elements = count(mapped.shape(operand));
    if (elements > std::numeric_limits<std::int32_t>::max()) {
      throw UserError("operator", fmt::format("elements of {}", to_string(operand)),
                      std::to_string(elements), "fewer than 2^31 to an image");
    }
  }
  const Mapping mapping(mapped, op, lanes);
  for (const Block& block : mapping.blocks()) {
    TableBlock one;
    one.rows = block.rows();
    for (const Which which : {Which::first, Which::second}) {
      one.tables[index(which)] = add_table(table_of(mapping, block, which), index(which));
    }
    // An output's index is the sum of a part of each stream.
    const std::int64_t origin = mapping.output_index(block, 0, 0);
    for (std::int64_t i = 0; i < block.first_streams; ++i) {
      one.outputs[0].push_back(mapping.output_index(block, i, 0));
    }
    for (std::int64_t j = 0; j < block.second_streams; ++j) {
      one.outputs[1].push_back(mapping.output_index(block, 0, j) - origin);
    }
    blocks_.push_back(std::move(one));
  }
}

std::size_t SideTables::add_table(StreamTable table, std::size_t side) {
  std::vector<StreamTable>& tables = tables_[side];
  for (std::size_t i = 0; i < tables.size(); ++i) {
    if (tables[i].streams == table.streams && tables[i].by_stream == table.by_stream) return i;
  }
  tables.push_back(std::move(table));
  return tables.size() - 1;
}

}  // namespace td::sim
