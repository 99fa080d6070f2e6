// SPDX-License-Identifier: Apache-2.0
// From a cut operation to descriptors: loads of the next part overlap with computes of this one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "sim/accelerator/plan/cut.hpp"
#include "sim/accelerator/plan/job_list.hpp"
#include "sim/accelerator/plan/memory_moves.hpp"
#include "sim/accelerator/plan/operation.hpp"
#include "sim/accelerator/plan/placement.hpp"

namespace td::sim {

/// An operation that comes behind another one.
struct Follower {
  const Operation& operation;
  const Cut& cut;
  const Placement& placement;
  std::optional<Operand> needs;  ///< that is made of the results of the operation before
};

/// The first jobs of an operation that runs alone, and what all of them would do.
struct JobsBegin {
  std::vector<Job> jobs;
  bool all = false;         ///< these are all
  std::int64_t pairs = 0;   ///< of rows, that each tile takes for all computes
  std::int64_t loaded = 0;  ///< beats
  std::int64_t stored = 0;  ///< ... about, where these are not all
};

/// Pairs of rows that each tile takes for a compute.
std::int64_t pairs_of(const ComputeDescriptor& compute);

/// Writes the jobs of operations one behind the other. While one is computed, what the next one
/// needs first is loaded, and what the one before left last is stored: but no operand before the
/// results are stored that it is made of.
class Planner {
 public:
  explicit Planner(const Geometry& geometry) : geometry_(geometry) {}

  /// The jobs of the next operation. What follows, if anything does, must be added next. Results of
  /// operations before the last one are taken to be made use of by any that follows.
  std::vector<Job> add(const Operation& operation, const Cut& cut, const Placement& placement,
                       const Follower* next = nullptr);

  /// The jobs that have a share of the pairs of an operation and a few more, without what follows
  /// in them. Nothing may have been added before.
  JobsBegin begin(const Operation& operation, const Cut& cut, const Placement& placement,
                  double share);

  /// Loads for the operation that was added last which are in the jobs of the one before.
  const std::vector<LoadDescriptor>& early() const { return early_; }

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
    Range rows;                   ///< of the memory that the box may lie in
    std::int64_t operation = -1;  ///< whose it is
    bool computing = false;       ///< what is computed, or is to be, needs it
    std::int64_t computes = 0;    ///< that have to be over before it is overwritten
    std::int64_t free = 0;        ///< computes that had to, when what it holds was wanted
    std::vector<Piece> pieces;
    std::int64_t touched = 0;
    std::int64_t number = 0;  ///< of what it holds, of all that it and others have held

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
    std::int64_t operation = 0;  ///< whose it is
    std::int64_t computes = 0;   ///< that have to be over
    std::int64_t stores = 0;     ///< ... of a load
    std::int64_t clocks = 0;     ///< about what it takes
  };

  /// Descriptors of an engine, one after each compute or several that take as long; of loads, as
  /// long as load_rate() says.
  template <class Kind>
  struct Queue {
    std::deque<Later<Kind>> later;
    std::int64_t owed = 0;  ///< clocks of the last one that no compute has made up for
  };

  /// Words of the result memories, and the stores that have to be over before others are put there.
  struct Stored {
    Range words;
    std::int64_t stores = 0;
  };
  using Results = std::map<std::int64_t, Stored>;  ///< by their first word

  struct Run;  ///< an operation while it is added

  std::vector<Part> list_parts(const Operation& operation, const Cut& cut, std::size_t most) const;
  void interleave(const Operation& operation, const Cut& cut, Part& part) const;
  template <class Each>
  static void each_sub(const Run& run, const Part& part, Each each);
  void acquire(Run& run, const Part& part, bool ahead);
  bool needs_no_more(const Run& run);
  void acquire_ahead(Run& run, bool computed);
  Half* acquire_side(Run& run, const Part& part, int side, bool ahead);
  void load_boxes(const Run& run, const Part& part, Half* const (&halves)[2]);
  void set_computing(const Run& run);
  Range rows_in(const HeldBox& held) const;
  std::vector<Piece> pieces_of(const Run& run, int side, HeldBox held) const;
  void load(const Run& run, Half& half, const TensorBox& box);
  void compute_part(Run& run, std::size_t index);
  static SubResults results_of(const Run& run, const Place& place, const Box& rows,
                               const Range& lanes);
  void add_stores(Run& run, const SubResults& results);
  void compute_sub(Run& run, const SubResults& results, const Box& reduction, bool last,
                   Area& area);
  void compute_chunk(Run& run, const SubResults& results, const Box& chunk, Area& area);
  std::uint8_t kept(const Run& run, const ComputeDescriptor& compute);
  void add_load();
  void add_store();
  std::int64_t all_stores() const;
  std::pair<Results::const_iterator, Results::const_iterator> results_in(const Range& words) const;
  std::int64_t stores_before(const Range& words);
  bool is_kept(const Range& words) const;
  double load_rate(const Run& run) const;
  void add_later(std::int64_t clocks);
  void end(Run& run);
  Spread spread_of(const Run& run, const Box& rows, const Range& lanes) const;
  std::int64_t pairs(const Run& run) const;
  void bring(Run& run);

  Geometry geometry_;
  JobList jobs_;
  std::int64_t operation_ = -1;        ///< the one that was added last
  Queue<LoadDescriptor> loads_;        ///< of the next part, or operation
  Queue<StoreDescriptor> stores_;      ///< of this operation and the one before
  Results stored_;                     ///< what was computed since
  std::vector<LoadDescriptor> early_;  ///< for this operation
  std::vector<LoadDescriptor> ahead_;  ///< for the next one
  std::int64_t results_ = 0;           ///< stores until all their results are in memory
  Half halves_[2][2];                  ///< [side B][half]
  std::int64_t touches_ = 0;
  ComputeDescriptor last_;               ///< the compute that was added last
  std::int64_t last_boxes_[2] = {0, 0};  ///< of its sides
  std::int64_t last_clocks_ = 0;         ///< about what it takes
  double load_rate_ = 1;                 ///< of the part that is computed
};

}  // namespace td::sim
