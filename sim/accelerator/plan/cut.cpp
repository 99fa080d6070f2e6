// SPDX-License-Identifier: Apache-2.0
#include "sim/accelerator/plan/cut.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "base/support/error.hpp"
#include "sim/accelerator/plan/candidates.hpp"
#include "sim/accelerator/plan/estimate.hpp"
#include "sim/accelerator/plan/objective/cut_moves.hpp"

namespace td::sim {

namespace {

constexpr std::int64_t kLoadWeight = 4;    // loads to a clock when cuts are compared
constexpr std::int64_t kMostLoop = 65535;  // rows that a walk brings for a stream of a block
constexpr std::size_t kShapesTried = 400;  // with all supers and parts, once one has fitted
constexpr std::int64_t kTurnWords = 128;   // of a tile, while other tiles add

double time_score(const Cut& cut, std::int64_t clocks) {
  return static_cast<double>(kLoadWeight * clocks + cut.estimate.load);
}

/// Energy, or its product with the clocks.
double energy_score(const CutMover& mover, const Aim& aim, const Cut& cut, const CutMoves& moves,
                    std::int64_t clocks) {
  const double energy = mover.energy(cut, moves, clocks, aim.costs);
  return aim.objective == Objective::energy ? energy : energy * static_cast<double>(clocks);
}

/// Tries cuts and keeps the cheapest.
class Search {
 public:
  Search(const Operation& operation, const Geometry& geometry, const PlanOptions& options,
         const ExpectedSteps& steps, const Aim& aim)
      : operation_(operation),
        geometry_(geometry),
        aim_(aim),
        estimator_(operation, geometry, steps, options.memory),
        mover_(operation, geometry, steps) {
    draft_.options = options;
    draft_.options.dense = options.dense || geometry.dense;
  }

  /// The cheapest of so many shapes, the cheapest first, and behind them half as many of those that
  /// keep what they may and might be cheaper; none when none fits.
  std::vector<Cut> run(std::size_t most) {
    std::vector<Cut> cuts = cheapest(most);
    if (cuts.empty() || most < 2) return cuts;
    draft_.keeps = true;
    for (const Cut& cut : cheapest(most / 2)) cuts.push_back(cut);
    return cuts;
  }

 private:
  std::vector<Cut> cheapest(std::size_t most) {
    found_.clear();
    shapes_.clear();
    list_shapes();
    std::stable_sort(shapes_.begin(), shapes_.end(), [](const Cut& a, const Cut& b) {
      return a.estimate.compute < b.estimate.compute;
    });
    for (std::size_t i = 0; i < shapes_.size(); ++i) {
      const bool found = !found_.empty();
      if (found && (i >= kShapesTried ||
                    shapes_[i].estimate.compute >= found_.begin()->second.estimate.total)) {
        break;
      }
      try_supers(shapes_[i]);
    }
    if (aim_.objective != Objective::time) try_frugal();
    std::vector<Cut> cuts;
    for (const auto& [score, cut] : found_) {
      if (cuts.size() < most) cuts.push_back(cut);
    }
    return cuts;
  }

  /// Shapes that are slow may take little energy: those that take the least before anything is
  /// loaded.
  void try_frugal() {
    std::vector<std::pair<double, std::size_t>> order;
    for (std::size_t i = 0; i < shapes_.size(); ++i) {
      const CutMoves moves = mover_.computes(shapes_[i]);
      order.emplace_back(energy_score(mover_, aim_, shapes_[i], moves, shapes_[i].estimate.compute),
                         i);
    }
    std::sort(order.begin(), order.end());
    order.resize(std::min(order.size(), kShapesTried));
    for (const auto& [least, i] : order) {
      if (!found_.empty() && least >= found_.begin()->first) break;
      try_supers(shapes_[i]);
    }
  }

  /// Those that fill inner dimensions first, whose parts are the smallest; and of all with as many
  /// rows the one that cuts the sums into the fewest.
  std::vector<Extents> chunks() const {
    std::map<std::int64_t, Extents> found;
    const std::int64_t most =
        std::min(geometry_.bank_rows / geometry_.sets() /
                     geometry_.set_groups(geometry_.block_words(), 1) * geometry_.depth,
                 kMostLoop / geometry_.lanes);
    const auto count = [&](const Extents& chunk) { return pieces(estimator_.reduction(), chunk); };
    for (const Extents& chunk : box_sizes(estimator_.reduction())) {
      const std::int64_t rows = operation_.chunk_rows(chunk);
      if (rows > most) continue;
      const auto [at, first] = found.emplace(rows, chunk);
      if (!first && count(chunk) <= count(at->second)) at->second = chunk;
    }
    std::vector<Extents> result;
    for (const Extents& chunk : sizes(estimator_.reduction())) {
      const auto best = found.find(operation_.chunk_rows(chunk));
      if (best != found.end() && best->second != chunk) result.push_back(chunk);
    }
    for (auto at = found.rbegin(); at != found.rend(); ++at) result.push_back(at->second);
    return result;
  }

