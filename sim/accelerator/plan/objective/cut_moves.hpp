// SPDX-License-Identifier: Apache-2.0
// What a cut moves, without its descriptors; and the energy that it takes.
#pragma once

#include <cstdint>
#include <map>
#include <tuple>
#include <vector>

#include "base/configuration/geometry.hpp"
#include "sim/accelerator/levels.hpp"
#include "sim/accelerator/plan/cut.hpp"
#include "sim/accelerator/plan/expected_steps.hpp"
#include "sim/accelerator/plan/objective/plan_costs.hpp"
#include "sim/accelerator/plan/operation.hpp"

namespace td::sim {

/// Bytes are those that are counted, were nothing kept in scratchpads, but for three things:
/// descriptors of loads and stores are about as many, loads read whole beats, and a part may find
/// in an operand memory what an unlike one has left there.
struct CutMoves {
  LevelBytes levels;
  std::int64_t passes = 0;  ///< of all tiles
  std::int64_t rows = 0;    ///< of a stream, over all passes
  std::int64_t steps = 0;   ///< about, over all tiles
};

class CutMover {
 public:
  /// All three must outlive this.
  CutMover(const Operation& operation, const Geometry& geometry, const ExpectedSteps& steps);

  /// All but loads: what does not depend on supers and parts.
  CutMoves computes(const Cut& cut) const;
  /// Adds the loads.
  void add_loads(const Cut& cut, CutMoves& moves);

  /// In pJ, with so many clocks.
  double energy(const Cut& cut, const CutMoves& moves, std::int64_t clocks,
                const PlanCosts& costs) const;

 private:
  /// What blocks of the mapping are along a dimension: a phase of dgrad, or a kernel position of
  /// wgrad, else all windows. Every line of y meets every line of x.
  struct Line {
    const Mapping::Axis* axis;
    Range taps;
  };
  /// Pieces of a size, and how many there are.
  struct Kind {
    std::int64_t size;
    std::int64_t count;
  };
  /// The computes of a sub, one for each chunk.
  struct Chunks {
    std::int64_t count = 0;
    std::int64_t rows = 0;   ///< of a stream, of all together
    std::int64_t steps = 0;  ///< of a pass, likewise
  };
  /// What the operand memories have of a side, all boxes once, in one group.
  struct Boxes {
    std::int64_t rows;   ///< of all together
    std::int64_t count;  ///< of boxes
    std::int64_t loads;  ///< descriptors of one
  };

  static std::vector<Kind> kinds(std::int64_t extent, std::int64_t size);
  std::vector<Kind> row_kinds(std::size_t block, const Cut& cut) const;
  Chunks chunks(std::size_t block, const Cut& cut) const;
  void add_sub(const Cut& cut, const Kind& rows, const Kind& lanes, const Chunks& chunks,
               CutMoves& moves) const;
  void add_fills(std::size_t block, const Cut& cut, LevelBytes& levels) const;
  std::int64_t inside(std::size_t block) const;
  Boxes rows_boxes(const Cut& cut);
  Boxes lanes_boxes(const Cut& cut);
  std::int64_t span(int dimension, std::int64_t windows, std::int64_t taps, bool together);
  std::int64_t bus_bytes(const Cut& cut, int side, std::int64_t bytes) const;
  std::int64_t kernel_span(int dimension, std::int64_t taps, bool together) const;

  const Operation& operation_;
  const Geometry& geometry_;
  const ExpectedSteps& steps_;
  std::vector<Line> lines_[2];
  std::int64_t blocks_;     ///< of the mapping
  std::int64_t same_ = 1;   ///< ... that are like each other: those of wgrad
  std::int64_t results_;    ///< rows of the result, without blocks that are filled in
  double useful_rows_ = 0;  ///< of passes, had these nothing that is filled in
  std::map<std::tuple<int, std::int64_t, std::int64_t, bool>, std::int64_t> spans_;
};

}  // namespace td::sim
