// SPDX-License-Identifier: Apache-2.0
#include "sim/accelerator/machine/machine.hpp"

#include <tbb/task_arena.h>

#include "base/configuration/geometry.hpp"
#include "base/support/error.hpp"
#include "base/support/parallel.hpp"
#include "sim/accelerator/energy/operation_energy.hpp"
#include "sim/accelerator/timing/bus/transfer_clock.hpp"

namespace td::sim {
namespace {

StepOptions any_memory(const Aim& aim, const MemoryTiming& memory, bool packed,
                       const PlanStore* store) {
  StepOptions options;
  options.store = store;
  options.packed = packed;
  options.bytes = std::uint64_t{1} << 48;  // whatever a network needs
  options.aim = aim;
  options.memory = memory;
  return options;
}

}  // namespace

void MachineUse::add(const MachineUse& other) {
  dense.add(other.dense);
  tensordash.add(other.tensordash);
  zero_free_clocks += other.zero_free_clocks;
  energy.dense.add(other.energy.dense);
  energy.zero_gated.add(other.energy.zero_gated);
  energy.tensordash.add(other.energy.tensordash);
}

Machine::Machine(const Config& config, const Technology& technology, const ComputeEnergy& compute,
                 Objective objective, const MemoryTiming& memory, bool packed,
                 const PlanStore* store, const OperandSource& source,
                 const LayerSelection& selection)
    : config_(config),
      technology_(technology),
      compute_(compute),
      memory_(memory),
      row_bytes_(geometry_of(config).row_bytes()),
      source_(source),
      zero_free_(source),
      layout_(config, source, selection,
              any_memory(aim_of(config, technology, compute, objective), memory, packed, store)) {
  const auto& operations = layout_.operations();
  for (std::size_t place = 0; place < operations.size(); ++place) {
    places_[{operations[place].layer, operations[place].op}] = place;
  }
}

/// Whether the operation may take another plan, one that drops pairs.
bool Machine::drops(const MachineTask& task) const {
  return task.path == SparsePath::on && !config_.is_dense();
}

/// Calls count(place, operation) for each operation, several at once. A plan may take a GB: threads
/// take turns at planning, and each counts what it has planned.
template <class Count>
void Machine::each_operation(const Cuts& cuts, Count count) const {
  StepJobs jobs(layout_, cuts);
  std::mutex turn;
  parallel_for(tbb::this_task_arena::max_concurrency(), [&](std::int64_t) {
    for (;;) {
      std::unique_lock<std::mutex> planning(turn);
      if (jobs.done()) return;
      const std::size_t place = jobs.place();
      const StepOperation planned = jobs.next();
      planning.unlock();
      count(place, planned);
    }
  });
}

OperationCounts Machine::count_without_data(const StepOperation& planned,
                                            std::uint64_t hash) const {
  const auto burst = static_cast<std::uint64_t>(kBurstRows * row_bytes_);
  Key key = {hash, geometry_text(*planned.layer), planned.cut.options.dense, planned.moved()};
  for (std::uint64_t& tensor : std::get<std::vector<std::uint64_t>>(key)) tensor %= burst;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    const auto found = kept_.find(key);
    if (found != kept_.end()) {
      // Packed operands of other blocks can have the same descriptors.
      OperationCounts counts = found->second;
      counts.bound = bound_of(config_, planned, false, memory_, counts.slowest_steps());
      return counts;
    }
  }
  OperationCounts counts = count_operation(config_, zero_free_, planned, false, memory_, false);
  const std::lock_guard<std::mutex> lock(mutex_);
  kept_[key] = counts;
  return counts;
}

void Machine::count_dense(const MachineTask& task, const StepOperation& planned,
                          MachineUse& use) const {
  use.dense_plan = planned.plan_hash();
  use.dense = drops(task) ? count_without_data(planned, use.dense_plan)
                          : count_operation(config_, source_, planned, false, memory_, true);
}

void Machine::count_tensordash(const StepOperation& planned, MachineUse& use) const {
  const bool dense = planned.cut.options.dense;
  use.tensordash_plan = planned.plan_hash();
  use.plan_drops = !dense;
  // Both at once where a thread has nothing else to do, as behind the last operation's plan.
  tbb::this_task_arena::isolate([&] {
    parallel_for(dense ? 1 : 2, [&](std::int64_t zero_free) {
      if (zero_free == 1) {
        use.zero_free_clocks = count_without_data(planned, use.tensordash_plan).clocks;
      } else {
        use.tensordash = count_operation(config_, source_, planned, false, memory_, dense);
      }
    });
  });
  if (dense) use.zero_free_clocks = use.tensordash.clocks;
}

std::vector<MachineUse> Machine::run(const std::vector<MachineTask>& tasks,
                                     const Observer& done) const {
  std::vector<std::size_t> task_of(tasks.size());  // by place
  Cuts dense(tasks.size()), tensordash(tasks.size());
  parallel_for(static_cast<std::int64_t>(tasks.size()), [&](std::int64_t i) {
    const auto number = static_cast<std::size_t>(i);
    const MachineTask& task = tasks[number];
    const std::size_t place = places_.at({task.layer, task.op});
    const PlacedOperation& placed = layout_.operations()[place];
    task_of[place] = number;
    const Plans plans = layout_.plans(placed, {task.scheduled, !drops(task), task.zeros});
    dense[place] = plans.dense;
    tensordash[place] = plans.best();
    done(number);
  });
  std::vector<MachineUse> uses(tasks.size());
  parallel_for(2, [&](std::int64_t kind) {
    if (kind == 0) {
      each_operation(dense, [&](std::size_t place, const StepOperation& planned) {
        count_dense(tasks[task_of[place]], planned, uses[task_of[place]]);
      });
    } else {
      each_operation(tensordash, [&](std::size_t place, const StepOperation& planned) {
        count_tensordash(planned, uses[task_of[place]]);
        done(task_of[place]);
      });
    }
  });
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    // Dense tiles do not look for zeros, but they take what there is of them.
    uses[i].dense.work.multipliers.effectual = uses[i].tensordash.work.multipliers.effectual;
    uses[i].energy = energy_of(tasks[i], uses[i]);
  }
  return uses;
}

HardwareEnergy Machine::energy_of(const MachineTask& task, const MachineUse& use) const {
  const SparsePath path = drops(task) && !use.plan_drops ? SparsePath::gated : task.path;
  const auto tiles = [&](const OperationCounts& counts) {
    return tile_energy(config_, counts.work, task.useful_macs, compute_, path);
  };
  const auto whole = [&](double compute_pJ, const OperationCounts& counts) {
    return operation_energy(config_, technology_, compute_pJ,
                            bf16_mac_pJ(config_, technology_, compute_), counts.levels,
                            counts.clocks);
  };
  const TileEnergy dense = tiles(use.dense);
  return {whole(dense.dense_pJ, use.dense), whole(dense.zero_gated_pJ, use.dense),
          whole(tiles(use.tensordash).tensordash_pJ, use.tensordash)};
}

}  // namespace td::sim
