// SPDX-License-Identifier: Apache-2.0
// An operation while the planner adds it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "sim/accelerator/plan/planner/planner.hpp"

namespace td::sim {

constexpr std::size_t kAllParts = static_cast<std::size_t>(-1);

/// Sides: 0 is the rows', 1 the lanes'.
struct Planner::Run {
  Run(std::int64_t which, const Operation& what, const Cut& how, const Placement& where,
      std::vector<Part> ordered)
      : number(which),
        operation(what),
        cut(how),
        placement(where),
        rows_on_b(how.rows_on_b(what)),
        parts(std::move(ordered)) {}

  std::int64_t number;
  const Operation& operation;
  const Cut& cut;
  const Placement& placement;
  bool rows_on_b;
  std::vector<Part> parts;
  std::size_t part = 0;          ///< the one that is computed
  std::size_t half[2] = {0, 0};  ///< where its boxes are
  bool ahead = false;            ///< the next part's boxes were asked for
  std::vector<Area> areas;       ///< of the super
  std::size_t next_slot = 0;
  Run* next = nullptr;           ///< its first part, if another operation follows
  std::optional<Operand> needs;  ///< its operand that is made of the results before it
  std::int64_t pairs = 0;        ///< of rows, that computes have
  std::int64_t all_pairs = 0;    ///< ... and all will have, where not all of them are wanted
  double most_pairs = 0;         ///< ... and how many are
  std::int64_t results = 0;      ///< blocks of lanes of rows that are stored, or are to be

  bool has_enough() const {
    const bool all = pairs >= all_pairs;
    return !all && static_cast<double>(pairs) > most_pairs;
  }
  bool side_b(int side) const { return rows_on_b == (side == 0); }
  Operand operand(int side) const {
    return side == 0 ? operation.rows_operand() : operation.lanes_operand();
  }
  Range words(std::size_t slot) const {
    const auto begin = static_cast<std::int64_t>(slot) * cut.area_words;
    return {begin, begin + cut.area_words};
  }
};

/// Calls each(place, rows, lanes, sums of the part) for the subs of a part, in their order.
template <class Each>
void Planner::each_sub(const Run& run, const Part& part, Each each) {
  for (std::size_t block = part.first_block; block < part.first_block + part.blocks; ++block) {
    const Box rows = overlap(part.rows, whole(run.operation.rows(block)));
    const Box reduction = overlap(part.reduction, whole(run.operation.reduction(block)));
    for (const Box& sub : cut_box(rows, run.cut.row_sub)) {
      for (const Range& lanes : cut_range(part.lanes, run.cut.lane_sub)) {
        each(Place{part.group, block}, sub, lanes, reduction);
      }
    }
  }
}

}  // namespace td::sim
