// SPDX-License-Identifier: Apache-2.0
#include "sim/accelerator/steps/group_queue.hpp"

#include <numeric>
#include <utility>

namespace td::sim {

template <class Mask>
void GroupQueue<Mask>::add(const Mask* masks, std::int64_t rows) {
  Pool& pool = pools_[rows];
  pool.masks.insert(pool.masks.end(), masks, masks + scheduler_.tile_rows() * rows);
  pool.places.push_back(steps_.size());
  steps_.emplace_back();
  if (pool.places.size() == static_cast<std::size_t>(scheduler_.width())) run(pool, rows);
}

template <class Mask>
void GroupQueue<Mask>::run(Pool& pool, std::int64_t rows) {
  const auto width = static_cast<std::size_t>(scheduler_.width());
  const auto tile_rows = static_cast<std::size_t>(scheduler_.tile_rows());
  const std::size_t groups = pool.places.size();
  for (std::size_t r = 0; r < tile_rows; ++r) {
    for (std::size_t g = 0; g < width; ++g) {
      const bool present = g < groups;
      workspace_.present[r * width + g] = present ? 1 : 0;
      workspace_.bases[r * width + g] = static_cast<std::uint32_t>(
          present ? (g * tile_rows + r) * static_cast<std::size_t>(rows) : 0);
    }
  }
  std::vector<std::uint32_t> offsets(static_cast<std::size_t>(rows));
  std::iota(offsets.begin(), offsets.end(), 0U);
  Batch<Mask> batch;
  batch.table = pool.masks.data();
  batch.offsets = offsets.data();
  batch.rows = rows;
  scheduler_.run_steps(batch, workspace_);
  for (std::size_t g = 0; g < groups; ++g) {
    steps_[pool.places[g]] = {workspace_.cycles[g], workspace_.tails[g]};
  }
  pool.masks.clear();
  pool.places.clear();
}

template <class Mask>
std::vector<GroupSteps> GroupQueue<Mask>::take() {
  for (auto& [rows, pool] : pools_) {
    if (!pool.places.empty()) run(pool, rows);
  }
  return std::move(steps_);
}

template class GroupQueue<std::uint16_t>;
template class GroupQueue<std::uint32_t>;
template class GroupQueue<std::uint64_t>;

}  // namespace td::sim
