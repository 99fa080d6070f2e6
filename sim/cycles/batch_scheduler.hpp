// SPDX-License-Identifier: Apache-2.0
// Schedules many tile-row groups at once: the scheduler of a configuration, made ready for the
// batch kernel.
#pragma once

#include <cstdint>
#include <vector>

#include "base/configuration/config.hpp"
#include "sim/cycles/batch_kernel.hpp"

namespace td::sim {

template <class Mask>
class BatchScheduler {
 public:
  /// `dense`: as a tile does that drops nothing.
  BatchScheduler(const Config& config, bool dense,
                 const BatchKernel<Mask>& kernel = best_batch_kernel<Mask>());

  int width() const { return kernel_.width; }
  int tile_rows() const { return tile_rows_; }

  /// What a kernel follows; valid as long as this is.
  BatchPlan plan() const;

  /// Arrays of one thread, aligned for the kernel.
  class Workspace {
   public:
    explicit Workspace(const BatchScheduler& scheduler);
    Workspace(const Workspace&) = delete;  // pointers lead into words_
    Workspace& operator=(const Workspace&) = delete;

    std::vector<std::uint32_t> bases;        ///< [tile row][width]
    std::vector<std::uint32_t> other_bases;  ///< [width]
    std::vector<std::uint32_t> cycles;       ///< [width], results
    std::vector<std::uint32_t> tails;        ///< [width], results of run_steps()
    Mask* present;                           ///< [tile row][width]

   private:
    friend class BatchScheduler;
    std::vector<std::uint64_t> words_;
    std::uint64_t* scratch_;
  };

  /// Schedules the batch; its bases and present lines are those of the workspace.
  void run(Batch<Mask> batch, Workspace& workspace, LaneCounts& counts) const;
  /// The same without counting lanes; see BatchKernel.
  void run_steps(Batch<Mask> batch, Workspace& workspace) const;

 private:
  int lanes_;
  int depth_;
  int tile_rows_;
  int options_;
  std::vector<std::uint32_t> elements_;
  std::vector<std::uint8_t> lane_order_;
  BatchKernel<Mask> kernel_;
};

}  // namespace td::sim
