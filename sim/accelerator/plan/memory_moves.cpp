// SPDX-License-Identifier: Apache-2.0
#include "sim/accelerator/plan/memory_moves.hpp"

#include <algorithm>
#include <cstddef>

namespace td::sim {

namespace {

constexpr std::int64_t kMostCount = 65535;  // of a descriptor's loop

/// So many, that far from each other (in rows).
struct Dimension {
  std::int64_t count;
  std::int64_t pitch;
};

/// Those of more than one, where neighbours that lie behind each other are one dimension.
std::vector<Dimension> merged(const std::vector<Dimension>& dimensions) {
  std::vector<Dimension> result = {{1, 1}};
  for (const Dimension& next : dimensions) {
    Dimension& last = result.back();
    if (next.count == 1) continue;
    if (next.pitch == last.count * last.pitch && last.count * next.count <= kMostCount) {
      last.count *= next.count;
    } else {
      result.push_back(next);
    }
  }
  return result;
}

/// Rows of results that lie evenly: columns of neighbours.
struct Piece {
  std::int64_t at;   ///< number of the first one in the box
  std::int64_t row;  ///< ... in the result's layout, behind the box's first
  Dimension down;    ///< of a column
  Dimension across;
};

/// The box's streams, dimension by dimension, cut into pieces.
std::vector<Piece> split(const Range& streams, const std::vector<Dimension>& box) {
  std::vector<Piece> result;
  const Dimension &column = box[0], &plane = box[1];
  for (std::int64_t at = streams.begin; at < streams.end;) {
    const std::int64_t down = at % column.count, across = at / column.count % plane.count;
    const std::int64_t outer = at / column.count / plane.count;
    const std::int64_t left = streams.end - at;
    Piece piece = {at, down * column.pitch + across * plane.pitch + outer * box[2].pitch,
                   {std::min(column.count - down, left), column.pitch}, {1, plane.pitch}};
    if (piece.down.count == column.count) {
      piece.across.count = std::min(plane.count - across, left / column.count);
    }
    at += piece.down.count * piece.across.count;
    result.push_back(piece);
  }
  return result;
}

/// A box's dimensions of more than one stream, and others up to three.
std::vector<Dimension> dimensions(const Extents& extents, const Extents& pitch) {
  std::vector<Dimension> result;
  for (std::size_t i = 0; i < 3; ++i) {
    if (extents[i] > 1) result.push_back({extents[i], pitch[i]});
  }
  result.resize(3, {1, 0});
  return result;
}

}  // namespace

std::vector<LoadDescriptor> loads_of(const TensorLayout& tensor, std::uint64_t address,
                                     const HeldBox& held, bool side_b) {
  const TensorBox& box = held.box;
  const auto row_bytes = static_cast<std::uint64_t>(tensor.row_bytes());
  std::vector<Dimension> dimensions = merged({{box.block.size(), 1},
                                              {box.y.size(), tensor.y_pitch()},
                                              {box.x.size(), tensor.x_pitch()},
                                              {box.outer.size(), tensor.outer_pitch()}});
  // A first dimension of one row does not lie behind itself: it is `rows` all the same.
  dimensions.resize(std::max<std::size_t>(dimensions.size(), 4), {1, 0});
  const std::int64_t begin = box.outer.begin * tensor.outer_pitch() +
                             box.x.begin * tensor.x_pitch() + box.y.begin * tensor.y_pitch() +
                             box.block.begin;
  LoadDescriptor load;
  load.side_b = side_b;
  load.interleave = static_cast<std::uint8_t>(held.interleave);
  load.memory.rows = static_cast<std::uint16_t>(dimensions[0].count);
  load.memory.segments = static_cast<std::uint16_t>(dimensions[1].count);
  load.memory.segment_pitch =
      static_cast<std::uint32_t>(static_cast<std::uint64_t>(dimensions[1].pitch) * row_bytes);
  load.memory.planes = static_cast<std::uint16_t>(dimensions[2].count);
  load.memory.plane_pitch =
      static_cast<std::uint32_t>(static_cast<std::uint64_t>(dimensions[2].pitch) * row_bytes);
  const std::int64_t rows = dimensions[0].count * dimensions[1].count * dimensions[2].count;
  std::vector<LoadDescriptor> result;
  for (std::int64_t i = 0; i < dimensions[3].count; ++i) {
    load.row = static_cast<std::uint32_t>(held.row + i * rows);
    load.memory.address =
        address + static_cast<std::uint64_t>(begin + i * dimensions[3].pitch) * row_bytes;
    result.push_back(load);
  }
  return result;
}

std::vector<StoreDescriptor> stores_of(const Operation& operation, const Geometry& geometry,
                                       std::uint64_t address, const SubResults& results) {
  const TensorLayout& tensor = operation.result_layout();
  const std::int64_t streams = operation.row_streams(results.rows);
  const Spread on =
      spread(geometry, results.across, results.rows_on_b, streams, results.lanes.size());
  const std::int64_t of_line = on.row_groups * geometry.lines;
  const std::int64_t pitch = on.line_blocks * geometry.block_words();
  Extents extents = results.rows.extents();
  if (operation.op() == Op::wgrad) extents[0] = streams;
  Extents first;
  for (std::size_t k = 0; k < 3; ++k) {
    first[k] = results.rows.sides[k].begin * (k == 0 ? operation.row_unit() : 1);
  }
  const Operation::ResultPlace to = operation.result_place(results.place, first);
  const std::vector<Dimension> box = dimensions(extents, to.pitch);
  const auto row_bytes = static_cast<std::uint64_t>(tensor.row_bytes());
  std::vector<StoreDescriptor> stores;
  for (std::int64_t i = 0; i < on.row_lines; ++i) {
    const Range range = {i * of_line, std::min((i + 1) * of_line, streams)};
    for (std::int64_t j = 0; j < on.lane_lines; ++j) {
      const Range blocks = overlap(Range{j * on.line_blocks, (j + 1) * on.line_blocks},
                                   Range{0, results.lanes.size()});
      for (const Piece& piece : split(range, box)) {
        StoreDescriptor store;
        const std::int64_t b = results.rows_on_b ? i : j;
        store.tile = static_cast<std::uint8_t>((b << results.across) | (i + j - b));
        store.wide = tensor.row_bytes() != geometry.row_bytes();
        store.word = static_cast<std::uint32_t>(results.word + (piece.at - range.begin) * pitch);
        store.memory.address =
            address +
            static_cast<std::uint64_t>(to.row + piece.row + results.lanes.begin + blocks.begin) *
                row_bytes;
        std::int64_t rows = blocks.size();
        Dimension down = piece.down;
        Dimension across = piece.across;
        std::int64_t word_pitch = pitch;
        // A column whose rows lie behind each other is one segment.
        if (down.pitch == rows && pitch == rows * geometry.block_words() &&
            rows * down.count <= kMostCount && pitch * down.count <= kMostCount) {
          rows *= down.count;
          word_pitch *= down.count;
          down = across;
          across = {1, 0};
        }
        store.word_pitch = static_cast<std::uint16_t>(word_pitch);
        store.memory.rows = static_cast<std::uint16_t>(rows);
        store.memory.segments = static_cast<std::uint16_t>(down.count);
        store.memory.planes = static_cast<std::uint16_t>(across.count);
        store.memory.segment_pitch =
            static_cast<std::uint32_t>(static_cast<std::uint64_t>(down.pitch) * row_bytes);
        store.memory.plane_pitch =
            static_cast<std::uint32_t>(static_cast<std::uint64_t>(across.pitch) * row_bytes);
        stores.push_back(store);
      }
    }
  }
  return stores;
}

}  // namespace td::sim
