// SPDX-License-Identifier: Apache-2.0
// The batch kernel of every instruction set that this processor has gives the same numbers.
#include "sim/cycles/batch_kernel.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <limits>
#include <random>
#include <vector>
#include <xsimd/xsimd.hpp>

#include "sim/cycles/batch_scheduler.hpp"
#include "verify/unit/configuration/random_config.hpp"

namespace {

using td::sim::Batch;
using td::sim::BatchKernel;
using td::sim::BatchScheduler;
using td::sim::LaneCounts;

/// Random groups, more than any batch holds.
template <class Mask>
struct Groups {
  static constexpr std::size_t kCount = 1300;
  Groups(std::mt19937& random, const td::Config& config)
      : rows(static_cast<std::size_t>(td::unit::pick(random, 1, 40))),
        tile_rows(static_cast<std::size_t>(config.rows)),
        table(kCount * tile_rows * rows),
        filling(rows) {
    const auto all = std::numeric_limits<std::uint64_t>::max() >> (64 - config.lanes);
    const int density = td::unit::pick(random, 0, 2);
    std::mt19937_64 wide(random());
    for (Mask& mask : table) {
      std::uint64_t bits = wide();
      for (int i = 0; i < density; ++i) bits &= wide();
      mask = static_cast<Mask>(bits & all);
    }
    filling.back() = static_cast<Mask>(wide() & all);
  }
  std::size_t rows;
  std::size_t tile_rows;
  std::vector<Mask> table;  ///< [group][tile row][row]
  std::vector<Mask> filling;
};

/// Cycles of every group, then the sums of all counts.
template <class Mask>
std::vector<std::int64_t> schedule(const td::Config& config, const Groups<Mask>& groups,
                                   const BatchKernel<Mask>& kernel) {
  const BatchScheduler<Mask> scheduler(config, false, kernel);
  typename BatchScheduler<Mask>::Workspace workspace(scheduler);
  const auto width = static_cast<std::size_t>(kernel.width);
  std::vector<std::uint32_t> offsets(groups.rows);
  for (std::size_t t = 0; t < groups.rows; ++t) offsets[t] = static_cast<std::uint32_t>(t);
  std::vector<std::int64_t> result;
  LaneCounts sum;
  for (std::size_t begin = 0; begin < groups.kCount; begin += width) {
    for (std::size_t r = 0; r < groups.tile_rows; ++r) {
      for (std::size_t g = 0; g < width; ++g) {
        // Of every seventh group the last tile row has no stream.
        const bool exists = begin + g < groups.kCount;
        const bool short_group = (begin + g) % 7 == 0 && r + 1 == groups.tile_rows && r > 0;
        const std::size_t stream = ((exists ? begin + g : 0) * groups.tile_rows + r) * groups.rows;
        workspace.bases[r * width + g] = static_cast<std::uint32_t>(stream);
        workspace.present[r * width + g] = exists && !short_group ? 1 : 0;
      }
    }
    Batch<Mask> batch;
    batch.table = groups.table.data();
    batch.offsets = offsets.data();
    batch.filling = groups.filling.data();
    batch.rows = static_cast<std::int64_t>(groups.rows);
    scheduler.run(batch, workspace, sum);
    for (std::size_t g = 0; g < width && begin + g < groups.kCount; ++g) {
      result.push_back(workspace.cycles[g]);
    }
  }
  for (std::int64_t count : {sum.row_cycles, sum.channel_padding, sum.lane_conflicts,
                             sum.stream_tail, sum.row_imbalance, sum.depth_limit}) {
    result.push_back(count);
  }
  return result;
}

template <class Mask>
void check_all_kernels(std::mt19937& random, td::Config config) {
  config.scheduling = td::Scheduling::one_sided;
  const Groups<Mask> groups(random, config);
  const auto best = schedule<Mask>(config, groups, td::sim::best_batch_kernel<Mask>());
#if defined(__x86_64__)
  CHECK(schedule<Mask>(config, groups, td::sim::batch_kernel_for<xsimd::sse2, Mask>()) == best);
  if (__builtin_cpu_supports("avx2")) {
    CHECK(schedule<Mask>(config, groups, td::sim::batch_kernel_for<xsimd::avx2, Mask>()) == best);
  }
  if (__builtin_cpu_supports("avx512bw")) {
    CHECK(schedule<Mask>(config, groups, td::sim::batch_kernel_for<xsimd::avx512bw, Mask>()) ==
          best);
  }
#endif
}

}  // namespace

TEST_CASE("batch kernel: all instruction sets agree") {
  std::mt19937 random(50);
  for (int i = 0; i < 12; ++i) {
    td::unit::RandomLimits limits;
    limits.dense = false;
    const td::Config config = td::unit::random_config(random, limits);
    if (config.lanes <= 16) check_all_kernels<std::uint16_t>(random, config);
    if (config.lanes <= 32) check_all_kernels<std::uint32_t>(random, config);
    check_all_kernels<std::uint64_t>(random, config);
  }
}
