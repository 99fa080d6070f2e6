// SPDX-License-Identifier: Apache-2.0
// Descriptors in jobs that are no longer than waits can count.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/accelerator/descriptor.hpp"

namespace td::sim {

using Job = std::vector<Descriptor>;

/// How many descriptors of each kind there were, all jobs together. Also what one waits for.
struct DescriptorCounts {
  std::int64_t loads = 0;
  std::int64_t computes = 0;
  std::int64_t stores = 0;
};

/// Jobs run one after the other, so a wait for what an earlier job did is none.
class JobList {
 public:
  void add(LoadDescriptor descriptor, const DescriptorCounts& waits);
  void add(ComputeDescriptor descriptor, const DescriptorCounts& waits);
  void add(StoreDescriptor descriptor, const DescriptorCounts& waits);

  const DescriptorCounts& progress() const { return progress_; }

  /// Whether the next descriptor comes behind a compute of its job.
  bool has_compute() const;

  /// All that were added since this was last called. What follows is a new job.
  std::vector<Job> take();

 private:
  bool is_full() const;
  void next_job();
  template <class Kind>
  void append(Kind& descriptor, const DescriptorCounts& waits);

  std::vector<Job> jobs_;
  DescriptorCounts progress_;
  DescriptorCounts before_;  ///< of the jobs before the last one
};

}  // namespace td::sim
