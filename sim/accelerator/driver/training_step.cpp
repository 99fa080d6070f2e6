// SPDX-License-Identifier: Apache-2.0
#include "sim/accelerator/driver/training_step.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "gen/base/error.hpp"
#include "sim/accelerator/plan/operation.hpp"
#include "sim/cycles/operand_choice.hpp"
#include "sim/trace/operand_source.hpp"

namespace td::sim {

namespace {

constexpr std::uint64_t kAlignment = 64;  // everything begins at a multiple of this

std::string field_of(const LayerInfo& layer, Op op) {
  return fmt::format("{}/{}", path(layer), to_string(op));
}

}  // namespace

TrainingStep::TrainingStep(const Geometry& geometry, const Trace& trace,
                           const LayerSelection& selection, const StepOptions& options)
    : geometry_(geometry), trace_(trace), options_(options), end_(options.base) {
  for (const SelectedLayer& selected : select_layers(trace.layers(), selection, trace.path())) {
    add_layer(selected);
  }
  std::uint64_t bytes = 0;
  for (const StepOperation& operation : operations_) {
    bytes = std::max(bytes, Driver::bytes(operation.jobs));
  }
  list_.begin = take(bytes, "descriptors");
  list_.end = end_;
}

/// The next bytes of the memory.
std::uint64_t TrainingStep::take(std::uint64_t bytes, const std::string& field) {
  const std::uint64_t address = (end_ + kAlignment - 1) / kAlignment * kAlignment;
  const std::uint64_t used = address - options_.base;
  if (used > options_.bytes || bytes > options_.bytes - used) {
    throw UserError("accelerator", field, fmt::format("{} bytes", bytes),
                    fmt::format("what is left of {} bytes of memory", options_.bytes));
  }
  end_ = address + bytes;
  return address;
}

void TrainingStep::add_layer(const SelectedLayer& selected) {
  const LayerInfo& layer = *selected.layer;
  const LayerZeros zeros = count_zeros(TraceOperands(trace_), layer, geometry_.format);
  Placement placement;
  for (const Operand operand : {Operand::A, Operand::W, Operand::GO}) {
    const TensorLayout layout(layer, operand, geometry_);
    std::uint64_t& address = placement.operands[static_cast<std::size_t>(operand)];
    address = take(static_cast<std::uint64_t>(layout.bytes()), path(layer));
    operands_.push_back({&layer, operand, address});
  }
  for (const Op op : selected.ops) {
    const std::string field = field_of(layer, op);
    const Operation operation(layer, op, geometry_, options_.wide);
    const ZeroShares shares = zero_shares(layer, op, zeros);
    const Which scheduled = shares.scheduled();
    const PlanOptions asked = {scheduled, options_.dense,
                               (scheduled == Which::first ? shares.first : shares.second).share()};
    const Cut cut = choose_cut(operation, geometry_, asked, field);
    placement.result = take(static_cast<std::uint64_t>(operation.result_layout().bytes()), field);
    check_placement(operation, placement, memory(), field);
    Planner planner(geometry_);
    planner.add(operation, cut, placement);
    operations_.push_back({&layer, op, cut, placement, operation.result_layout(), planner.take()});
  }
}

void TrainingStep::write_operands(Port& port) const {
  for (const Stored& stored : operands_) {
    const TensorLayout layout(*stored.layer, stored.operand, geometry_);
    const auto bytes =
        layout.pack(load_bits(trace_.tensor(*stored.layer, stored.operand), geometry_.format));
    port.write_memory(stored.address, bytes.data(), bytes.size());
  }
  for (const StepOperation& operation : operations_) {
    const std::vector<std::uint8_t> zeros(static_cast<std::size_t>(operation.result.bytes()));
    port.write_memory(operation.placement.result, zeros.data(), zeros.size());
  }
}

JobsEnd TrainingStep::run(Driver& driver, const StepOperation& operation) const {
  return driver.run(operation.jobs, list_);
}

std::vector<std::uint32_t> TrainingStep::read_result(Port& port,
                                                     const StepOperation& operation) const {
  std::vector<std::uint8_t> bytes(static_cast<std::size_t>(operation.result.bytes()));
  port.read_memory(operation.placement.result, bytes.data(), bytes.size());
  return operation.result.unpack(bytes.data());
}

}  // namespace td::sim
