// SPDX-License-Identifier: Apache-2.0
#include "sim/accelerator/plan/cut.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <vector>

#include "gen/base/error.hpp"

namespace td::sim {

namespace {

constexpr std::int64_t kPassesClocks = 4;  // about what a compute takes besides its passes
constexpr std::int64_t kFillClocks = 40;   // ... besides fills that no passes hide
constexpr double kDropped = 0.8;           // of the zeros, by tile rows in lock-step
constexpr double kLastSteps = 1;
constexpr std::int64_t kLoadWeight = 4;       // loads to a clock when cuts are compared
constexpr std::int64_t kBurstClocks = 8;      // between short bursts, by their latency
constexpr std::int64_t kMostStreams = 65535;  // that a walk can say
constexpr std::int64_t kMostWord = 65535;     // where results of a compute descriptor can begin
constexpr std::size_t kShapesTried = 400;     // with all supers and parts, once one has fitted

/// Sizes that cut a dimension into about equal pieces, and small ones.
std::vector<std::int64_t> sizes(std::int64_t extent) {
  std::set<std::int64_t> found;
  for (std::int64_t count = 1; count <= extent; count += std::max<std::int64_t>(1, count / 3)) {
    found.insert(ceil_div(extent, count));
  }
  return {found.rbegin(), found.rend()};
}

/// Boxes that fill inner dimensions before outer ones; the largest first.
std::vector<Extents> sizes(const Extents& extents) {
  std::vector<Extents> found;
  for (std::size_t i = 3; i-- > 0;) {
    for (const std::int64_t size : sizes(extents[i])) {
      Extents box = {1, 1, 1};
      std::copy_n(extents.begin(), i, box.begin());
      box[i] = size;
      if (found.empty() || found.back() != box) found.push_back(box);
    }
  }
  return found;
}

/// The box, and others that hold it twice, four times … until everything, the largest first.
std::vector<Extents> multiples(Extents box, const Extents& extents) {
  std::vector<Extents> found = {box};
  for (std::size_t i = 0; i < 3; ++i) {
    while (box[i] < extents[i]) {
      box[i] = std::min(extents[i], 2 * box[i]);
      found.push_back(box);
    }
  }
  std::reverse(found.begin(), found.end());
  return found;
}

std::vector<std::int64_t> multiples(std::int64_t size, std::int64_t extent) {
  std::vector<std::int64_t> found;
  for (const Extents& box : multiples({size, 1, 1}, {extent, 1, 1})) found.push_back(box[0]);
  return found;
}

Extents at_least_one(Extents extents) {
  for (std::int64_t& extent : extents) extent = std::max<std::int64_t>(1, extent);
  return extents;
}

/// Tries cuts and keeps the cheapest.
class Search {
 public:
  Search(const Operation& operation, const Geometry& geometry, const PlanOptions& options)
      : operation_(operation),
        geometry_(geometry),
        rows_(at_least_one(operation.most_rows())),
        reduction_(at_least_one(operation.most_reduction())),
        row_streams_(operation.row_streams(whole(rows_))) {
    draft_.options = options;
    draft_.options.dense = options.dense || geometry.dense;
    const TensorLayout& result = operation.result_layout();
    store_ = result.rows() * geometry.block_words();  // a word a clock
  }

  /// The cheapest; one without an estimate when none fits.
  Cut run() {
    list_shapes();
    std::stable_sort(shapes_.begin(), shapes_.end(), [](const Cut& a, const Cut& b) {
      return a.estimate.compute < b.estimate.compute;
    });
    for (std::size_t i = 0; i < shapes_.size(); ++i) {
      const bool found = best_.estimate.total > 0;
      if (found && (i >= kShapesTried || shapes_[i].estimate.compute >= best_.estimate.total)) {
        break;
      }
      try_supers(shapes_[i]);
    }
    return best_;
  }

 private:
  void list_shapes() {
    for (const Extents& chunk : sizes(reduction_)) {
      const std::int64_t pitch = ceil_div(operation_.chunk_rows(chunk), geometry_.depth);
      const std::int64_t groups = geometry_.bank_rows / pitch;
      if (groups < geometry_.block_words()) continue;
      for (int across = 0; std::int64_t{1} << across <= geometry_.tiles; ++across) {
        for (const std::int64_t lanes : sizes(operation_.lane_blocks())) {
          for (const Extents& rows : sizes(rows_)) {
            Cut cut = draft_;
            cut.chunk = chunk;
            cut.across = across;
            cut.lane_sub = lanes;
            cut.row_sub = rows;
            add_shape(cut, groups);
          }
        }
      }
    }
  }

