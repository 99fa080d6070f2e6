// SPDX-License-Identifier: Apache-2.0
// Speed of the cycle simulation, beside the plain model of the same semantics: the inner loop
// alone, and whole operations from operands to cycles, masks and counts of zeros included.
#include <benchmark/benchmark.h>
#include <tbb/global_control.h>

#include <random>

#include "base/configuration/config.hpp"
#include "sim/cycles/batch_scheduler.hpp"
#include "sim/cycles/op_simulator.hpp"
#include "sim/cycles/operand_choice.hpp"
#include "verify/plain/plain_cycles.hpp"
#include "verify/unit/mapping/layers.hpp"
#include "verify/unit/memory/memory_operands.hpp"

namespace {

using td::sim::Op;
using td::sim::Which;

/// A 4x4 tile of 16 lanes, depth 3, step_first.
td::Config tile() { return td::parse_config("name = \"bench\"\naccelerator.tiles = 1", "bench"); }

/// A [images, 128, 28, 28], half zeros; W [128, 128, 3, 3] without.
td::unit::MemoryOperands layer_of(std::int64_t images) {
  td::sim::Conv conv;
  conv.padding[0] = conv.padding[1] = 1;
  std::mt19937 random(1);
  td::unit::MemoryOperands source(td::sim::Dtype::f32);
  source.add(td::unit::conv_layer({images, 128, 28, 28}, {128, 128, 3, 3}, conv), random, 0.5, 0,
             0.5);
  return source;
}

/// Rows that fwd with A scheduled schedules once each: 784 windows of 9 * 128 / 16 rows.
std::int64_t scheduled_rows(std::int64_t images) { return images * 784 * 72; }

void set_rate(benchmark::State& state, std::int64_t rows) {
  state.counters["rows"] =
      benchmark::Counter(static_cast<double>(rows), benchmark::Counter::kIsIterationInvariantRate);
}

/// The inner loop alone: masks in a table, as many groups as a batch holds, 4 tile rows, 72 rows.
void batch(benchmark::State& state) {
  const td::sim::BatchScheduler<std::uint16_t> scheduler(tile(), false);
  td::sim::BatchScheduler<std::uint16_t>::Workspace workspace(scheduler);
  const auto lines = static_cast<std::size_t>(4 * scheduler.width());
  constexpr std::size_t rows = 72;
  std::mt19937 random(1);
  std::vector<std::uint16_t> table(lines + rows);
  for (std::uint16_t& mask : table) mask = static_cast<std::uint16_t>(random());
  std::vector<std::uint32_t> offsets(rows);
  for (std::size_t t = 0; t < rows; ++t) offsets[t] = static_cast<std::uint32_t>(t);
  const std::vector<std::uint16_t> filling(rows);
  for (std::size_t i = 0; i < lines; ++i) {
    workspace.bases[i] = static_cast<std::uint32_t>(i);
    workspace.present[i] = 1;
  }
  td::sim::Batch<std::uint16_t> groups;
  groups.table = table.data();
  groups.offsets = offsets.data();
  groups.filling = filling.data();
  groups.rows = rows;
  td::sim::LaneCounts counts;
  while (state.KeepRunning()) {
    scheduler.run(groups, workspace, counts);
    benchmark::DoNotOptimize(workspace.cycles.data());
  }
  set_rate(state, static_cast<std::int64_t>(lines * rows));
}

/// One operation; arguments: images, threads.
void fwd(benchmark::State& state) {
  const tbb::global_control threads(tbb::global_control::max_allowed_parallelism,
                                    static_cast<std::size_t>(state.range(1)));
  const td::unit::MemoryOperands source = layer_of(state.range(0));
  const td::sim::LayerInfo& layer = source.layers().front();
  const td::sim::OpSimulator simulator(tile());
  while (state.KeepRunning()) {
    benchmark::DoNotOptimize(simulator.run(source, layer, Op::fwd, Which::first));
  }
  set_rate(state, scheduled_rows(state.range(0)));
}

/// The same with the operand chosen by counting zeros.
void fwd_auto(benchmark::State& state) {
  const tbb::global_control threads(tbb::global_control::max_allowed_parallelism, 1);
  const td::unit::MemoryOperands source = layer_of(1);
  const td::sim::LayerInfo& layer = source.layers().front();
  const td::Config config = tile();
  const td::sim::OpSimulator simulator(config);
  while (state.KeepRunning()) {
    const td::sim::LayerZeros zeros = count_zeros(source, layer, config.format);
    benchmark::DoNotOptimize(
        simulator.run(source, layer, Op::fwd, zero_shares(layer, Op::fwd, zeros).scheduled()));
  }
  set_rate(state, scheduled_rows(1));
}

void plain_fwd(benchmark::State& state) {
  const td::unit::MemoryOperands source = layer_of(1);
  const td::sim::LayerInfo& layer = source.layers().front();
  const td::Config config = tile();
  while (state.KeepRunning()) {
    benchmark::DoNotOptimize(
        td::verify::plain_cycles(config, 1, source, layer, Op::fwd, Which::first));
  }
  set_rate(state, scheduled_rows(1));
}

BENCHMARK(plain_fwd)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(batch)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(fwd_auto)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(fwd)
    ->ArgNames({"images", "threads"})
    ->Args({1, 1})
    ->Args({64, 1})
    ->Args({64, 2})
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();

}  // namespace

BENCHMARK_MAIN();
