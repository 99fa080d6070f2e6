// SPDX-License-Identifier: Apache-2.0
#include "verify/accelerator/layers/synthetic_layer.hpp"

#include <fmt/format.h>

#include <numeric>
#include <random>

#include "gen/base/text_table.hpp"

namespace td::verify {
namespace {

unit::OperationCase case_of(const Config& config, const SyntheticLayer& what) {
  sim::Conv conv;
  conv.padding[0] = conv.padding[1] = what.kernel / 2;
  unit::OperationCase result;
  result.config = config;
  result.layer = unit::conv_layer({what.batch, what.channels, what.size, what.size},
                                  {what.filters, what.channels, what.kernel, what.kernel}, conv);
  result.op = what.op;
  result.options.zeros = what.zeros;
  std::mt19937 random(static_cast<std::uint32_t>(what.seed));
  for (const sim::Operand operand : {sim::Operand::A, sim::Operand::W, sim::Operand::GO}) {
    result.operands[static_cast<std::size_t>(operand)] =
        unit::random_bits(random, config.format, result.layer.shape(operand), what.zeros);
  }
  return result;
}

}  // namespace

std::array<SyntheticMode, 2> run_synthetic(const Config& config, AcceleratorModel& model,
                                           const SyntheticLayer& what) {
  std::array<SyntheticMode, 2> result;
  unit::OperationCase layer = case_of(config, what);
  for (SyntheticMode& mode : result) {
    layer.options.dense = &mode == &result[0];
    AxiMemorySettings memory;
    memory.latency = what.latency;
    LayerRun run(config, unit::OperationRun(layer), model, memory);
    mode.clocks = run.run();
    mode.expected = run.expected_clocks();
    const std::vector<std::int64_t>& steps = run.tile_steps();
    const auto all = std::accumulate(steps.begin(), steps.end(), std::int64_t{0});
    mode.used = static_cast<double>(all) / static_cast<double>(steps.size()) /
                static_cast<double>(mode.clocks.spanned);
  }
  return result;
}

std::string synthetic_table(const std::array<SyntheticMode, 2>& modes) {
  TextTable table;
  table.add_column("mode", TextTable::Align::left);
  for (const char* heading : {"clocks", "model's", "first to last step", "steps", "no step",
                              "for a fill", "tiles used"}) {
    table.add_column(heading, TextTable::Align::right);
  }
  for (const SyntheticMode& mode : modes) {
    const ClockCounters& clocks = mode.clocks;
    table.add_row({&mode == &modes[0] ? "dense" : "TensorDash", fmt::format("{}", clocks.busy),
                   fmt::format("{}", mode.expected), fmt::format("{}", clocks.spanned),
                   fmt::format("{}", clocks.stepped),
                   fmt::format("{}", clocks.spanned - clocks.stepped),
                   fmt::format("{}", clocks.filling), fmt::format("{:.2f} %", 100 * mode.used)});
  }
  return table.text();
}

}  // namespace td::verify
