// SPDX-License-Identifier: Apache-2.0
#include "sim/accelerator/steps/step_counter.hpp"

#include <algorithm>
#include <cstddef>
#include <variant>

#include "gen/configuration/geometry.hpp"
#include "sim/accelerator/job_error.hpp"
#include "sim/accelerator/layout.hpp"
#include "sim/accelerator/model/operand_banks.hpp"
#include "sim/accelerator/model/walk_rows.hpp"
#include "sim/accelerator/steps/group_queue.hpp"
#include "sim/accelerator/steps/mask_walk.hpp"
#include "sim/accelerator/steps/tensor_masks.hpp"
#include "sim/model/scheduler.hpp"

namespace td::sim {
namespace {

std::int64_t rows_of(const MemoryWalk& walk) {
  return std::int64_t{walk.planes} * walk.segments * walk.rows;
}

template <class Mask>
class Counter {
 public:
  Counter(const Config& config, const SideB& side_b)
      : geometry_(geometry_of(config)),
        address_(side_b.address),
        tensor_(tensor_masks<Mask>(side_b.source, side_b.layer, side_b.operand,
                                   TensorLayout(side_b.layer, side_b.operand, geometry_),
                                   config.format)),
        memory_(static_cast<std::size_t>(geometry_.operand_rows)),
        scheduler_(config),
        queue_(config) {
    counts_.compute.tile_cycles.resize(static_cast<std::size_t>(geometry_.tiles));
  }

  JobCounts run(const std::vector<Job>& jobs) {
    for (const Job& job : jobs) {
      for (const Descriptor& descriptor : job) {
        counts_.moved.bytes_fetched += static_cast<std::int64_t>(descriptor_bytes(descriptor));
        std::visit([this](const auto& one) { add(one); }, descriptor);
      }
      ++counts_.moved.jobs;
    }
    set_steps();
    return std::move(counts_);
  }

 private:
  /// A compute descriptor whose steps are not known yet.
  struct Open {
    ComputeDescriptor descriptor;
    std::size_t groups;                ///< of side B
    std::int64_t effectual;            ///< elements that are not zero, of all of them
    std::vector<std::int64_t> behind;  ///< see PassSteps
  };

  void add(const LoadDescriptor& d) {
    counts_.moved.bytes_loaded += rows_of(d.memory) * geometry_.row_bytes();
    if (!d.side_b) return;
    const auto bytes = static_cast<std::uint64_t>(geometry_.row_bytes());
    std::int64_t to = d.row;
    for (std::uint64_t plane = 0; plane < d.memory.planes; ++plane) {
      for (std::uint64_t segment = 0; segment < d.memory.segments; ++segment) {
        const std::uint64_t begin = d.memory.address + plane * d.memory.plane_pitch +
                                    segment * d.memory.segment_pitch - address_;
        for (std::uint64_t row = begin / bytes; row < begin / bytes + d.memory.rows; ++row) {
          memory_[static_cast<std::size_t>(place_of(geometry_, to++, d.interleave))] =
              tensor_[static_cast<std::size_t>(row)];
        }
      }
    }
  }

  void add(const StoreDescriptor& d) {
    const std::int64_t results = rows_of(d.memory) * geometry_.lanes;
    counts_.moved.results += results;
    counts_.moved.bytes_stored +=
        d.wide ? results * kWideBytes : rows_of(d.memory) * geometry_.row_bytes();
  }

