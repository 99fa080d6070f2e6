// SPDX-License-Identifier: Apache-2.0
// From a cut operation to descriptors: loads of the next part overlap with computes of this one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

#include "sim/accelerator/plan/cut.hpp"
#include "sim/accelerator/plan/job_list.hpp"
#include "sim/accelerator/plan/memory_moves.hpp"
#include "sim/accelerator/plan/operation.hpp"
#include "sim/accelerator/plan/placement.hpp"

namespace td::sim {

/// Writes the jobs of operations that do not need each other's results.
class Planner {
 public:
  explicit Planner(const Geometry& geometry) : geometry_(geometry) {}

  void add(const Operation& operation, const Cut& cut, const Placement& placement);

  /// Operations that are added from now on may need the results of those before.
  void next_job() { jobs_.next_job(); }

  std::vector<Job> take() { return jobs_.take(); }

 private:
  /// A piece of a box.
  struct Piece {
    TensorBox box;
    std::vector<LoadDescriptor> loads;  ///< of it, until they come
    std::int64_t last = 0;              ///< loads that are over when it is there

    bool has(const TensorBox& rows) const {
      return overlap(box.outer, rows.outer).size() > 0 && overlap(box.x, rows.x).size() > 0;
    }
  };

  /// A half of an operand memory, and what it holds.
  struct Half {
    HeldBox held;
    bool valid = false;         ///< for this operation
    std::int64_t computes = 0;  ///< that have to be over before it is overwritten
    std::int64_t free = 0;      ///< ... when what it holds was wanted
    std::vector<Piece> pieces;
    std::int64_t touched = 0;

    std::int64_t loads_for(const TensorBox& box) const;
  };

  /// What is loaded at once, and computed from that.
  struct Part {
    std::int64_t group = 0;
    std::size_t first_block = 0;
    std::size_t blocks = 1;
    Box rows;
    Range lanes;
    Box reduction;
    bool first = false;  ///< of its super
    bool last = false;
    HeldBox boxes[2];  ///< of the rows, of the lanes; where they will be is open
  };

  /// Where the results of a sub are.
  struct Area {
    std::size_t slot = 0;
    bool begun = false;
  };

  /// A descriptor that stands further behind: where it waits for its engine, those behind it wait.
  template <class Kind>
  struct Later {
    Kind descriptor;
    std::int64_t computes = 0;  ///< that have to be over
    std::int64_t clocks = 0;    ///< about what it takes
    std::size_t slot = 0;       ///< of results
  };

  /// Descriptors of an engine, one after each compute or several that take as long.
  template <class Kind>
  struct Queue {
    std::deque<Later<Kind>> later;
    std::int64_t owed = 0;  ///< clocks of the last one that no compute has made up for
  };

  struct Run;  ///< an operation while it is added

  std::vector<Part> list_parts(const Operation& operation, const Cut& cut) const;
  void interleave(const Operation& operation, const Cut& cut, Part& part) const;
  template <class Each>
  static void each_sub(const Run& run, const Part& part, Each each);
  void acquire(Run& run, const Part& part, bool ahead);
  Half* acquire_side(Run& run, const Part& part, int side, bool ahead);
  std::vector<Piece> pieces_of(const Run& run, int side, HeldBox held) const;
  void load(Run& run, Half& half, const TensorBox& box);
  void compute_part(Run& run, std::size_t index);
  void compute_sub(Run& run, const SubResults& results, const Box& reduction, bool last,
                   Area& area);
  void compute_chunk(Run& run, const SubResults& results, const Box& chunk, Area& area);
  void add_load(const Later<LoadDescriptor>& load);
  void add_store(Run& run, const Later<StoreDescriptor>& store);
  void add_later(Run& run, std::int64_t clocks);

  Geometry geometry_;
  JobList jobs_;
  Half halves_[2][2];  ///< [side B][half]
  std::int64_t touches_ = 0;
};

}  // namespace td::sim
