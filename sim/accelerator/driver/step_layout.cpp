// SPDX-License-Identifier: Apache-2.0
#include "sim/accelerator/driver/step_layout.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstddef>
#include <optional>
#include <vector>

#include "base/configuration/config.hpp"
#include "base/support/error.hpp"
#include "sim/accelerator/packed.hpp"
#include "sim/accelerator/plan/operation.hpp"
#include "sim/accelerator/plan/packing.hpp"
#include "sim/accelerator/steps/tensor_masks.hpp"
#include "sim/accelerator/timing/bus/transfer_clock.hpp"
#include "sim/accelerator/unrolled_layer.hpp"
#include "sim/cycles/operand_choice.hpp"

namespace td::sim {

namespace {

constexpr double kZeroShares = 64;  // that plans tell apart, so that layers that repeat share them

/// Time needs no costs.
std::string text_of(const Aim& aim) {
  std::string text = to_string(aim.objective);
  if (aim.objective == Objective::time) return text;
  const PlanCosts& costs = aim.costs;
  text += fmt::format(", clock {}", costs.clock);
  for (const auto& level : {costs.off_chip, costs.operands, costs.scratchpads, costs.results}) {
    text += fmt::format(", byte {} {}", level.read, level.written);
  }
  for (const auto& tile : {costs.dense, costs.gated, costs.dropping}) {
    text += fmt::format(", tile {} {} {} {}", tile.pass, tile.row, tile.step, tile.pairs);
  }
  return text;
}

}  // namespace

std::string PlacedOperation::name() const {
  return fmt::format("{}/{}", path(*layer), to_string(op));
}

StepLayout::StepLayout(const Config& config, const OperandSource& source,
                       const LayerSelection& selection, const StepOptions& options)
    : config_(config),
      geometry_(geometry_of(config)),
      source_(source),
      options_(options),
      end_(options.base) {
  if (options.packed && geometry_.unpack_rows == 0) {
    throw UserError(config.name, "accelerator.unpack_rows", "0",
                    "1 or more where operands lie packed");
  }
  for (const SelectedLayer& selected : select_layers(source.layers(), selection, source.path())) {
    add_layer(selected);
  }
}

std::uint64_t StepLayout::take(std::uint64_t bytes, const std::string& field,
                               std::uint64_t alignment) {
  const std::uint64_t address = (end_ + alignment - 1) / alignment * alignment;
  const std::uint64_t used = address - options_.base;
  if (used > options_.bytes || bytes > options_.bytes - used) {
    throw UserError("accelerator", field, fmt::format("{} bytes", bytes),
                    fmt::format("what is left of {} bytes of memory", options_.bytes));
  }
  end_ = address + bytes;
  return address;
}

/// The operand with more zeros on side B.
PlanOptions StepLayout::asked(const LayerInfo& layer, Op op) const {
  const LayerZeros zeros = count_zeros(source_, layer, op, geometry_.format);
  const ZeroShares shares = zero_shares(layer, op, zeros);
  const Which scheduled = shares.scheduled();
  return {scheduled, options_.dense, shares.of(scheduled).share()};
}

/// How each operand lies packed, see worth_packing().
std::array<PackedBlocks, 3> StepLayout::packed_operands(const SelectedLayer& selected) const {
  std::array<PackedBlocks, 3> packed;
  if (!options_.packed) return packed;
  std::array<std::int64_t, 3> rows = {0, 0, 0};
  const LayerInfo& layer = *selected.layer;
  for (const Operand operand : {Operand::A, Operand::W, Operand::GO}) {
    const TensorLayout layout(layer, operand, geometry_);
    const auto number = static_cast<std::size_t>(operand);
    packed[number] = PackedBlocks(
        geometry_,
        block_rows(geometry_, kept_values(source_, layer, operand, layout, geometry_.format)));
    rows[number] = packed[number].usual;
  }
  std::vector<AskedOf> asked;
  for (const Op op : selected.ops) asked.push_back({op, this->asked(layer, op)});
  rows = worth_packing(config_, layer, asked, options_.aim, options_.memory, rows);
  for (std::size_t i = 0; i < 3; ++i) {
    if (rows[i] == 0) packed[i] = PackedBlocks();
  }
  return packed;
}

void StepLayout::add_layer(const SelectedLayer& selected) {
  const LayerInfo& layer = *selected.layer;
  const std::array<PackedBlocks, 3> packed = packed_operands(selected);
  const auto block = static_cast<std::uint64_t>(block_bytes(geometry_));
  Placement placement;
  for (const Operand operand : {Operand::A, Operand::W, Operand::GO}) {
    const auto number = static_cast<std::size_t>(operand);
    TensorLayout layout(layer, operand, geometry_);
    layout.set_packed(packed[number]);
    placement.operands[number] = take(static_cast<std::uint64_t>(layout.stored_bytes()),
                                      path(layer), layout.packed() == 0 ? kAlignment : block);
    operands_.push_back({&layer, operand, placement.operands[number], layout.packed() > 0});
  }
  for (const Op op : selected.ops) {
    PlacedOperation placed = {&layer, op, placement,
                              Operation(layer, op, geometry_, options_.wide).result_layout(),
                              packed};
    placed.placement.result =
        take(static_cast<std::uint64_t>(placed.result.bytes()), placed.name());
    check_placement(operation(placed), placed.placement, memory(), placed.name());
    operations_.push_back(placed);
  }
}

Operation StepLayout::operation(const PlacedOperation& placed) const {
  Operation operation(*placed.layer, placed.op, geometry_, options_.wide, options_.memory);
  for (const Operand operand : {Operand::A, Operand::W, Operand::GO}) {
    operation.set_packed(operand, placed.packed[static_cast<std::size_t>(operand)]);
  }
  return operation;
}

Cut StepLayout::cut(const PlacedOperation& placed) const {
  const Plans found = plans(placed, asked(*placed.layer, placed.op));
  return options_.drops_anyway ? found.dropping : found.best();
}

/// All that plans depend on, but the program. Packed blocks of `usual` take the usual rows.
std::string StepLayout::question(const LayerInfo& layer, const Operation& usual,
                                 const PlanOptions& options) const {
  const auto rows = [&](Operand operand) { return usual.layout(operand).packed(); };
  return fmt::format(
      "{}{}, {}, unrolled {}, wide {}, packed {} {} {}\nscheduled {}, dense {}, zeros {}\n"
      "latency {}, bursts {}, bandwidth {}\n{}",
      canonical_toml(config_), geometry_text(layer), to_string(usual.op()),
      is_unrolled(layer, geometry_.lanes), options_.wide, rows(Operand::A), rows(Operand::W),
      rows(Operand::GO), static_cast<int>(options.scheduled), options.dense, options.zeros,
      options_.memory.latency, options_.memory.bursts, options_.memory.bandwidth,
      text_of(options_.aim));
}

Plans StepLayout::plans(const PlacedOperation& placed, const PlanOptions& asked) const {
  PlanOptions rounded = asked;
  rounded.zeros = std::round(asked.zeros * kZeroShares) / kZeroShares;
  Operation usual = operation(placed);
  for (const Operand operand : {Operand::A, Operand::W, Operand::GO}) {
    usual.set_packed(operand, PackedBlocks(usual.layout(operand).packed()));
  }
  const std::string asked_for = question(*placed.layer, usual, rounded);
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    const auto found = kept_.find(asked_for);
    if (found != kept_.end()) return found->second;
  }
  const Plans plans = plan(usual, rounded, placed.name(), asked_for);
  const std::lock_guard<std::mutex> lock(mutex_);
  kept_.emplace(asked_for, plans);
  return plans;
}

/// Of the store, or made and kept there.
Plans StepLayout::plan(const Operation& usual, const PlanOptions& options, const std::string& field,
                       const std::string& asked_for) const {
  const auto best = [&] {
    return best_plans(usual, config_, options, field, Placement(), options_.aim, options_.memory);
  };
  if (options_.store == nullptr) return best();
  if (const std::optional<Plans> known = options_.store->find(asked_for)) {
    const auto again = plans_again(usual, config_, options, options_.memory, *known);
    if (again) return *again;
  }
  const Plans plans = best();
  const std::lock_guard<std::mutex> lock(mutex_);
  options_.store->keep(asked_for, plans);
  return plans;
}

}  // namespace td::sim
