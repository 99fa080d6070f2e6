// SPDX-License-Identifier: Apache-2.0
#include "sim/accelerator/driver/step_layout.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstddef>
#include <vector>

#include "gen/base/error.hpp"
#include "sim/accelerator/plan/operation.hpp"
#include "sim/accelerator/timing/transfer_clock.hpp"
#include "sim/accelerator/unrolled_layer.hpp"
#include "sim/cycles/operand_choice.hpp"

namespace td::sim {

namespace {

constexpr std::uint64_t kAlignment = 64;  // everything begins at a multiple of this
constexpr double kZeroShares = 64;  // that plans tell apart, so that layers that repeat share them

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
  for (const SelectedLayer& selected : select_layers(source.layers(), selection, source.path())) {
    add_layer(selected);
  }
}

std::uint64_t StepLayout::take(std::uint64_t bytes, const std::string& field) {
  const std::uint64_t address = (end_ + kAlignment - 1) / kAlignment * kAlignment;
  const std::uint64_t used = address - options_.base;
  if (used > options_.bytes || bytes > options_.bytes - used) {
    throw UserError("accelerator", field, fmt::format("{} bytes", bytes),
                    fmt::format("what is left of {} bytes of memory", options_.bytes));
  }
  end_ = address + bytes;
  return address;
}

void StepLayout::add_layer(const SelectedLayer& selected) {
  const LayerInfo& layer = *selected.layer;
  Placement placement;
  for (const Operand operand : {Operand::A, Operand::W, Operand::GO}) {
    const TensorLayout layout(layer, operand, geometry_);
    std::uint64_t& address = placement.operands[static_cast<std::size_t>(operand)];
    address = take(static_cast<std::uint64_t>(layout.bytes()), path(layer));
    operands_.push_back({&layer, operand, address});
  }
  for (const Op op : selected.ops) {
    const Operation operation(layer, op, geometry_, options_.wide);
    PlacedOperation placed = {&layer, op, placement, operation.result_layout()};
    placed.placement.result =
        take(static_cast<std::uint64_t>(placed.result.bytes()), placed.name());
    check_placement(operation, placed.placement, memory(), placed.name());
    operations_.push_back(placed);
  }
}

Cut StepLayout::cut(const PlacedOperation& placed) const {
  const LayerZeros zeros = count_zeros(source_, *placed.layer, placed.op, geometry_.format);
  const ZeroShares shares = zero_shares(*placed.layer, placed.op, zeros);
  const Which scheduled = shares.scheduled();
  const Plans found = plans(placed, {scheduled, options_.dense, shares.of(scheduled).share()});
  return options_.drops_anyway ? found.dropping : found.best();
}

Plans StepLayout::plans(const PlacedOperation& placed, const PlanOptions& asked) const {
  PlanOptions rounded = asked;
  rounded.zeros = std::round(asked.zeros * kZeroShares) / kZeroShares;
  const auto burst = static_cast<std::uint64_t>(kBurstRows * geometry_.row_bytes());
  Key key = {geometry_text(*placed.layer),
             is_unrolled(*placed.layer, geometry_.lanes),
             placed.op,
             rounded.scheduled,
             rounded.dense,
             rounded.zeros,
             {}};
  for (const std::uint64_t address : placed.placement.operands) {
    std::get<std::vector<std::uint64_t>>(key).push_back(address % burst);
  }
  std::get<std::vector<std::uint64_t>>(key).push_back(placed.placement.result % burst);
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    const auto found = kept_.find(key);
    if (found != kept_.end()) return found->second;
  }
  const Plans plans = best_plans(operation(placed), config_, rounded, placed.name(),
                                 placed.placement, options_.aim, options_.memory);
  const std::lock_guard<std::mutex> lock(mutex_);
  kept_.emplace(key, plans);
  return plans;
}

}  // namespace td::sim
