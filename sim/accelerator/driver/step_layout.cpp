// SPDX-License-Identifier: Apache-2.0
#include "sim/accelerator/driver/step_layout.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "gen/base/error.hpp"
#include "gen/base/hash.hpp"
#include "sim/accelerator/descriptor.hpp"
#include "sim/accelerator/driver/plan_trial.hpp"
#include "sim/accelerator/plan/operation.hpp"
#include "sim/cycles/operand_choice.hpp"

namespace td::sim {

namespace {

constexpr std::uint64_t kAlignment = 64;  // everything begins at a multiple of this

}  // namespace

std::string PlacedOperation::name() const {
  return fmt::format("{}/{}", path(*layer), to_string(op));
}

std::uint64_t StepOperation::plan_hash() const {
  const Which on_b = cut.options.scheduled;
  const Which on_a = on_b == Which::first ? Which::second : Which::first;
  const auto begin = [&](Which which) {
    return placement.operands[static_cast<std::size_t>(operand(op, which))];
  };
  std::uint64_t hash = kEmptyHash;
  for (const Job& job : jobs) {
    std::vector<std::uint32_t> words = {static_cast<std::uint32_t>(job.size())};
    for (Descriptor descriptor : job) {
      if (auto* load = std::get_if<LoadDescriptor>(&descriptor)) {
        load->memory.address -= begin(load->side_b ? on_b : on_a);
      } else if (auto* store = std::get_if<StoreDescriptor>(&descriptor)) {
        store->memory.address -= placement.result;
      }
      encode(descriptor, words);
    }
    const auto* bytes = reinterpret_cast<const char*>(words.data());
    hash = fnv1a(std::string_view(bytes, words.size() * sizeof(words[0])), hash);
  }
  return hash;
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

StepOperation StepLayout::plan(const PlacedOperation& placed) const {
  const LayerZeros zeros = count_zeros(source_, *placed.layer, placed.op, geometry_.format);
  const ZeroShares shares = zero_shares(*placed.layer, placed.op, zeros);
  return plan(placed, {shares.scheduled(), options_.dense, shares.of(shares.scheduled()).share()});
}

StepOperation StepLayout::plan(const PlacedOperation& placed, const PlanOptions& asked) const {
  const Operation operation(*placed.layer, placed.op, geometry_, options_.wide);
  Plan plan = plan_operation(operation, config_, asked, placed.name(), placed.placement,
                             options_.aim, options_.memory);
  return {placed, plan.cut, std::move(plan.jobs)};
}

}  // namespace td::sim
