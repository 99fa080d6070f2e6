// SPDX-License-Identifier: Apache-2.0
#include "sim/accelerator/plan/job_list.hpp"

#include <algorithm>
#include <utility>

namespace td::sim {

namespace {

constexpr std::size_t kMostDescriptors = 65535;  // so that 16 bits count those of any kind

std::uint16_t in_job(std::int64_t wait, std::int64_t before) {
  return static_cast<std::uint16_t>(std::max<std::int64_t>(0, wait - before));
}

}  // namespace

/// Or there is none.
bool JobList::is_full() const { return jobs_.empty() || jobs_.back().size() == kMostDescriptors; }

bool JobList::has_compute() const { return !is_full() && progress_.computes > before_.computes; }

void JobList::next_job() {
  jobs_.emplace_back();
  before_ = progress_;
}

template <class Kind>
void JobList::append(Kind& descriptor, const DescriptorCounts& waits) {
  if (is_full()) next_job();
  descriptor.waits = {in_job(waits.loads, before_.loads), in_job(waits.computes, before_.computes),
                      in_job(waits.stores, before_.stores)};
  jobs_.back().push_back(descriptor);
}

void JobList::add(LoadDescriptor descriptor, const DescriptorCounts& waits) {
  append(descriptor, waits);
  ++progress_.loads;
}

void JobList::add(ComputeDescriptor descriptor, const DescriptorCounts& waits) {
  append(descriptor, waits);
  ++progress_.computes;
}

void JobList::add(StoreDescriptor descriptor, const DescriptorCounts& waits) {
  append(descriptor, waits);
  ++progress_.stores;
}

std::vector<Job> JobList::take() { return std::exchange(jobs_, {}); }

}  // namespace td::sim
