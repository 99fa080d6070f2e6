// SPDX-License-Identifier: Apache-2.0
#include "sim/network/network_simulation.hpp"

#include <fmt/ranges.h>
#include <tbb/global_control.h>
#include <tbb/info.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "base/configuration/parameters.hpp"
#include "base/support/error.hpp"
#include "base/support/parallel.hpp"
#include "sim/accelerator/machine/machine.hpp"
#include "sim/cycles/op_simulator.hpp"
#include "sim/mapping/mapping.hpp"
#include "sim/masks/useful_macs.hpp"
#include "sim/results/invariants.hpp"
#include "sim/trace/zero_free_operands.hpp"

namespace td::sim {

namespace {

/// The selected operations of a layer.
struct LayerJob {
  const LayerInfo* layer;
  const LayerInfo* previous;  ///< the same layer one snapshot before, or null
  std::vector<Op> ops;
  std::int64_t work;  ///< dense rows of all its passes
};

/// The work of an operation, known before its operands are: dense rows with the second on side B.
std::int64_t work(const LayerInfo& layer, Op op, const Config& config) {
  return dense_cycles(Mapping(layer, op, config.lanes), config.rows, config.columns, Which::second);
}

/// What is selected of the source, in its order; what is left out of it goes to the notes.
std::vector<LayerJob> select_jobs(const OperandSource& source, const SimulationOptions& options,
                                  std::vector<std::string>& notes) {
  std::map<const LayerInfo*, const LayerInfo*> previous;
  std::map<std::string, const LayerInfo*> last;  // by name
  for (const LayerInfo& layer : source.layers()) {
    previous[&layer] = std::exchange(last[layer.name], &layer);
  }
  std::vector<LayerJob> jobs;
  for (const SelectedLayer& one :
       select_layers(source.layers(), options.selection, source.path())) {
    const LayerInfo& layer = *one.layer;
    if (one.lacks_dgrad) {
      notes.push_back(fmt::format("no dgrad of {}: its input needs no gradient", path(layer)));
    }
    for (const Op op : one.omitted) {
      notes.push_back(
          fmt::format("no {} of {}: the step does not compute it", to_string(op), path(layer)));
    }
    LayerJob job{&layer, previous[&layer], one.ops, 0};
    for (const Op op : job.ops) job.work += work(layer, op, options.config);
    if (!job.ops.empty()) jobs.push_back(std::move(job));
  }
  return jobs;
}

/// A transposed convolution is traced as the convolution whose dgrad it is, so its operations have
/// each other's names.
void add_transposed_note(const std::vector<LayerJob>& jobs, std::vector<std::string>& notes) {
  std::vector<std::string> names;
  for (const LayerJob& job : jobs) {
    const std::string& name = job.layer->name;
    const bool is_new = std::find(names.begin(), names.end(), name) == names.end();
    if (job.layer->is_transposed && is_new) names.push_back(name);
  }
  if (names.empty()) return;
  notes.push_back(
      fmt::format("transposed convolutions, of which dgrad is the forward pass, and fwd the "
                  "gradient of the layer's input: {}",
                  fmt::join(names, ", ")));
}

/// Tiles that search both operands have none to choose, and a single row.
void check_schedule(const SimulationOptions& options) {
  const bool both = options.config.scheduling == Scheduling::two_sided;
  if (both && options.dealing != DealingMode::natural) {
    throw UserError(
        "command line", "--dealing", to_string(options.dealing),
        fmt::format("natural: {} is two_sided, which has one tile row", options.config.name));
  }
  if (both && options.schedule != ScheduleMode::automatic) {
    throw UserError("command line", "--schedule", to_string(options.schedule),
                    fmt::format("auto: {} is two_sided, which searches both operands for zeros",
                                options.config.name));
  }
}

/// Where gating was asked for and nothing was counted before: once for all of the first snapshot,
/// else for each layer.
void add_gating_notes(const OperandSource& source, const SimulationOptions& options,
                      const std::vector<LayerJob>& jobs, std::vector<std::string>& notes) {
  if (!options.gate || options.config.is_dense()) return;
  const std::string& first = source.layers().front().snapshot;
  std::set<std::string> places;
  for (const LayerJob& job : jobs) {
    if (job.previous != nullptr) continue;
    const LayerInfo& layer = *job.layer;
    const std::string place = layer.snapshot == first ? layer.snapshot : path(layer);
    if (!places.insert(place).second) continue;
    notes.push_back(fmt::format("--gate: no snapshot before {}: nothing is gated there", place));
  }
}

/// What loading in the format does to the numbers, each kind once, joined by "; ".
std::string conversions(const OperandSource& source, Format format) {
  std::set<std::string> kinds;
  for (const LayerInfo& layer : source.layers()) {
    for (const Operand operand : {Operand::A, Operand::W, Operand::GO}) {
      const std::string text = source.conversion_text(layer, operand, format);
      if (!text.empty()) kinds.insert(text);
    }
  }
  std::string texts;
  for (const std::string& kind : kinds) texts += (texts.empty() ? "" : "; ") + kind;
  return texts;
}

/// Why a run is of compute alone; nothing where it has the machine. Empty where it was asked for.
std::optional<std::string> obstacle(const SimulationOptions& options) {
  if (options.compute_only) return "";
  if (options.dealing != DealingMode::natural) {
    return fmt::format("compute alone: the accelerator does not deal streams by {}",
                       to_string(options.dealing));
  }
  const std::optional<std::string> found = accelerator_obstacle(options.config);
  if (found) return fmt::format("compute alone, no accelerator is built: {}", *found);
  return std::nullopt;
}

/// Everything of a result but operations, and notes on these.
RunResult describe(const OperandSource& source, const SimulationOptions& options) {
  const Config& config = options.config;
  RunResult result;
  result.configuration = config.name;
  result.configuration_hash = config_hash_text(config);
  result.scheduling =
      find_parameter("tile.scheduling")->choices[static_cast<std::size_t>(config.scheduling)];
  result.depth = config.is_dense() ? 1 : config.depth;
  result.pattern = config.is_dense() ? "none" : config.pattern;
  result.options = config.options;
  result.format = traits(config.format).name;
  result.output = traits(config.output).name;
  result.accelerator = config.accelerator;
  result.accelerator_hash = accelerator_hash_text(config);
  result.array = {config.accelerator.tiles, config.rows, config.columns, config.lanes};
  result.split = "passes of an operation dealt to the tiles in turn";
  if (options.dealing != DealingMode::natural) {
    result.split += fmt::format("; streams to tile rows: {}", to_string(options.dealing));
  }
  result.schedule = to_string(options.schedule);
  result.gate = options.gate;
  const std::optional<std::string> alone = obstacle(options);
  if (alone && options.packed) {
    throw UserError("command line", "--packed", "compute alone", "a run from memory to memory");
  }
  if (!alone) {
    result.latency = options.memory.latency;
    result.bandwidth = options.memory.bandwidth;
    result.packed = options.packed;
  }
  if (!alone) result.objective = to_string(options.objective);
  if (alone && !alone->empty()) result.notes.push_back(*alone);
  result.technology = options.technology.name;
  result.technology_hash = options.technology.hash;
  result.clock_MHz = options.technology.clock_MHz;
  if (options.technology.memories) result.memories = options.technology.memories->text();
  result.compute = options.compute;
  result.source_path = source.path();
  result.source_identity = source.identity();
  result.conversion = conversions(source, config.format);
  const std::optional<std::string>& snapshot = options.selection.snapshot;
  for (Coverage& coverage : source.coverage()) {
    if (!snapshot || *snapshot == coverage.snapshot) result.coverage.push_back(std::move(coverage));
  }
  result.is_selection = options.selection.layer || options.selection.op;
  return result;
}

class Simulation {
 public:
  Simulation(const OperandSource& source, const SimulationOptions& options)
      : source_(source),
        zero_free_(source),
        options_(options),
        dealings_(dealings(options.dealing)),
        simulator_(options.config) {}