  void list_shapes() {
    for (const Extents& chunk : chunks()) {
      for (int across = 0; std::int64_t{1} << across <= geometry_.tiles; ++across) {
        for (const std::int64_t lanes : sizes(operation_.lane_blocks())) {
          for (const Extents& rows : sizes(estimator_.rows())) {
            Cut cut = draft_;
            cut.chunk = chunk;
            cut.across = across;
            cut.lane_sub = lanes;
            cut.row_sub = rows;
            if (estimator_.computes(cut)) shapes_.push_back(cut);
          }
        }
      }
    }
  }

  void try_supers(Cut cut) {
    if (aim_.objective != Objective::time) moves_ = mover_.computes(cut);
    best_ = Cut();
    for (const bool together : {true, false}) {
      if (!together && operation_.blocks() == 1) continue;
      cut.together = together;
      const std::vector<Extents> parts = cut.keeps ? std::vector<Extents>{cut.chunk}
                                                   : multiples(cut.chunk, estimator_.reduction());
      for (const Extents& part : parts) {
        cut.part = part;
        for (const std::int64_t lanes : multiples(cut.lane_sub, operation_.lane_blocks())) {
          cut.lane_super = lanes;
          for (const Extents& rows : grown(cut.row_sub, estimator_.rows())) {
            cut.row_super = rows;
            try_orders(cut);
          }
        }
      }
    }
    if (best_.estimate.total > 0) found_.emplace(best_score_, best_);
  }

  void try_orders(Cut& cut) {
    const std::optional<Estimator::Supers> supers = estimator_.supers(cut);
    if (!supers) return;
    for (const bool rows_outer : {true, false}) {
      cut.rows_outer = rows_outer;
      estimator_.total(cut, *supers);
      const double found = score(cut);
      if (best_.estimate.total > 0 && found >= best_score_) continue;
      best_ = cut;
      best_score_ = found;
    }
  }

  double score(const Cut& cut) {
    if (aim_.objective == Objective::time) return time_score(cut, cut.estimate.total);
    CutMoves moves = moves_;
    mover_.add_loads(cut, moves);
    return energy_score(mover_, aim_, cut, moves, cut.estimate.total);
  }

  const Operation& operation_;
  const Geometry& geometry_;
  const Aim& aim_;
  Estimator estimator_;
  CutMover mover_;
  Cut draft_;
  std::vector<Cut> shapes_;  ///< of compute descriptors, with their clocks
  CutMoves moves_;           ///< of the shape that is tried
  Cut best_;                 ///< of this shape
  double best_score_ = 0;
  std::multimap<double, Cut> found_;  ///< the best of each shape, by what they cost
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

std::int64_t store_turn(const Geometry& geometry, const Spread& on, std::int64_t pitch, bool adds) {
  const bool alone = !adds || on.row_lines * on.lane_lines == 1;
  return alone ? on.row_groups * geometry.lines : std::max<std::int64_t>(1, kTurnWords / pitch);
}

ExpectedSteps expected_steps(const Config& config, const Operation& operation,
                             const PlanOptions& options) {
  // Rows of side B have zeros in lanes that no channel fills, too. In wgrad lanes are positions.
  if (operation.op() == Op::wgrad) return {config, options.zeros};
  const Operand side_b = operand(operation.op(), options.scheduled);
  return {config, 1 - (1 - options.zeros) * operation.layout(side_b).filled()};
}

double score_of(const Operation& operation, const Geometry& geometry, const ExpectedSteps& steps,
                const Aim& aim, const Cut& cut, std::int64_t clocks) {
  if (aim.objective == Objective::time) return time_score(cut, clocks);
  CutMover mover(operation, geometry, steps);
  CutMoves moves = mover.computes(cut);
  mover.add_loads(cut, moves);
  return energy_score(mover, aim, cut, moves, clocks);
}

std::vector<Cut> choose_cuts(const Operation& operation, const Geometry& geometry,
                             const PlanOptions& options, const ExpectedSteps& steps,
                             const std::string& field, const Aim& aim, std::size_t most) {
  std::vector<Cut> cuts = Search(operation, geometry, options, steps, aim).run(most);
  if (cuts.empty()) {
    throw CannotPlan("accelerator", field,
                     fmt::format("operand memories of {} rows, result memories of {} words, "
                                 "scratchpads of {} rows",
                                 geometry.operand_rows, geometry.result_words, geometry.bank_rows),
                     "memories that hold a smallest part of it");
  }
  return cuts;
}

std::optional<Cut> cut_with(const Operation& operation, const Geometry& geometry, Cut cut,
                            const PlanOptions& options, const ExpectedSteps& steps) {
  const Estimator estimator(operation, geometry, steps, options.memory);
  cut.options = options;
  cut.estimate = Estimate();
  if (!estimator.computes(cut)) return std::nullopt;
  const std::optional<Estimator::Supers> supers = estimator.supers(cut);
  if (!supers) return std::nullopt;
  estimator.total(cut, *supers);
  return cut;
}

}  // namespace td::sim
