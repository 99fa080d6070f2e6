// SPDX-License-Identifier: Apache-2.0
#include "sim/accelerator/driver/step_jobs.hpp"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <string_view>
#include <tuple>
#include <variant>

#include "base/support/hash.hpp"
#include "sim/accelerator/descriptor.hpp"
#include "sim/accelerator/plan/operation.hpp"

namespace td::sim {

namespace {

/// Of a load or store; null of a compute.
const MemoryWalk* memory_of(const Descriptor& descriptor) {
  if (const auto* load = std::get_if<LoadDescriptor>(&descriptor)) return &load->memory;
  if (const auto* store = std::get_if<StoreDescriptor>(&descriptor)) return &store->memory;
  return nullptr;
}

/// Words of a descriptor, its address counted from the begin of its tensor.
void encode_placed(const StepOperation& operation, Descriptor descriptor,
                   std::vector<std::uint32_t>& words) {
  const auto place = [&](MemoryWalk& memory) {
    memory.address -= operation.tensor_of(memory.address);
  };
  if (auto* load = std::get_if<LoadDescriptor>(&descriptor)) place(load->memory);
  if (auto* store = std::get_if<StoreDescriptor>(&descriptor)) place(store->memory);
  encode(descriptor, words);
}

}  // namespace

std::uint64_t StepOperation::tensor_of(std::uint64_t address) const {
  return *std::prev(std::upper_bound(tensors.begin(), tensors.end(), address));
}

std::vector<std::uint64_t> StepOperation::moved() const {
  std::vector<std::uint64_t> found;
  for (const Job& job : jobs) {
    for (const Descriptor& descriptor : job) {
      const MemoryWalk* memory = memory_of(descriptor);
      if (memory == nullptr) continue;
      const std::uint64_t tensor = tensor_of(memory->address);
      if (std::find(found.begin(), found.end(), tensor) == found.end()) found.push_back(tensor);
    }
  }
  return found;
}

std::uint64_t StepOperation::plan_hash() const {
  std::uint64_t hash = kEmptyHash;
  for (const Job& job : jobs) {
    std::vector<std::uint32_t> words = {static_cast<std::uint32_t>(job.size())};
    for (const Descriptor& descriptor : job) encode_placed(*this, descriptor, words);
    const auto* bytes = reinterpret_cast<const char*>(words.data());
    hash = fnv1a(std::string_view(bytes, words.size() * sizeof(words[0])), hash);
  }
  return hash;
}

std::vector<std::size_t> training_order(const std::vector<PlacedOperation>& operations) {
  std::vector<std::size_t> order(operations.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto snapshot = [&](std::size_t place) -> const std::string& {
    return operations[place].layer->snapshot;
  };
  auto begin = order.begin();
  while (begin != order.end()) {
    const auto end = std::find_if(
        begin, order.end(), [&](std::size_t place) { return snapshot(place) != snapshot(*begin); });
    const auto backward = std::stable_partition(
        begin, end, [&](std::size_t place) { return operations[place].op == Op::fwd; });
    // Within a layer operations keep their order.
    std::stable_sort(backward, end, [&](std::size_t a, std::size_t b) {
      const LayerInfo* layers[] = {operations[a].layer, operations[b].layer};
      return layers[0] != layers[1] && a > b;
    });
    begin = end;
  }
  return order;
}

std::optional<Operand> made_of_results(const PlacedOperation& before,
                                       const PlacedOperation& operation) {
  const bool forward = before.op == Op::fwd;
  if (operation.op == Op::fwd) return forward ? std::optional(Operand::A) : std::nullopt;
  const bool of_layer_behind = before.op == Op::dgrad && before.layer != operation.layer;
  return forward || of_layer_behind ? std::optional(Operand::GO) : std::nullopt;
}

StepJobs::StepJobs(const StepLayout& layout, const std::vector<Cut>& cuts)
    : layout_(layout),
      cuts_(cuts),
      order_(training_order(layout.operations())),
      planner_(layout.geometry()) {}

/// Whether it belongs to the same step as the operation before.
bool StepJobs::follows(std::size_t next) const {
  const auto& operations = layout_.operations();
  return next > 0 && next < order_.size() &&
         operations[order_[next - 1]].layer->snapshot == operations[order_[next]].layer->snapshot;
}

StepOperation StepJobs::next() {
  const auto& operations = layout_.operations();
  const std::size_t place = order_[next_];
  const PlacedOperation& placed = operations[place];
  StepOperation result{placed, cuts_[place], {}, {}, {}};
  const auto touches = [&](const PlacedOperation& other) {
    const Placement& tensors = other.placement;
    result.tensors.insert(result.tensors.end(), std::begin(tensors.operands),
                          std::end(tensors.operands));
    result.tensors.push_back(tensors.result);
  };
  touches(placed);
  if (follows(next_)) {
    touches(operations[order_[next_ - 1]]);
  } else {
    planner_ = Planner(layout_.geometry());
  }
  const Operation operation = layout_.operation(placed);
  if (follows(next_ + 1)) {
    const std::size_t behind = order_[next_ + 1];
    const PlacedOperation& other = operations[behind];
    touches(other);
    const Operation follower = layout_.operation(other);
    const Follower next = {follower, cuts_[behind], other.placement,
                           made_of_results(placed, other)};
    result.jobs = planner_.add(operation, result.cut, placed.placement, &next);
  } else {
    result.jobs = planner_.add(operation, result.cut, placed.placement);
  }
  std::sort(result.tensors.begin(), result.tensors.end());
  result.early = planner_.early();
  ++next_;
  return result;
}

}  // namespace td::sim
