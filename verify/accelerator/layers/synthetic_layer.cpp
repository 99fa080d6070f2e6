// SPDX-License-Identifier: Apache-2.0
#include "verify/accelerator/layers/synthetic_layer.hpp"

#include <fmt/format.h>

#include <cstring>
#include <random>
#include <vector>

#include "base/support/hash.hpp"
#include "base/support/text_table.hpp"
#include "sim/accelerator/energy/operation_energy.hpp"
#include "sim/masks/useful_macs.hpp"
#include "verify/accelerator/layers/layer_run.hpp"

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
  result.where_it_pays = true;
  result.aim = what.aim;
  std::mt19937 random(static_cast<std::uint32_t>(what.seed));
  for (const sim::Operand operand : {sim::Operand::A, sim::Operand::W, sim::Operand::GO}) {
    result.operands[static_cast<std::size_t>(operand)] =
        unit::random_bits(random, config.format, result.layer, operand, what.zeros);
  }
  return result;
}

/// The operands of a case, in memory.
class CaseOperands : public sim::OperandSource {
 public:
  explicit CaseOperands(const unit::OperationCase& what) : case_(what), layers_{what.layer} {}

  const std::string& path() const override { return path_; }
  std::string identity() const override { return ""; }
  const std::vector<sim::LayerInfo>& layers() const override { return layers_; }
  sim::Dtype dtype(const sim::LayerInfo&, sim::Operand) const override {
    return case_.config.format == Format::fp32 ? sim::Dtype::f32 : sim::Dtype::bf16;
  }
  const unsigned char* slab(const sim::LayerInfo& layer, sim::Operand operand, std::int64_t index,
                            sim::SlabBuffer& buffer) const override {
    const sim::Shape& shape = layer.shape(operand);
    const auto elements = static_cast<std::size_t>(sim::count(shape) / shape[0]);
    const auto width = static_cast<std::size_t>(sim::bytes(dtype(layer, operand)));
    const std::uint32_t* bits = case_.operands[static_cast<std::size_t>(operand)].data() +
                                static_cast<std::size_t>(index) * elements;
    unsigned char* bytes = buffer.bytes(elements * width);
    for (std::size_t i = 0; i < elements; ++i) std::memcpy(&bytes[i * width], &bits[i], width);
    return bytes;
  }

 private:
  const unit::OperationCase& case_;
  std::vector<sim::LayerInfo> layers_;
  std::string path_;
};

sim::StepCounts counts_of(LayerRun& run) {
  const unit::OperationRun& plan = run.plan();
  sim::StepCounts counts;
  counts.clocks = run.run();
  counts.model.clocks = run.expected_clocks();
  counts.model.tile_steps = plan.compute_counts.tile_cycles;
  counts.model.levels = sim::level_bytes(plan.geometry, plan.counts, plan.compute_counts);
  counts.read = static_cast<std::uint64_t>(counts.model.levels.off_chip.read);
  counts.written = static_cast<std::uint64_t>(counts.model.levels.off_chip.written);
  counts.model.work = sim::tile_work(plan.geometry, plan.compute_counts, {});
  counts.model.spans = run.spans();
  return counts;
}

/// The shape, in a name that no file system minds.
std::string name_of(const SyntheticLayer& what) {
  return fmt::format("{}x{}_{}to{}_{}x{}_batch{}", what.kernel, what.kernel, what.channels,
                     what.filters, what.size, what.size, what.batch);
}

}  // namespace

sim::StepRunResult run_synthetic(const Config& config, AcceleratorModel& model,
                                 const SyntheticLayer& what) {
  unit::OperationCase layer = case_of(config, what);
  sim::StepRunResult result;
  result.tiles = static_cast<std::uint64_t>(geometry_of(config).tiles);
  sim::StepLine line{"drawn", name_of(what), to_string(what.op), {}, 0};
  for (std::size_t mode = 0; mode < 2; ++mode) {
    layer.options.dense = mode == 0;
    AxiMemorySettings memory;
    memory.set(what.memory);
    layer.memory = what.memory;
    layer.packed = what.packed;
    LayerRun run(config, unit::OperationRun(layer), model, memory);
    line.modes[mode] = counts_of(run);
    line.drops = !run.plan().cut.options.dense;  // the last mode's, TensorDash's
    result.bytes += run.bytes();
  }
  line.useful_macs = sim::useful_macs(CaseOperands(layer), layer.layer, what.op, config.format);
  result.lines.push_back(line);
  return result;
}

sim::StepSource synthetic_source(const SyntheticLayer& what) {
  const std::string drawn = fmt::format("share of zeros {:g}, seed {}", what.zeros, what.seed);
  const std::string all = fmt::format("{} {} {}", name_of(what), to_string(what.op), drawn);
  return {"", hash_text(fnv1a(all)), "drawn operands", drawn, ""};
}

std::string synthetic_table(const sim::StepRunResult& result) {
  TextTable table;
  table.add_column("mode", TextTable::Align::left);
  for (const char* heading : {"clocks", "model's", "first to last step", "steps", "no step",
                              "for a fill", "tiles used"}) {
    table.add_column(heading, TextTable::Align::right);
  }
  for (std::size_t mode = 0; mode < 2; ++mode) {
    const sim::StepCounts counts = result.total(mode);
    const sim::ClockCounters& clocks = counts.clocks;
    table.add_row(
        {sim::kModeNames[mode], fmt::format("{}", clocks.busy),
         fmt::format("{}", counts.model.clocks), fmt::format("{}", clocks.spanned),
         fmt::format("{}", clocks.stepped), fmt::format("{}", clocks.spanned - clocks.stepped),
         fmt::format("{}", clocks.filling), fmt::format("{:.2f} %", 100 * counts.used())});
  }
  return table.text();
}

}  // namespace td::verify
