// SPDX-License-Identifier: Apache-2.0
#include "sim/cycles/batch_scheduler.hpp"

#include <numeric>
#include <stdexcept>

namespace td::sim {

template <class Mask>
BatchScheduler<Mask>::BatchScheduler(const Config& config, bool dense,
                                     const BatchKernel<Mask>& kernel)
    : lanes_(config.lanes),
      depth_(dense ? 1 : config.depth),
      tile_rows_(config.rows),
      kernel_(kernel) {
  // The ranges of the parameters; a kernel's arrays are that large.
  if (config.rows > kBatchTileRows || config.depth > kBatchDepth || config.lanes > 64) {
    throw std::logic_error("batch scheduler: the configuration exceeds the kernel's limits");
  }
  // A dense tile is one that sees a single row: each lane takes its own pair or idles.
  std::vector<Option> options = {{0, 0}};
  Level all(static_cast<std::size_t>(lanes_));
  std::iota(all.begin(), all.end(), 0);
  std::vector<Level> levels = {all};
  if (!dense) {
    options = config.options;
    levels = config.levels;
  }
  options_ = static_cast<int>(options.size());
  for (const Level& level : levels) {
    for (int lane : level) lane_order_.push_back(static_cast<std::uint8_t>(lane));
  }
  for (int phase = 0; phase < depth_; ++phase) {
    for (int lane : lane_order_) {
      for (Option option : options) {
        const int element =
            (phase + option.step) % depth_ * lanes_ + source_lane(lane, option, lanes_);
        elements_.push_back(static_cast<std::uint32_t>(element));
      }
    }
  }
}

template <class Mask>
BatchPlan BatchScheduler<Mask>::plan() const {
  return {lanes_, depth_, tile_rows_, options_, elements_.data(), lane_order_.data()};
}

template <class Mask>
BatchScheduler<Mask>::Workspace::Workspace(const BatchScheduler& scheduler) {
  const int width = scheduler.width();
  const auto lines = static_cast<std::size_t>(scheduler.tile_rows_ * width);
  bases.resize(lines);
  other_bases.resize(static_cast<std::size_t>(width));
  cycles.resize(static_cast<std::size_t>(width));
  tails.resize(static_cast<std::size_t>(width));
  constexpr std::size_t line = 8;  // words that a kernel's vectors are aligned to
  const auto scratch = static_cast<std::size_t>(scratch_words(scheduler.plan(), width));
  words_.resize(scratch + lines + 2 * line);
  const auto address = reinterpret_cast<std::uintptr_t>(words_.data());
  scratch_ = words_.data() + (64 - address % 64) % 64 / sizeof(std::uint64_t);
  present = reinterpret_cast<Mask*>(scratch_ + (scratch + line - 1) / line * line);
}

template <class Mask>
void BatchScheduler<Mask>::run(Batch<Mask> batch, Workspace& workspace, LaneCounts& counts) const {
  batch.bases = workspace.bases.data();
  batch.other_bases = workspace.other_bases.data();
  batch.present = workspace.present;
  kernel_.run(plan(), batch, workspace.scratch_, workspace.cycles.data(), counts);
}

template <class Mask>
void BatchScheduler<Mask>::run_steps(Batch<Mask> batch, Workspace& workspace) const {
  batch.bases = workspace.bases.data();
  batch.other_bases = workspace.other_bases.data();
  batch.present = workspace.present;
  kernel_.run_steps(plan(), batch, workspace.scratch_, workspace.cycles.data(),
                    workspace.tails.data());
}

template class BatchScheduler<std::uint16_t>;
template class BatchScheduler<std::uint32_t>;
template class BatchScheduler<std::uint64_t>;

}  // namespace td::sim
