// SPDX-License-Identifier: Apache-2.0
#include "sim/operator/side_tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <string>
#include <unordered_map>
#include <utility>

#include "base/support/error.hpp"

namespace td::sim {

namespace {

LayerInfo one_image(LayerInfo layer) {
  if (layer.type == LayerType::conv2d) layer.a[0] = layer.go[0] = 1;
  return layer;
}

/// Numbers rows in the order in which they are first seen.
class RowFinder {
 public:
  explicit RowFinder(std::int64_t width) : rows_{width, {}} {
    number(std::vector<std::int32_t>(static_cast<std::size_t>(width), -1).data());
  }

  std::int32_t number(const std::int32_t* row) {
    const auto width = static_cast<std::size_t>(rows_.width);
    std::string key(reinterpret_cast<const char*>(row), width * sizeof *row);
    const auto [at, fresh] =
        numbers_.try_emplace(std::move(key), static_cast<std::int32_t>(numbers_.size()));
    if (fresh) rows_.indices.insert(rows_.indices.end(), row, row + width);
    return at->second;
  }

  const IndexRows& rows() const { return rows_; }

 private:
  IndexRows rows_;
  std::unordered_map<std::string, std::int32_t> numbers_;
};

/// The tables of one side as they are found.
class SideBuilder {
 public:
  explicit SideBuilder(int lanes) : lanes_(lanes), lane_rows_(lanes) {}

  /// The number of the table that the block's side has.
  std::size_t add(const Mapping& mapping, const Block& block, Which which) {
    StreamTable table;
    table.streams = which == Which::first ? block.first_streams : block.second_streams;
    table.rows = block.rows();
    table.elements = block.rows() * lanes_;
    read(mapping, block, which, table);
    for (std::int64_t s = 0; s < table.streams; ++s) {
      for (std::int64_t t = 0; t < table.rows; ++t) {
        table.lane_rows.push_back(
            lane_rows_.number(&by_stream_[at(s * table.elements + t * lanes_)]));
      }
    }
    const auto known = std::find_if(tables_.begin(), tables_.end(), [&](const StreamTable& one) {
      return one.streams == table.streams && one.lane_rows == table.lane_rows;
    });
    if (known != tables_.end()) return static_cast<std::size_t>(known - tables_.begin());
    add_columns(table);
    tables_.push_back(std::move(table));
    return tables_.size() - 1;
  }

  std::vector<StreamTable> take_tables() { return std::move(tables_); }
  const IndexRows& lane_rows() const { return lane_rows_.rows(); }
  std::vector<IndexRows> column_sets() const {
    std::vector<IndexRows> sets;
    for (const RowFinder& set : sets_) sets.push_back(set.rows());
    return sets;
  }

 private:
  static std::size_t at(std::int64_t index) { return static_cast<std::size_t>(index); }

  void read(const Mapping& mapping, const Block& block, Which which, const StreamTable& table) {
    std::vector<std::int64_t> indices(at(table.elements));
    by_stream_.clear();
    for (std::int64_t s = 0; s < table.streams; ++s) {
      mapping.gather_indices(block, which, s, indices.data());
      for (const std::int64_t index : indices) {
        by_stream_.push_back(static_cast<std::int32_t>(index));
      }
    }
  }

  void add_columns(StreamTable& table) {
    const auto found = std::find_if(sets_.begin(), sets_.end(), [&](const RowFinder& set) {
      return set.rows().width == table.streams;
    });
    table.column_set = static_cast<std::size_t>(found - sets_.begin());
    if (found == sets_.end()) sets_.emplace_back(table.streams);
    std::vector<std::int32_t> row(at(table.streams));
    for (std::int64_t e = 0; e < table.elements; ++e) {
      for (std::int64_t s = 0; s < table.streams; ++s) {
        row[at(s)] = by_stream_[at(s * table.elements + e)];
      }
      RowFinder& set = sets_[table.column_set];
      table.column_offsets.push_back(set.number(row.data()) * set.rows().stride());
    }
    table.column_offsets.push_back(0);
  }

  int lanes_;
  RowFinder lane_rows_;
  std::vector<RowFinder> sets_;
  std::vector<StreamTable> tables_;
  std::vector<std::int32_t> by_stream_;  ///< [stream][element], of the table that is added
};

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
  SideBuilder sides[2] = {SideBuilder(lanes), SideBuilder(lanes)};
  for (const Block& block : mapping.blocks()) {
    TableBlock one;
    one.rows = block.rows();
    for (const Which which : {Which::first, Which::second}) {
      one.tables[index(which)] = sides[index(which)].add(mapping, block, which);
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
  for (std::size_t side = 0; side < 2; ++side) {
    lane_rows_[side] = sides[side].lane_rows();
    column_sets_[side] = sides[side].column_sets();
    tables_[side] = sides[side].take_tables();
  }
}

}  // namespace td::sim