  void add_shape(Cut& cut, std::int64_t most_groups) {
    const Spread s =
        spread(geometry_, cut.across, cut.rows_on_b(operation_),
               std::min(row_streams_, volume(cut.row_sub) * operation_.row_unit()), cut.lane_sub);
    const std::int64_t lane_groups = s.line_blocks * geometry_.block_words();
    const std::int64_t row_streams = s.row_lines * s.row_groups * geometry_.lines;
    const std::int64_t lane_streams = s.lane_lines * s.line_blocks * geometry_.lanes;
    if (s.row_groups > most_groups || lane_groups > most_groups) return;
    if (row_streams > kMostStreams || lane_streams > kMostStreams) return;
    cut.area_words = s.row_groups * geometry_.lines * lane_groups;
    cut.areas = std::min(geometry_.result_words, kMostWord + 1) / cut.area_words;
    if (cut.areas == 0) return;
    const std::int64_t chunk = operation_.chunk_rows(cut.chunk);
    const std::int64_t steps = cut.options.dense ? chunk : sparse_steps(chunk);
    const std::int64_t passes = s.row_groups * lane_groups * std::max(steps, geometry_.lines);
    cut.fill = std::max(row_streams, lane_streams) * chunk;
    const std::int64_t clocks = std::max(passes + kPassesClocks, cut.fill + kFillClocks);
    for (std::size_t block = 0; block < operation_.blocks(); ++block) {
      cut.estimate.compute +=
          operation_.groups() * clocks *
          std::max<std::int64_t>(1, pieces(operation_.reduction(block), cut.chunk)) *
          pieces(operation_.rows(block), cut.row_sub) *
          ceil_div(operation_.lane_blocks(), cut.lane_sub);
    }
    shapes_.push_back(cut);
  }

  /// Steps of a stream: not all zeros are dropped, and the last rows drop the fewest.
  std::int64_t sparse_steps(std::int64_t rows) const {
    const double kept = 1 - kDropped * draft_.options.zeros;
    const auto steps = static_cast<std::int64_t>(static_cast<double>(rows) * kept + kLastSteps);
    return std::clamp(steps, ceil_div(rows, geometry_.depth), rows);
  }

  void try_supers(const Cut& shape) {
    for (const bool together : {true, false}) {
      if (!together && operation_.blocks() == 1) continue;
      for (const Extents& part : multiples(shape.chunk, reduction_)) {
        for (const std::int64_t lanes : multiples(shape.lane_sub, operation_.lane_blocks())) {
          for (const Extents& rows : multiples(shape.row_sub, rows_)) {
            for (const bool rows_outer : {true, false}) {
              Cut cut = shape;
              cut.together = together;
              cut.part = part;
              cut.lane_super = lanes;
              cut.row_super = rows;
              cut.rows_outer = rows_outer;
              judge(cut);
            }
          }
        }
      }
    }
  }

  void judge(Cut& cut) {
    const std::int64_t boxes[2] = {
        operation_.most_rows_box(cut.row_super, cut.part, cut.together),
        operation_.most_lanes_box(cut.lane_super, cut.part, cut.together)};
    for (int side = 0; side < 2; ++side) {
      if (boxes[side] > geometry_.operand_rows) return;
      cut.slots[side] = 2 * boxes[side] <= geometry_.operand_rows ? 2 : 1;
    }
    const std::int64_t parts = pieces(reduction_, cut.part);
    const std::int64_t row_supers = pieces(rows_, cut.row_super);
    const std::int64_t lane_supers = ceil_div(operation_.lane_blocks(), cut.lane_super);
    const auto blocks = static_cast<std::int64_t>(operation_.blocks());
    const std::int64_t subs = pieces(cut.row_super, cut.row_sub) *
                              ceil_div(cut.lane_super, cut.lane_sub) * (cut.together ? blocks : 1);
    if (parts > 1 && subs > cut.areas) return;
    const std::int64_t loops = operation_.groups() * (cut.together ? 1 : blocks);
    const std::int64_t all = row_supers * lane_supers * parts;
    const auto loads = [&](int side, std::int64_t supers, bool outer) {
      const bool kept = parts == 1 && (outer || supers <= cut.slots[side]);
      return loops * (kept ? supers : all);
    };
    const Loads by_side[2] = {{loads(0, row_supers, cut.rows_outer),
                               in_bursts(boxes[0], row_blocks(cut), operation_.rows_operand())},
                              {loads(1, lane_supers, !cut.rows_outer),
                               in_bursts(boxes[1], lane_blocks(cut), operation_.lanes_operand())}};
    Estimate& estimate = cut.estimate;
    estimate.load = by_side[0].count * by_side[0].clocks + by_side[1].count * by_side[1].clocks;
    estimate.store = store_;
    if (cut.lane_sub < operation_.result_layout().blocks()) {
      estimate.store *= ceil_div(kBurstClocks, cut.lane_sub * geometry_.block_words());
    }
    const bool loads_overlap = (by_side[0].count == 1 || cut.slots[0] == 2) &&
                               (by_side[1].count == 1 || cut.slots[1] == 2);
    const bool stores_overlap = cut.areas >= (parts > 1 ? 2 * subs : 2);
    // Nothing hides the first loads and fill, nor the last stores.
    const std::int64_t ends =
        boxes[0] + boxes[1] + cut.fill + std::min(geometry_.tiles * cut.area_words, store_);
    std::int64_t busy =
        estimate.compute +
        (loads_overlap ? waits(by_side, estimate.compute / (loops * all)) : estimate.load);
    busy = stores_overlap ? std::max(busy, estimate.store) : busy + estimate.store;
    estimate.total = busy + ends;
    const bool better = best_.estimate.total == 0 || score(estimate) < score(best_.estimate);
    if (better) best_ = cut;
  }

