// SPDX-License-Identifier: Apache-2.0
#include "sim/network_simulation.hpp"

#include <set>
#include <vector>

#include "gen/error.hpp"
#include "gen/parameters.hpp"
#include "sim/invariants.hpp"
#include "sim/mapping.hpp"
#include "sim/plain_simulator.hpp"

namespace td::sim {

namespace {

/// With --gate: an operation runs as on dense tiles where its scheduled operand has fewer zeros.
constexpr double kLeastZeros = 0.05;

struct Job {
  const LayerInfo* layer;
  Mapping mapping;
};

bool matches(const std::optional<std::string>& wanted, const std::string& actual) {
  return !wanted || *wanted == actual;
}

/// What is selected of the source, in its order; what is left out of it goes to the notes.
std::vector<Job> select_jobs(const OperandSource& source, const SimulationOptions& options,
                             std::vector<std::string>& notes) {
  const LayerSelection& selection = options.selection;
  std::vector<Job> jobs;
  for (const LayerInfo& layer : source.layers()) {
    if (!matches(selection.snapshot, layer.snapshot) || !matches(selection.layer, layer.name)) {
      continue;
    }
    if (!layer.needs_input_grad && matches(selection.op, to_string(Op::dgrad))) {
      notes.push_back(fmt::format("no dgrad of {}: its input needs no gradient", path(layer)));
    }
    for (const Op op : operations(layer)) {
      if (matches(selection.op, to_string(op))) {
        jobs.push_back({&layer, Mapping(layer, op, options.config.lanes)});
      }
    }
  }
  if (jobs.empty()) {
    throw UserError(source.path(), "--snapshot, --layer, --op",
                    fmt::format("{}, {}, {}", selection.snapshot.value_or("(any)"),
                                selection.layer.value_or("(any)"), selection.op.value_or("(any)")),
                    "a snapshot, layer and operation (fwd, dgrad, wgrad) that are there");
  }
  return jobs;
}

/// What loading in the format does to the numbers, each kind once, joined by "; ".
std::string conversions(const OperandSource& source, Format format) {
  std::set<std::string> kinds;
  for (const LayerInfo& layer : source.layers()) {
    for (const Operand operand : {Operand::A, Operand::W, Operand::GO}) {
      const std::string text = conversion_text(source.dtype(layer, operand), format);
      if (!text.empty()) kinds.insert(text);
    }
  }
  std::string texts;
  for (const std::string& kind : kinds) texts += (texts.empty() ? "" : "; ") + kind;
  return texts;
}

/// Everything of a result but notes and operations.
RunResult describe(const OperandSource& source, const SimulationOptions& options) {
  const Config& config = options.config;
  RunResult result;
  result.configuration = config.name;
  result.configuration_hash = config_hash_text(config);
  result.scheduling =
      find_parameter("tile.scheduling")->choices[static_cast<std::size_t>(config.scheduling)];
  result.depth = config.is_dense() ? 1 : config.depth;
  result.pattern = config.is_dense() ? "none" : config.pattern;
  result.array = {options.tiles, config.rows, config.columns, config.lanes};
  result.split = "passes of an operation dealt to the tiles in turn";
  result.schedule = to_string(options.schedule);
  result.gate = options.gate;
  result.source_path = source.path();
  result.source_identity = source.identity();
  result.conversion = conversions(source, config.format);
  return result;
}

std::vector<std::uint32_t> load_tensor(const OperandSource& source, const LayerInfo& layer,
                                       Operand operand, Format format) {
  Shape shape = layer.shape(operand);
  const std::int64_t slabs = shape.front();
  shape.front() = 1;
  std::vector<std::uint32_t> tensor;
  std::vector<unsigned char> buffer;
  for (std::int64_t i = 0; i < slabs; ++i) {
    const unsigned char* data = source.slab(layer, operand, i, buffer);
    const TensorView slab{source.dtype(layer, operand), shape, data, count(shape)};
    const std::vector<std::uint32_t> bits = load_bits(slab, format);
    tensor.insert(tensor.end(), bits.begin(), bits.end());
  }
  return tensor;
}

class Simulation {
 public:
  Simulation(const OperandSource& source, const SimulationOptions& options)
      : source_(source), options_(options), dense_(options.config) {
    dense_.scheduling = Scheduling::dense;
  }

  OpResult run(const Job& job) {
    const Op op = job.mapping.op();
    const Format format = options_.config.format;
    first_ = load_tensor(source_, *job.layer, operand(op, Which::first), format);
    second_ = load_tensor(source_, *job.layer, operand(op, Which::second), format);
    OpResult result;
    result.snapshot = job.layer->snapshot;
    result.layer = job.layer->name;
    result.op = op;
    result.zeros = zero_shares(*job.layer, op, format, first_, second_);
    result.cycles = choose(job.mapping, result.zeros);
    const Which scheduled = result.cycles.scheduled;
    result.scheduled = operand(op, scheduled);
    const ZeroCount& zeros = scheduled == Which::first ? result.zeros.first : result.zeros.second;
    result.gated = options_.gate && zeros.share() < kLeastZeros;
    if (result.gated) result.cycles = simulate(job.mapping, dense_, scheduled);
    return result;
  }

 private:
  OpCycles choose(const Mapping& mapping, const ZeroShares& zeros) const {
    const Which sparser = zeros.scheduled();
    const Which other = sparser == Which::first ? Which::second : Which::first;
    switch (options_.schedule) {
      case ScheduleMode::first:
        return simulate(mapping, options_.config, Which::first);
      case ScheduleMode::second:
        return simulate(mapping, options_.config, Which::second);
      case ScheduleMode::automatic:
        return simulate(mapping, options_.config, sparser);
      case ScheduleMode::best:
        break;
    }
    const OpCycles one = simulate(mapping, options_.config, sparser);
    const OpCycles two = simulate(mapping, options_.config, other);
    return two.cycles < one.cycles ? two : one;
  }

  OpCycles simulate(const Mapping& mapping, const Config& config, Which scheduled) const {
    return simulate_plainly(mapping, config, options_.tiles, scheduled, first_, second_);
  }

  const OperandSource& source_;
  const SimulationOptions& options_;
  Config dense_;  ///< the same array without the sparse path
  std::vector<std::uint32_t> first_;
  std::vector<std::uint32_t> second_;
};

/// The work of an operation, known before its operands are: dense rows with the second on side B.
std::int64_t work(const Job& job, const Config& config) {
  return dense_cycles(job.mapping, config.rows, config.columns, Which::second);
}

}  // namespace

RunResult simulate_network(const OperandSource& source, const SimulationOptions& options,
                           const WorkObserver& observer) {
  RunResult result = describe(source, options);
  const std::vector<Job> jobs = select_jobs(source, options, result.notes);
  std::int64_t total = 0;
  std::int64_t done = 0;
  for (const Job& job : jobs) total += work(job, options.config);
  if (observer) observer(done, total);
  Simulation simulation(source, options);
  for (const Job& job : jobs) {
    result.operations.push_back(simulation.run(job));
    check_invariants(result.operations.back(), options.config, options.tiles);
    done += work(job, options.config);
    if (observer) observer(done, total);
  }
  return result;
}

}  // namespace td::sim
