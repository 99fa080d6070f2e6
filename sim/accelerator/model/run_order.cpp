// SPDX-License-Identifier: Apache-2.0
#include "sim/accelerator/model/run_order.hpp"

#include <numeric>
#include <random>
#include <variant>

namespace td::sim {

namespace {

/// Whether so many of each kind are enough for what a descriptor waits for.
bool is_met(const Waits& waits, const std::uint32_t (&counts)[3]) {
  return waits.loads <= counts[0] && waits.computes <= counts[1] && waits.stores <= counts[2];
}

}  // namespace

bool WaitCheck::accepts(const Descriptor& descriptor) {
  const auto* compute = std::get_if<ComputeDescriptor>(&descriptor);
  const bool keeps = compute != nullptr && compute->keep != 0;
  const bool accepted = is_met(waits_of(descriptor), before_) && (!keeps || before_[1] > 0);
  ++before_[descriptor.index()];
  return accepted;
}

std::vector<std::size_t> run_order(const std::vector<Descriptor>& descriptors, std::uint32_t seed) {
  std::vector<std::size_t> order(descriptors.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (seed == 0) return order;
  std::mt19937 random(seed);
  std::vector<std::size_t> queues[3];
  for (const std::size_t index : order) queues[descriptors[index].index()].push_back(index);
  std::uint32_t done[3] = {};
  for (std::size_t& next : order) {
    std::vector<std::size_t> ready;  // kinds
    for (std::size_t kind = 0; kind < 3; ++kind) {
      if (done[kind] < queues[kind].size() &&
          is_met(waits_of(descriptors[queues[kind][done[kind]]]), done)) {
        ready.push_back(kind);
      }
    }
    // One kind that runs far ahead of the others finds more than a fair draw.
    const std::size_t kind =
        ready[seed % 4 == 0 ? random() % ready.size() : (seed % 4 == 1 ? 0 : ready.size() - 1)];
    next = queues[kind][done[kind]++];
  }
  return order;
}

}  // namespace td::sim
