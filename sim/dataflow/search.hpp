// SPDX-License-Identifier: Apache-2.0
// The best dataflow of an operation: every kind of hardware has its own.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "sim/dataflow/dataflow.hpp"
#include "sim/memory/energy.hpp"
#include "sim/storage/read_shares.hpp"
#include "sim/trace/operand_source.hpp"

namespace td::sim {

/// What is least in the best dataflow.
enum class Objective { energy, time, product };

/// The names that the command line and results use.
constexpr const char* to_string(Objective objective) {
  return objective == Objective::energy ? "energy"
         : objective == Objective::time ? "time"
                                        : "product";
}

/// Ideas that a search may do without, to see what each of them gains.
struct DataflowIdeas {
  bool chunks = true;     ///< streams too long for a scratchpad are cut, so that a side can stay
  bool multicast = true;  ///< what several tiles need at once is read once
  bool sums = true;       ///< off the chip, wgrad's sums stay instead of an operand
  bool storage = true;    ///< operands lie zero-compressed or scheduled where that saves
  bool sharing = true;    ///< channels and kernel positions share rows that channels do not fill
  bool results = true;    ///< results leave as what they become, compressed, where that is known
  bool gradients = true;  ///< those of outputs come in once for dgrad and wgrad
  bool gating = true;     ///< TensorDash's sparse path is off where it does not pay
};

/// An idea by its name on the command line and in results.
struct DataflowIdea {
  const char* name;
  bool DataflowIdeas::*wanted;
};

inline constexpr DataflowIdea kDataflowIdeas[] = {
    {"chunks", &DataflowIdeas::chunks},       {"multicast", &DataflowIdeas::multicast},
    {"sums", &DataflowIdeas::sums},           {"storage", &DataflowIdeas::storage},
    {"sharing", &DataflowIdeas::sharing},     {"results", &DataflowIdeas::results},
    {"gradients", &DataflowIdeas::gradients}, {"gating", &DataflowIdeas::gating}};

/// What is searched for.
struct DataflowGoal {
  Objective objective = Objective::energy;
  DataflowIdeas ideas;
};

/// An operation in one kind of hardware under one dataflow.
struct DataflowResult {
  Dataflow dataflow;
  Which side_b = Which::second;      ///< operand whose streams are in the tile rows
  bool shares_rows = false;          ///< streams are those of with_shared_rows()
  SparsePath path = SparsePath::on;  ///< of TensorDash; gated, its passes take dense cycles
  bool gradients_once = false;       ///< those of outputs come in with dgrad, and stay for wgrad
  DataflowCounts counts;
  ReadShares shares;        ///< of what the counts would read, with operands as they are stored
  std::int64_t cycles = 0;  ///< of the array
  std::int64_t tile_cycles = 0;  ///< of all tiles, without waiting
  std::int64_t sram_cycles = 0;  ///< that the large memories take
  std::int64_t transposer_cycles = 0;
  std::int64_t dram_cycles = 0;
  std::int64_t dram_bytes = 0;     ///< read and written
  std::int64_t memory_cycles = 0;  ///< the most of these: they hide each other
  Energy energy;

  /// What takes longest.
  const char* limit() const;

  bool is_better(const DataflowResult& other, Objective objective) const;
  /// What is to be least, and, where it is equal, what then.
  std::pair<double, double> score(Objective objective) const;
};

/// The best of each kind of hardware, where there is any.
struct FoundDataflows {
  std::optional<DataflowResult> dense;
  std::optional<DataflowResult> zero_gated;
  std::optional<DataflowResult> tensordash;
};

/// What an operation would take had its tensors no zeros, under TensorDash's dataflow; energies are
/// of dense tiles, under theirs, did they take as many cycles.
struct ZeroFreeDataflow {
  std::int64_t cycles = 0;
  std::int64_t memory_cycles = 0;
  Energy dense;
  Energy zero_gated;
};

struct BestDataflows {
  /// Without `zero_free`. All are found.
  explicit BestDataflows(const FoundDataflows& found)
      : dense(*found.dense), zero_gated(*found.zero_gated), tensordash(*found.tensordash) {}
  BestDataflows() = default;

  DataflowResult dense;
  DataflowResult zero_gated;
  DataflowResult tensordash;
  ZeroFreeDataflow zero_free;

  OpEnergy energy() const { return {dense.energy, zero_gated.energy, tensordash.energy}; }
  /// With dense tiles that do none of the work that was filled in.
  OpEnergy data_energy() const {
    return {zero_free.dense, zero_free.zero_gated, tensordash.energy};
  }
};

/// What the search needs to know of the machine.
struct DataflowMachine {
  const Config& config;
  const Technology& technology;
  const ComputeEnergy& compute;
};

/// An operation. All that it refers to must outlive it.
struct DataflowJob {
  const OperandSource& source;
  const LayerInfo& layer;
  Op op;
  const OpCycles& cycles;  ///< under tdsim's rule: side B, and what its pairs are
  std::int64_t useful_macs;
  TensorContents contents;
  SparsePath path;  ///< on: the search may gate it; gated: nothing else is tried
  std::optional<LeavingResult> result;  ///< none: results leave as they are
};

/// Cycles of a dataflow.
struct DataflowCycles {
  std::int64_t array = 0;
  std::int64_t tiles = 0;  ///< of all, without waiting
};

/// Operations of one layer, each once. Tries, for both sides and every number of tiles, with rows
/// that are shared and not: uncut streams, and the longest chunks that stay in half a scratchpad;
/// dgrad and wgrad, if both are there, each by itself and with output gradients that come in once.
/// What is without zeros is left out. Throws UserError for two-sided tiles, whose passes depend on
/// both operands.
std::vector<BestDataflows> best_dataflows(const DataflowMachine& machine,
                                          const std::vector<DataflowJob>& jobs,
                                          const DataflowGoal& goal);

/// Cycles of TensorDash with these operands.
DataflowCycles dataflow_cycles(const Config& config, const OperandSource& source,
                               const LayerInfo& layer, Op op, const DataflowResult& tensordash);

/// Fills in what is without zeros, from TensorDash's cycles with such operands.
void add_zero_free(const DataflowMachine& machine, const DataflowJob& job, const DataflowGoal& goal,
                   const DataflowCycles& zero_free, BestDataflows& best);

}  // namespace td::sim