  /// The operations of a layer, in their order.
  std::vector<OpResult> run(const LayerJob& job) {
    const LayerZeros& zeros = zeros_of(*job.layer);
    const bool gate = options_.gate && job.previous != nullptr;
    const LayerZeros* previous = gate ? &zeros_of(*job.previous) : nullptr;
    std::vector<OpResult> results;
    // One after the other: each is spread over all threads, and what one keeps bounds the memory.
    for (const Op op : job.ops) results.push_back(run(*job.layer, op, zeros, previous));
    return results;
  }

 private:
  /// Layers are counted once, though a snapshot later their zeros decide on gating.
  const LayerZeros& zeros_of(const LayerInfo& layer) {
    const auto [found, is_new] = zeros_.try_emplace(&layer);
    if (is_new) found->second = count_zeros(source_, layer, options_.config.format);
    return found->second;
  }

  OpResult run(const LayerInfo& layer, Op op, const LayerZeros& zeros, const LayerZeros* previous) {
    OpResult result;
    result.snapshot = layer.snapshot;
    result.layer = layer.name;
    result.op = op;
    result.zeros = zero_shares(layer, op, zeros);
    result.cycles = choose(layer, op, result.zeros);
    const Which scheduled = result.cycles.scheduled;
    result.scheduled = operand(op, scheduled);
    result.first_tensor = zeros.of(operand(op, Which::first));
    result.second_tensor = zeros.of(operand(op, Which::second));
    result.useful_macs = useful_macs(source_, layer, op, options_.config.format);
    result.ungated_cycles = result.cycles.cycles;
    result.energy = energy(result, result.cycles, SparsePath::on);
    result.ungated_pJ = result.energy.tensordash_pJ;
    if (previous != nullptr && !options_.config.is_dense()) {
      const ZeroCount counted = searched_zeros(op, scheduled, *previous);
      result.gated = sparse_path(options_.compute, counted) == SparsePath::gated;
    }
    if (result.gated) {
      result.cycles = simulator_.run(source_, layer, op, scheduled, true);
      result.energy = energy(result, result.cycles, SparsePath::gated);
    }
    add_zero_free(layer, result);
    return result;
  }

