// SPDX-License-Identifier: Apache-2.0
#include "sim/accelerator/steps/step_counter.hpp"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <functional>
#include <iterator>
#include <map>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <tuple>
#include <utility>
#include <variant>

#include "base/configuration/geometry.hpp"
#include "sim/accelerator/job_error.hpp"
#include "sim/accelerator/layout.hpp"
#include "sim/accelerator/model/operand_banks.hpp"
#include "sim/accelerator/model/walk_rows.hpp"
#include "sim/accelerator/steps/group_queue.hpp"
#include "sim/accelerator/steps/mask_walk.hpp"
#include "sim/accelerator/steps/tensor_masks.hpp"

namespace td::sim {
namespace {

/// Bits that are set. Eight bytes at a time, which count by themselves until they are summed.
template <class Mask>
std::int64_t ones(const std::vector<Mask>& masks) {
  constexpr std::size_t kTogether = sizeof(std::uint64_t) / sizeof(Mask);
  constexpr std::size_t kWords = 16;  // a byte counts as many as 31 bytes have bits
  std::int64_t count = 0;
  for (std::size_t i = 0; i < masks.size(); i += kWords * kTogether) {
    std::uint64_t words[kWords] = {};
    std::memcpy(words, &masks[i], std::min(kWords * kTogether, masks.size() - i) * sizeof(Mask));
    std::uint64_t bytes = 0;
    for (std::uint64_t word : words) {
      word -= word >> 1 & 0x5555555555555555;
      word = (word & 0x3333333333333333) + (word >> 2 & 0x3333333333333333);
      bytes += (word + (word >> 4)) & 0x0f0f0f0f0f0f0f0f;
    }
    bytes = (bytes & 0x00ff00ff00ff00ff) + (bytes >> 8 & 0x00ff00ff00ff00ff);
    count += static_cast<std::int64_t>(bytes * 0x0001000100010001 >> 48);
  }
  return count;
}

template <class Mask>
class Counter {
 public:
  Counter(const Config& config, const SideB& side_b)
      : geometry_(geometry_of(config)),
        side_b_(side_b),
        memory_(static_cast<std::size_t>(geometry_.operand_rows)),
        walks_(geometry_),
        queue_(config) {
    counts_.compute.tile_cycles.resize(static_cast<std::size_t>(geometry_.tiles));
  }

  JobCounts run(const std::vector<LoadDescriptor>& early, const std::vector<Job>& jobs) {
    if (side_b_.zeros_in_dense || any_drops(jobs)) {
      tensor_ = tensor_masks<Mask>(side_b_.source, side_b_.layer, side_b_.operand,
                                   TensorLayout(side_b_.layer, side_b_.operand, geometry_),
                                   geometry_.format);
    }
    all_alike_ =
        std::adjacent_find(tensor_.begin(), tensor_.end(), std::not_equal_to<>()) == tensor_.end();
    for (const LoadDescriptor& load : early) bring(load);
    for (const Job& job : jobs) {
      for (const Descriptor& descriptor : job) {
        counts_.moved.bytes_fetched += static_cast<std::int64_t>(descriptor_bytes(descriptor));
        std::visit([this](const auto& one) { this->add(one); }, descriptor);
      }
      ++counts_.moved.jobs;
    }
    set_steps();
    return std::move(counts_);
  }

 private:
  /// Side B's streams of a compute.
  struct Streams {
    std::int64_t effectual = 0;  ///< elements that are not zero
    std::size_t group = 0;       ///< the first one, in the queue; where pairs are dropped
    std::int64_t rows_read = 0;
  };
  /// A compute descriptor whose steps are not known yet.
  struct Open {
    const ComputeDescriptor* descriptor;
    Streams streams;  ///< where someone looks for their zeros
  };

  void add(const LoadDescriptor& d) {
    counts_.moved.bytes_loaded += beats_of(geometry_, d) * geometry_.beat_bytes();
    counts_.moved.rows_loaded += rows_of(d.memory);
    bring(d);
  }

  /// Side B's rows. Those of the next operation's tensors are never looked at.
  void bring(const LoadDescriptor& d) {
    const auto bytes = static_cast<std::uint64_t>(geometry_.row_bytes());
    const std::uint64_t begin = side_b_.address;
    const std::uint64_t end = begin + tensor_.size() * bytes;
    if (!d.side_b || d.memory.address < begin || d.memory.address >= end) return;
    std::int64_t to = d.row;
    each_row(d.memory, bytes, [&](std::uint64_t address) {
      memory_[static_cast<std::size_t>(place_of(geometry_, to++, d.interleave))] =
          tensor_[static_cast<std::size_t>((address - begin) / bytes)];
    });
  }

  void add(const StoreDescriptor& d) {
    const std::int64_t results = rows_of(d.memory) * geometry_.lanes;
    counts_.moved.results += results;
    counts_.moved.bytes_stored +=
        d.wide ? results * geometry_.wide_bytes() : rows_of(d.memory) * geometry_.row_bytes();
    counts_.moved.beats_stored += beats_of(geometry_, d);
  }

  void add(const ComputeDescriptor& d) {
    check_compute(geometry_, d);
    count_compute(geometry_, d, counts_.compute);
    if (!d.keeps(0)) count_rows(d, d.a, 0);
    if (is_dense(d) && !side_b_.zeros_in_dense) {
      if (!d.keeps(1)) count_rows(d, d.b, 1);
      streams_.reset();
    } else if (!d.keeps(1)) {
      streams_ = streams(d);
      counts_.compute.operand_rows_read += streams_->rows_read;
    } else if (!streams_) {
      throw std::logic_error("step counter: nobody looked for these zeros");
    }
    open_.push_back({&d, streams_.value_or(Streams())});
  }