  /// A side's loads of a part.
  struct Loads {
    std::int64_t count;
    std::int64_t clocks;  ///< of one
  };

  /// Clocks for which computes wait, when each part is loaded while the one before is computed.
  static std::int64_t waits(const Loads (&sides)[2], std::int64_t part_clocks) {
    const Loads& few = sides[sides[0].count <= sides[1].count ? 0 : 1];
    const Loads& many = sides[sides[0].count <= sides[1].count ? 1 : 0];
    const auto beyond = [&](std::int64_t clocks) {
      return std::max<std::int64_t>(0, clocks - part_clocks);
    };
    return (few.count - 1) * beyond(few.clocks + many.clocks) +
           (many.count - few.count) * beyond(many.clocks);
  }

  /// Blocks of channels in a part of the rows' operand, or of the lanes'.
  std::int64_t row_blocks(const Cut& cut) const {
    return operation_.op() == Op::wgrad ? cut.row_super[0] : cut.part[0];
  }
  std::int64_t lane_blocks(const Cut& cut) const {
    return operation_.op() == Op::fwd ? cut.part[0] : cut.lane_super;
  }

  /// Clocks of a load: rows lie behind each other where a part has all blocks of channels.
  std::int64_t in_bursts(std::int64_t rows, std::int64_t blocks, Operand operand) const {
    const bool whole_positions = blocks == operation_.layout(operand).blocks();
    return whole_positions ? rows : rows * std::max<std::int64_t>(1, kBurstClocks / blocks);
  }

  /// Loads cost energy even where nobody waits for them.
  static std::int64_t score(const Estimate& estimate) {
    return kLoadWeight * estimate.total + estimate.load;
  }

  const Operation& operation_;
  const Geometry& geometry_;
  Extents rows_;
  Extents reduction_;
  std::int64_t row_streams_;
  std::int64_t store_ = 0;
  Cut draft_;
  std::vector<Cut> shapes_;  ///< of compute descriptors, with their clocks
  Cut best_;
};

}  // namespace

Spread spread(const Geometry& geometry, int across, bool rows_on_b, std::int64_t row_streams,
              std::int64_t lane_blocks) {
  const std::int64_t beside = std::int64_t{1} << across;
  const std::int64_t above = geometry.tiles / beside;
  const std::int64_t row_tiles = rows_on_b ? above : beside;
  const std::int64_t lane_tiles = rows_on_b ? beside : above;
  Spread result;
  const std::int64_t groups = ceil_div(row_streams, geometry.lines);
  result.row_groups = ceil_div(groups, row_tiles);
  result.row_lines = ceil_div(groups, result.row_groups);
  result.line_blocks = ceil_div(lane_blocks, lane_tiles);
  result.lane_lines = ceil_div(lane_blocks, result.line_blocks);
  return result;
}

Cut choose_cut(const Operation& operation, const Geometry& geometry, const PlanOptions& options,
               const std::string& field) {
  const Cut cut = Search(operation, geometry, options).run();
  if (cut.estimate.total == 0) {
    throw UserError("accelerator", field,
                    fmt::format("operand memories of {} rows, result memories of {} words, "
                                "scratchpads of {} rows",
                                geometry.operand_rows, geometry.result_words, geometry.bank_rows),
                    "memories that hold a smallest part of it");
  }
  return cut;
}

}  // namespace td::sim