  /// The tensor's zeros that skipping can live on: of what is scheduled; of the sparser operand
  /// where both are searched.
  ZeroCount searched_zeros(Op op, Which scheduled, const LayerZeros& zeros) const {
    const ZeroShares tensors{zeros.of(operand(op, Which::first)),
                             zeros.of(operand(op, Which::second))};
    const bool both = options_.config.scheduling == Scheduling::two_sided;
    const Which searched = both ? tensors.scheduled() : scheduled;
    return searched == Which::first ? tensors.first : tensors.second;
  }

  /// Of the result's operation, did it take these cycles.
  TileEnergy energy(const OpResult& result, const OpCycles& cycles, SparsePath path) const {
    return tile_energy(options_.config, cycles, result.useful_macs, options_.compute, path);
  }

  void add_zero_free(const LayerInfo& layer, OpResult& result) {
    OpCycles cycles = zero_free_cycles(layer, result);
    result.zero_free.cycles = cycles.cycles;
    // Dense tiles, but without the work that was filled in; the data are as they are.
    cycles.rows = cycles.tile_cycles;
    cycles.multipliers.effectual = result.cycles.multipliers.effectual;
    const TileEnergy tiles = energy(result, cycles, SparsePath::on);
    result.zero_free.dense_pJ = tiles.dense_pJ;
    result.zero_free.zero_gated_pJ = tiles.zero_gated_pJ;
  }

  /// Shapes alone decide it, so that layers of one shape share it, and all snapshots do.
  const OpCycles& zero_free_cycles(const LayerInfo& layer, const OpResult& result) {
    const Which scheduled = result.cycles.scheduled;
    const Dealing dealing = result.cycles.dealing;
    const auto key =
        std::make_tuple(geometry_text(layer), result.op, scheduled, dealing, result.gated);
    const auto found = zero_free_cycles_.find(key);
    if (found != zero_free_cycles_.end()) return found->second;
    return zero_free_cycles_[key] =
               simulator_.run(zero_free_, layer, result.op, scheduled, result.gated, dealing);
  }

  OpCycles choose(const LayerInfo& layer, Op op, const ZeroShares& zeros) const {
    const Which sparser = zeros.scheduled();
    const Which other = sparser == Which::first ? Which::second : Which::first;
    switch (options_.schedule) {
      case ScheduleMode::first:
        return deal(layer, op, Which::first);
      case ScheduleMode::second:
        return deal(layer, op, Which::second);
      case ScheduleMode::automatic:
        return deal(layer, op, sparser);
      case ScheduleMode::best:
        break;
    }
    const OpCycles one = deal(layer, op, sparser);
    const OpCycles two = deal(layer, op, other);
    return two.cycles < one.cycles ? two : one;
  }

  OpCycles deal(const LayerInfo& layer, Op op, Which scheduled) const {
    const auto run = [&](Dealing dealing) {
      return simulator_.run(source_, layer, op, scheduled, false, dealing);
    };
    OpCycles best = run(dealings_.front());
    for (std::size_t i = 1; i < dealings_.size(); ++i) {
      const OpCycles other = run(dealings_[i]);
      if (other.cycles < best.cycles) best = other;
    }
    return best;
  }