  void add(const ComputeDescriptor& d) {
    check_compute(geometry_, d);
    count_compute(geometry_, d, counts_.compute);
    walk_rows(geometry_, d.a, streams_of(geometry_, d, 0), d.chunk_rows,
              [this](const WalkPlace&, std::size_t) { ++counts_.compute.operand_rows_read; });
    const std::vector<Mask> streams =
        walk_masks(geometry_, d.b, memory_, streams_of(geometry_, d, 1), d.chunk_rows,
                   counts_.compute.operand_rows_read);
    Open open = {d, std::size_t{d.b_lines} * d.b_groups, 0, {}};
    const auto group_masks = static_cast<std::size_t>(geometry_.lines * d.chunk_rows);
    if (!is_dense(d)) {
      for (std::size_t group = 0; group < open.groups; ++group) {
        queue_.add(&streams[group * group_masks], d.chunk_rows);
      }
      for (const Mask mask : streams) open.effectual += __builtin_popcountll(mask);
    }
    for (std::size_t line = 1; line <= d.b_lines; ++line) {
      open.behind.push_back(
          steps_behind(advances(d, &streams[(line * d.b_groups - 1) * group_masks]),
                       geometry_.depth, is_dense(d)));
    }
    open_.push_back(std::move(open));
  }

  /// Rows that leave in each step of a pass with a group.
  std::vector<int> advances(const ComputeDescriptor& d, const Mask* group) const {
    if (is_dense(d)) return std::vector<int>(d.chunk_rows, 1);
    std::vector<LaneMask> left(group, group + geometry_.lines * d.chunk_rows);
    std::vector<int> result;
    for (int first = 0; first < d.chunk_rows; first += result.back()) {
      const int visible = std::min(static_cast<int>(geometry_.depth), d.chunk_rows - first);
      result.push_back(visible);
      for (std::int64_t line = 0; line < geometry_.lines; ++line) {
        LaneMask* rows = &left[static_cast<std::size_t>(line * d.chunk_rows + first)];
        LaneMask window[kMaximumDepth] = {};
        std::copy_n(rows, visible, window);
        Choice choice;
        scheduler_.choose(window, choice);
        std::copy_n(window, visible, rows);
        const auto* row =
            std::find_if(window, window + visible, [](LaneMask mask) { return mask != 0; });
        result.back() = std::min(result.back(), static_cast<int>(row - window));
      }
    }
    return result;
  }

  bool is_dense(const ComputeDescriptor& d) const { return d.dense || geometry_.dense; }

  void set_steps() {
    const std::vector<std::uint32_t> scheduled = queue_.take();
    auto next = scheduled.begin();
    for (const Open& open : open_) {
      const ComputeDescriptor& d = open.descriptor;
      PassSteps steps = {std::vector<std::int64_t>(open.groups, d.chunk_rows), open.behind};
      if (!is_dense(d)) {
        std::copy_n(next, open.groups, steps.groups.begin());
        next += static_cast<std::ptrdiff_t>(open.groups);
        const std::int64_t elements = streams_of(geometry_, d, 1) * d.chunk_rows * geometry_.lanes;
        counts_.compute.skipped +=
            (elements - open.effectual) * std::int64_t{d.a_lines} * d.a_groups;
      }
      for (std::int64_t tile = 0; tile < geometry_.tiles; ++tile) {
        const TileLines lines = lines_of(d, tile);
        if (!lines.used(d)) continue;
        const auto first = steps.groups.begin() + lines.b * d.b_groups;
        for (auto group = first; group != first + d.b_groups; ++group) {
          counts_.compute.tile_cycles[static_cast<std::size_t>(tile)] += *group * d.a_groups;
        }
      }
      counts_.steps.push_back(std::move(steps));
    }
  }

  Geometry geometry_;
  std::uint64_t address_;
  std::vector<Mask> tensor_;  ///< by row
  std::vector<Mask> memory_;  ///< side B's operand memory, by place
  Scheduler scheduler_;
  GroupQueue<Mask> queue_;
  std::vector<Open> open_;
  JobCounts counts_;
};

}  // namespace

JobCounts count_jobs(const Config& config, const std::vector<Job>& jobs, const SideB& side_b) {
  if (config.lanes <= 16) return Counter<std::uint16_t>(config, side_b).run(jobs);
  if (config.lanes <= 32) return Counter<std::uint32_t>(config, side_b).run(jobs);
  return Counter<std::uint64_t>(config, side_b).run(jobs);
}

}  // namespace td::sim