  /// Where all of the tensor's rows are alike, so are all streams of a walk: no planner's walk
  /// reads a row that was not loaded.
  Streams streams(const ComputeDescriptor& d) {
    if (!all_alike_) return look_at(d);
    const auto key = std::make_tuple(d.b, streams_of(geometry_, d, 1), std::int64_t{d.chunk_rows});
    const auto [found, is_new] = alike_.try_emplace(key);
    if (is_new) found->second = look_at(d);
    return found->second;
  }

  Streams look_at(const ComputeDescriptor& d) {
    Streams found;
    const std::vector<Mask> masks =
        walks_.masks(d.b, memory_, streams_of(geometry_, d, 1), d.chunk_rows, found.rows_read);
    found.effectual = ones(masks);
    if (is_dense(d)) return found;
    found.group = queue_.size();
    const auto group = static_cast<std::size_t>(geometry_.lines * d.chunk_rows);
    for (std::size_t at = 0; at < masks.size(); at += group) queue_.add(&masks[at], d.chunk_rows);
    return found;
  }

  bool any_drops(const std::vector<Job>& jobs) const {
    const auto drops = [this](const Descriptor& descriptor) {
      const auto* compute = std::get_if<ComputeDescriptor>(&descriptor);
      return compute != nullptr && !is_dense(*compute);
    };
    return std::any_of(jobs.begin(), jobs.end(),
                       [&](const Job& job) { return std::any_of(job.begin(), job.end(), drops); });
  }

  void count_rows(const ComputeDescriptor& d, const OperandWalk& walk, int side) {
    const std::int64_t streams = streams_of(geometry_, d, side);
    const auto [found, is_new] = rows_.try_emplace({walk, streams, d.chunk_rows});
    if (is_new) {
      walk_rows(geometry_, walk, streams, d.chunk_rows,
                [&rows = found->second](const WalkPlace&, std::size_t) { ++rows; });
    }
    counts_.compute.operand_rows_read += found->second;
  }

  bool is_dense(const ComputeDescriptor& d) const { return d.dense || geometry_.dense; }

  void set_steps() {
    const std::vector<GroupSteps> scheduled = queue_.take();
    counts_.steps.reserve(open_.size());
    for (const Open& open : open_) {
      const ComputeDescriptor& d = *open.descriptor;
      PassSteps steps;
      steps.groups.reserve(std::size_t{d.b_lines} * d.b_groups);
      steps.behind.reserve(d.b_lines);
      if (is_dense(d)) {
        steps.groups.assign(std::size_t{d.b_lines} * d.b_groups, d.chunk_rows);
        const std::vector<int> advances(d.chunk_rows, 1);
        steps.behind.assign(d.b_lines, steps_behind(advances, geometry_.depth, true));
      } else {
        auto next = scheduled.begin() + static_cast<std::ptrdiff_t>(open.streams.group);
        for (std::size_t line = 0; line < d.b_lines; ++line) {
          for (std::size_t group = 0; group < d.b_groups; ++group) {
            steps.groups.push_back(next++->all);
          }
          steps.behind.push_back(std::prev(next)->behind);
        }
      }
      if (!is_dense(d) || side_b_.zeros_in_dense) {
        const std::int64_t elements = streams_of(geometry_, d, 1) * d.chunk_rows * geometry_.lanes;
        counts_.compute.skipped +=
            (elements - open.streams.effectual) * std::int64_t{d.a_lines} * d.a_groups;
      }
      add_tiles(d, steps);
      counts_.steps.push_back(std::move(steps));
    }
  }

  void add_tiles(const ComputeDescriptor& d, const PassSteps& steps) {
    for (std::int64_t tile = 0; tile < geometry_.tiles; ++tile) {
      const TileLines lines = lines_of(d, tile);
      if (!lines.used(d)) continue;
      const auto first = steps.groups.begin() + lines.b * d.b_groups;
      counts_.compute.tile_cycles[static_cast<std::size_t>(tile)] +=
          d.a_groups * std::accumulate(first, first + d.b_groups, std::int64_t{0});
    }
  }

  Geometry geometry_;
  const SideB& side_b_;
  std::vector<Mask> tensor_;        ///< by row; empty where nobody looks for zeros
  bool all_alike_ = false;          ///< the tensor's rows
  std::vector<Mask> memory_;        ///< side B's operand memory, by place
  std::optional<Streams> streams_;  ///< of the compute before, if someone looked for their zeros
  MaskWalks walks_;
  GroupQueue<Mask> queue_;
  std::vector<Open> open_;
  /// What decides the streams of a walk of operand memories that do not change.
  using WalkKey = std::tuple<OperandWalk, std::int64_t, std::int64_t>;
  std::map<WalkKey, std::int64_t> rows_;  ///< that are read
  std::map<WalkKey, Streams> alike_;
  JobCounts counts_;
};

}  // namespace

JobCounts count_jobs(const Config& config, const std::vector<LoadDescriptor>& early,
                     const std::vector<Job>& jobs, const SideB& side_b) {
  if (config.lanes <= 16) return Counter<std::uint16_t>(config, side_b).run(early, jobs);
  if (config.lanes <= 32) return Counter<std::uint32_t>(config, side_b).run(early, jobs);
  return Counter<std::uint64_t>(config, side_b).run(early, jobs);
}

}  // namespace td::sim
