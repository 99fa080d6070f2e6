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

/// Cuts a box into boxes whose sides descriptors can count, and appends them to `boxes`. In an
/// operand memory they lie one behind the other, as it is the outermost side that is cut.
void append_counted(const TensorBox& box, std::vector<TensorBox>& boxes) {
  const auto counted = [](const Range& side) { return side.size() <= kMostCount; };
  if (counted(box.block) && counted(box.y) && counted(box.x) && counted(box.outer)) {
    boxes.push_back(box);
    return;
  }
  const auto outermost = box.outer.size() > 1 ? &TensorBox::outer
                         : box.x.size() > 1   ? &TensorBox::x
                         : box.y.size() > 1   ? &TensorBox::y
                                              : &TensorBox::block;
  TensorBox halves[2] = {box, box};
  const std::int64_t middle = (box.*outermost).begin + (box.*outermost).size() / 2;
  (halves[0].*outermost).end = middle;
  (halves[1].*outermost).begin = middle;
  for (const TensorBox& half : halves) append_counted(half, boxes);
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
    Piece piece = {at,
                   down * column.pitch + across * plane.pitch + outer * box[2].pitch,
                   {std::min(column.count - down, left), column.pitch},
                   {1, plane.pitch}};
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

/// A sub's stores.
class SubStores {
 public:
  SubStores(const Operation& operation, const Geometry& geometry, std::uint64_t address,
            const SubResults& results)
      : tensor_(operation.result_layout()),
        geometry_(geometry),
        address_(address),
        results_(results),
        streams_(operation.row_streams(results.rows)),
        on_(spread(geometry, results.across, results.rows_on_b, streams_, results.lanes.size())),
        pitch_(geometry.result_pitch(on_.line_blocks * geometry.block_words(), results.pairs)) {
    Extents extents = results.rows.extents();
    if (operation.op() == Op::wgrad) extents[0] = streams_;
    Extents first;
    for (std::size_t k = 0; k < 3; ++k) {
      first[k] = results.rows.sides[k].begin * (k == 0 ? operation.row_unit() : 1);
    }
    const Operation::ResultPlace to = operation.result_place(results.place, first);
    row_ = to.row;
    box_ = dimensions(extents, to.pitch);
  }

  /// Tiles take turns: one whose results are stored cannot add to others meanwhile.
  std::vector<StoreDescriptor> list() const {
    std::vector<StoreDescriptor> stores;
    const std::int64_t of_line = on_.row_groups * geometry_.lines;
    const std::int64_t turn = store_turn(geometry_, on_, pitch_, results_.adds);
    for (std::int64_t at = 0; at < of_line; at += turn) {
      for (std::int64_t i = 0; i < on_.row_lines; ++i) {
        const std::int64_t begin = i * of_line;
        const Range range = {begin + at, std::min({begin + at + turn, begin + of_line, streams_})};
        for (std::int64_t j = 0; j < on_.lane_lines; ++j) {
          for (const Piece& piece : split(range, box_)) {
            stores.push_back(store_of(piece, i, j));
            stores.back().word =
                static_cast<std::uint32_t>(results_.word + (piece.at - begin) * pitch_);
          }
        }
      }
    }
    return stores;
  }

 private:
  /// Of line i of the rows and line j of the lanes; its word is not set.
  StoreDescriptor store_of(const Piece& piece, std::int64_t i, std::int64_t j) const {
    const Range blocks = overlap(Range{j * on_.line_blocks, (j + 1) * on_.line_blocks},
                                 Range{0, results_.lanes.size()});
    const auto row_bytes = static_cast<std::uint64_t>(tensor_.row_bytes());
    StoreDescriptor store;
    const std::int64_t b = results_.rows_on_b ? i : j;
    store.tile = static_cast<std::uint8_t>((b << results_.across) | (i + j - b));
    store.wide = tensor_.row_bytes() != geometry_.row_bytes();
    store.memory.address = address_ + static_cast<std::uint64_t>(
                                          row_ + piece.row + results_.lanes.begin + blocks.begin) *
                                          row_bytes;
    std::int64_t rows = blocks.size();
    Dimension down = piece.down;
    Dimension across = piece.across;
    std::int64_t word_pitch = pitch_;
    // A column whose rows lie behind each other is one segment.
    if (down.pitch == rows && pitch_ == rows * geometry_.block_words() &&
        rows * down.count <= kMostCount && pitch_ * down.count <= kMostCount) {
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
    return store;
  }

  const TensorLayout& tensor_;
  const Geometry& geometry_;
  std::uint64_t address_;
  const SubResults& results_;
  std::int64_t streams_;
  Spread on_;
  std::int64_t pitch_;          ///< words from result row to result row
  std::int64_t row_ = 0;        ///< of the result's layout, of the sub's first result
  std::vector<Dimension> box_;  ///< of its result rows
};

/// The most rows that a packed block takes of those that a load reads, from its first row on.
std::uint8_t most_packed(const TensorLayout& tensor, std::int64_t first,
                         const std::vector<Dimension>& dimensions) {
  if (tensor.packed_alike()) return static_cast<std::uint8_t>(tensor.packed());
  std::int64_t most = 0;
  for (std::int64_t plane = 0; plane < dimensions[2].count; ++plane) {
    for (std::int64_t segment = 0; segment < dimensions[1].count; ++segment) {
      const std::int64_t begin =
          first + plane * dimensions[2].pitch + segment * dimensions[1].pitch;
      most = std::max(most, tensor.packed_in(begin, begin + dimensions[0].count));
    }
  }
  return static_cast<std::uint8_t>(most);
}

/// Appends loads of a box; `load` has what does not depend on it, and its row goes on behind it.
void append_loads(const TensorLayout& tensor, std::uint64_t address, const TensorBox& box,
                  LoadDescriptor& load, std::vector<LoadDescriptor>& loads) {
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
  load.memory.rows = static_cast<std::uint16_t>(dimensions[0].count);
  load.memory.segments = static_cast<std::uint16_t>(dimensions[1].count);
  load.memory.segment_pitch =
      static_cast<std::uint32_t>(static_cast<std::uint64_t>(dimensions[1].pitch) * row_bytes);
  load.memory.planes = static_cast<std::uint16_t>(dimensions[2].count);
  load.memory.plane_pitch =
      static_cast<std::uint32_t>(static_cast<std::uint64_t>(dimensions[2].pitch) * row_bytes);
  const std::int64_t rows = dimensions[0].count * dimensions[1].count * dimensions[2].count;
  for (std::int64_t i = 0; i < dimensions[3].count; ++i) {
    const std::int64_t first = begin + i * dimensions[3].pitch;
    load.memory.address = address + static_cast<std::uint64_t>(first) * row_bytes;
    load.packed = most_packed(tensor, first, dimensions);
    loads.push_back(load);
    load.row += static_cast<std::uint32_t>(rows);
  }
}

}  // namespace

std::vector<LoadDescriptor> loads_of(const TensorLayout& tensor, std::uint64_t address,
                                     const HeldBox& held, bool side_b) {
  std::vector<TensorBox> boxes;
  append_counted(held.box, boxes);
  std::vector<LoadDescriptor> result;
  LoadDescriptor load;
  load.side_b = side_b;
  load.interleave = static_cast<std::uint8_t>(held.interleave);
  load.row = static_cast<std::uint32_t>(held.row);
  for (const TensorBox& box : boxes) append_loads(tensor, address, box, load, result);
  return result;
}

std::vector<StoreDescriptor> stores_of(const Operation& operation, const Geometry& geometry,
                                       std::uint64_t address, const SubResults& results) {
  return SubStores(operation, geometry, address, results).list();
}

}  // namespace td::sim
