// SPDX-License-Identifier: Apache-2.0
// Simulation of a whole network: every operation of every layer and snapshot on an array of tiles.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "base/configuration/config.hpp"
#include "sim/accelerator/driver/plan_store.hpp"
#include "sim/accelerator/timing/bus/memory_clock.hpp"
#include "sim/mapping/selection.hpp"
#include "sim/memory/energy.hpp"
#include "sim/memory/technology.hpp"
#include "sim/results/run_result.hpp"
#include "sim/trace/operand_source.hpp"

namespace td::sim {

/// How the scheduled operand of an operation is chosen.
enum class ScheduleMode {
  automatic,  ///< the larger share of zeros: ZeroShares::scheduled()
  first,      ///< A for fwd and wgrad, GO for dgrad
  second,     ///< W for fwd and dgrad, GO for wgrad
  best        ///< fewer cycles, by simulating both; where they are equal, as automatic
};

/// The names that the command line and results use.
constexpr const char* to_string(ScheduleMode mode) {
  return mode == ScheduleMode::automatic ? "auto"
         : mode == ScheduleMode::first   ? "first"
         : mode == ScheduleMode::second  ? "second"
                                         : "best";
}

/// How the dealing of an operation's streams to tile rows is chosen.
enum class DealingMode {
  natural,
  density,
  time,
  best  ///< fewest cycles, by simulating all; where they are equal, the first
};

constexpr const char* to_string(DealingMode mode) {
  return mode == DealingMode::natural   ? "natural"
         : mode == DealingMode::density ? "density"
         : mode == DealingMode::time    ? "time"
                                        : "best";
}

/// Between which it chooses.
std::vector<Dealing> dealings(DealingMode mode);

struct SimulationOptions {
  Config config;
  ScheduleMode schedule = ScheduleMode::automatic;
  DealingMode dealing = DealingMode::natural;
  LayerSelection selection;
  int threads = 0;  ///< 0: as many as there are cores
  /// Operations run as on dense tiles where few zeros were in the scheduled tensor (two-sided: in
  /// both) a snapshot before.
  bool gate = false;
  bool packed = false;        ///< operands in memory, where plans cost less with it
  bool compute_only = false;  ///< tiles that are always served, without the machine around them
  MemoryTiming memory;        ///< behind the machine
  Objective objective = Objective::time;  ///< of the machine's plans
  const PlanStore* store = nullptr;       ///< ... that other runs made, if any
  Technology technology;
  ComputeEnergy compute;  ///< of `config` and its dense counterparts
};

/// Hears how much of the work is done, in rows of dense passes, those of the machine twice more;
/// first of 0. Calls never overlap.
using WorkObserver = std::function<void(std::int64_t done, std::int64_t total)>;

/// Simulates what is selected, on as many threads as are asked for: tiles that are always served
/// and, where an accelerator of the configuration is built and deals streams as asked, the machine
/// from memory to memory. What only the caller knows stays empty: program, model and dataset.
/// Throws UserError when nothing is selected, a layer cannot be mapped or planned, or a schedule is
/// asked of two-sided tiles, std::logic_error when a result breaks an invariant.
RunResult simulate_network(const OperandSource& source, const SimulationOptions& options,
                           const WorkObserver& observer = nullptr);

}  // namespace td::sim
