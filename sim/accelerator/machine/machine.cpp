// SPDX-License-Identifier: Apache-2.0
#include "sim/accelerator/machine/machine.hpp"

#include "gen/base/error.hpp"
#include "gen/configuration/geometry.hpp"
#include "sim/accelerator/energy/operation_energy.hpp"
#include "sim/accelerator/timing/transfer_clock.hpp"

namespace td::sim {
namespace {

StepOptions any_memory(const Aim& aim, const MemoryTiming& memory) {
  StepOptions options;
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
                 Objective objective, const MemoryTiming& memory, const OperandSource& source,
                 const LayerSelection& selection)
    : config_(config),
      technology_(technology),
      compute_(compute),
      memory_(memory),
      row_bytes_(geometry_of(config).row_bytes()),
      source_(source),
      zero_free_(source),
      layout_(config, source, selection,
              any_memory(aim_of(config, technology, compute, objective), memory)) {
  for (const PlacedOperation& one : layout_.operations()) placed_[{one.layer, one.op}] = &one;
}

StepOperation Machine::plan(const MachineTask& task, bool dense) const {
  return layout_.plan(*placed_.at({task.layer, task.op}), {task.scheduled, dense, task.zeros});
}

OperationCounts Machine::count_without_data(const StepOperation& planned,
                                            std::uint64_t hash) const {
  const auto burst = static_cast<std::uint64_t>(kBurstBeats * row_bytes_);
  const auto& operands = planned.placement.operands;
  const Key key = {hash,
                   geometry_text(*planned.layer),
                   planned.cut.options.dense,
                   {operands[0] % burst, operands[1] % burst, operands[2] % burst,
                    planned.placement.result % burst}};
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    const auto found = kept_.find(key);
    if (found != kept_.end()) return found->second;
  }
  OperationCounts counts = count_operation(config_, zero_free_, planned, false, memory_, false);
  const std::lock_guard<std::mutex> lock(mutex_);
  kept_[key] = counts;
  return counts;
}

/// A plan may take a GB: this one is gone before the next is made.
void Machine::count_dense(const MachineTask& task, MachineUse& use) const {
  const StepOperation dense = plan(task, true);
  use.dense_plan = dense.plan_hash();
  use.dense = count_without_data(dense, use.dense_plan);
}

MachineUse Machine::run(const MachineTask& task) const {
  MachineUse use;
  if (task.path != SparsePath::on || config_.is_dense()) {
    const StepOperation dense = plan(task, true);
    use.dense_plan = use.tensordash_plan = dense.plan_hash();
    use.tensordash = use.dense = count_operation(config_, source_, dense, false, memory_, true);
    use.zero_free_clocks = use.dense.clocks;
  } else {
    count_dense(task, use);
    const StepOperation planned = plan(task, false);
    use.tensordash_plan = planned.plan_hash();
    use.tensordash = count_operation(config_, source_, planned, false, memory_, false);
    use.zero_free_clocks = count_without_data(planned, use.tensordash_plan).clocks;
    // Dense tiles do not look for zeros, but they take what there is of them.
    use.dense.work.multipliers.effectual = use.tensordash.work.multipliers.effectual;
  }
  use.energy = energy_of(task, use);
  return use;
}

HardwareEnergy Machine::energy_of(const MachineTask& task, const MachineUse& use) const {
  const auto tiles = [&](const OperationCounts& counts) {
    return tile_energy(config_, counts.work, task.useful_macs, compute_, task.path);
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

std::optional<std::string> machine_obstacle(const Config& config) {
  try {
    geometry_of(config);
    return std::nullopt;
  } catch (const UserError& error) {
    return error.what();
  }
}

}  // namespace td::sim