  const OperandSource& source_;
  const ZeroFreeOperands zero_free_;
  const SimulationOptions& options_;
  const std::vector<Dealing> dealings_;
  OpSimulator simulator_;
  std::map<std::tuple<std::string, Op, Which, Dealing, bool>, OpCycles> zero_free_cycles_;
  std::map<const LayerInfo*, LayerZeros> zeros_;
};

/// Of how much of the work is done, from whichever thread.
class WorkDone {
 public:
  WorkDone(std::int64_t total, const WorkObserver& observer) : total_(total), observer_(observer) {
    add(0);
  }

  void add(std::int64_t work) {
    const std::lock_guard<std::mutex> lock(mutex_);
    done_ += work;
    if (observer_) observer_(done_, total_);
  }

 private:
  std::int64_t total_;
  std::int64_t done_ = 0;
  const WorkObserver& observer_;
  std::mutex mutex_;
};

/// Compute alone. Runs the jobs one after the other: each is spread over all threads.
void run_jobs(const std::vector<LayerJob>& jobs, Simulation& simulation, WorkDone& done,
              RunResult& result) {
  for (const LayerJob& job : jobs) {
    for (OpResult& operation : simulation.run(job)) {
      result.operations.push_back(std::move(operation));
    }
    done.add(job.work);
  }
}

/// The same operations from memory to memory.
void run_machine(const std::vector<LayerJob>& jobs, const OperandSource& source,
                 const SimulationOptions& options, WorkDone& done, RunResult& result) {
  const Machine machine(options.config, options.technology, options.compute, options.objective,
                        options.memory, options.packed, options.store, source, options.selection);
  std::vector<MachineTask> tasks;
  for (const LayerJob& job : jobs) {
    for (std::size_t i = 0; i < job.ops.size(); ++i) {
      const OpResult& one = result.operations[tasks.size()];
      const Which scheduled = one.cycles.scheduled;
      tasks.push_back({job.layer, one.op, scheduled, one.zeros.of(scheduled).share(),
                       one.useful_macs, one.gated ? SparsePath::gated : SparsePath::on});
    }
  }
  const std::vector<MachineUse> uses = machine.run(tasks, [&](std::size_t task) {
    done.add(work(*tasks[task].layer, tasks[task].op, options.config));
  });
  for (std::size_t i = 0; i < uses.size(); ++i) result.operations[i].machine = uses[i];
}

void run_all(const std::vector<LayerJob>& jobs, const OperandSource& source,
             const SimulationOptions& options, const WorkObserver& observer, RunResult& result) {
  std::int64_t total = 0;
  for (const LayerJob& job : jobs) total += job.work;
  WorkDone done(result.latency ? 3 * total : total, observer);
  Simulation simulation(source, options);
  run_jobs(jobs, simulation, done, result);
  if (result.latency) run_machine(jobs, source, options, done, result);
  for (const OpResult& operation : result.operations) {
    check_invariants(operation, options.config, result.source_path);
  }
}

/// The operations whose tile rows have streams that are alike, where that was asked for.
void add_dealing_notes(const SimulationOptions& options, RunResult& result) {
  for (const Dealing dealing : dealings(options.dealing)) {
    if (dealing == Dealing::natural) continue;
    std::vector<std::string> dealt;
    for (const OpResult& one : result.operations) {
      if (one.cycles.dealing != dealing) continue;
      dealt.push_back(fmt::format("{}/{} {}", one.snapshot, one.layer, to_string(one.op)));
    }
    result.notes.push_back(fmt::format("streams of like {} share a tile in {} of {} operations: {}",
                                       to_string(dealing), dealt.size(), result.operations.size(),
                                       fmt::join(dealt, ", ")));
  }
}

}  // namespace

std::vector<Dealing> dealings(DealingMode mode) {
  switch (mode) {
    case DealingMode::natural:
      return {Dealing::natural};
    case DealingMode::density:
      return {Dealing::density};
    case DealingMode::time:
      return {Dealing::time};
    case DealingMode::best:
      break;
  }
  return {Dealing::natural, Dealing::density, Dealing::time};
}

RunResult simulate_network(const OperandSource& source, const SimulationOptions& options,
                           const WorkObserver& observer) {
  check_schedule(options);
  RunResult result = describe(source, options);
  const std::vector<LayerJob> jobs = select_jobs(source, options, result.notes);
  add_transposed_note(jobs, result.notes);
  add_gating_notes(source, options, jobs, result.notes);
  const int threads = options.threads > 0 ? options.threads : tbb::info::default_concurrency();
  const tbb::global_control limit(tbb::global_control::max_allowed_parallelism,
                                  static_cast<std::size_t>(threads));
  tbb::task_arena(threads).execute([&] { run_all(jobs, source, options, observer, result); });
  add_dealing_notes(options, result);
  return result;
}

}  // namespace td::sim
