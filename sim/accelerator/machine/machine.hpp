// SPDX-License-Identifier: Apache-2.0
// The accelerator that is generated of a configuration, from memory to memory: what an operation
// takes in each kind of hardware, without its numbers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "base/configuration/config.hpp"
#include "sim/accelerator/driver/step_jobs.hpp"
#include "sim/accelerator/driver/step_layout.hpp"
#include "sim/accelerator/steps/operation_counts.hpp"
#include "sim/accelerator/timing/bus/memory_clock.hpp"
#include "sim/mapping/selection.hpp"
#include "sim/memory/energy.hpp"
#include "sim/memory/technology.hpp"
#include "sim/trace/zero_free_operands.hpp"

namespace td::sim {

/// Energy of an operation in each kind of hardware, memory included.
struct HardwareEnergy {
  Energy dense;
  Energy zero_gated;
  Energy tensordash;

  /// How many times less TensorDash takes than dense hardware.
  double efficiency() const { return dense.total_pJ() / tensordash.total_pJ(); }
  double efficiency_over_zero_gated() const {
    return zero_gated.total_pJ() / tensordash.total_pJ();
  }
};

/// One operation from memory to memory, each kind of hardware with the best plan for it. Zero-gated
/// tiles take the dense ones' clocks, and move as much.
struct MachineUse {
  OperationCounts dense;
  OperationCounts tensordash;
  std::uint64_t dense_plan = 0;  ///< StepOperation::plan_hash(); 0 of sums
  std::uint64_t tensordash_plan = 0;
  bool plan_drops = false;            ///< TensorDash's drops pairs; else its sparse path is off
  std::int64_t zero_free_clocks = 0;  ///< of TensorDash's plan, had the tensors no zeros
  HardwareEnergy energy;

  void add(const MachineUse& other);
};

/// What is known of an operation before it runs on the machine.
struct MachineTask {
  const LayerInfo* layer;
  Op op;
  Which scheduled;   ///< the operand on side B
  double zeros = 0;  ///< share of zeros in it
  std::int64_t useful_macs = 0;
  SparsePath path = SparsePath::on;
};

class Machine {
 public:
  /// Places what is selected in memory; `packed`: operands packed, where plans cost less with it.
  /// `store`: of plans, or null. It and the source must outlive this. Throws UserError for a
  /// configuration of which no accelerator is built.
  Machine(const Config& config, const Technology& technology, const ComputeEnergy& compute,
          Objective objective, const MemoryTiming& memory, bool packed, const PlanStore* store,
          const OperandSource& source, const LayerSelection& selection);

  /// Hears that a task is planned, and that it is counted. Threads call at once.
  using Observer = std::function<void(std::size_t task)>;

  /// Of all operations that are selected, one for each. Throws UserError when one cannot be
  /// planned. Uses the threads of the caller's arena.
  std::vector<MachineUse> run(const std::vector<MachineTask>& tasks, const Observer& done) const;

 private:
  /// Counts that no data decide: of a plan, what it is of, and where in a burst its tensors begin.
  using Key = std::tuple<std::uint64_t, std::string, bool, std::vector<std::uint64_t>>;
  using Cuts = std::vector<Cut>;  ///< by place in the layout

  bool drops(const MachineTask& task) const;
  template <class Count>
  void each_operation(const Cuts& cuts, Count count) const;
  void count_dense(const MachineTask& task, const StepOperation& planned, MachineUse& use) const;
  void count_tensordash(const StepOperation& planned, MachineUse& use) const;
  /// Of all elements of side B being there, or dropping nothing. Layers that repeat are counted
  /// once.
  OperationCounts count_without_data(const StepOperation& planned, std::uint64_t hash) const;
  HardwareEnergy energy_of(const MachineTask& task, const MachineUse& use) const;

  Config config_;
  Technology technology_;
  ComputeEnergy compute_;
  MemoryTiming memory_;
  std::int64_t row_bytes_;
  const OperandSource& source_;
  ZeroFreeOperands zero_free_;
  StepLayout layout_;
  std::map<std::pair<const LayerInfo*, Op>, std::size_t> places_;  ///< in the layout
  mutable std::mutex mutex_;
  mutable std::map<Key, OperationCounts> kept_;
};

}  // namespace td::sim
