// SPDX-License-Identifier: Apache-2.0
#include "sim/accelerator/timing/timeline.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "sim/accelerator/model/compute_counts.hpp"
#include "sim/accelerator/model/walk_counts.hpp"
#include "sim/accelerator/timing/bus/transfer_clock.hpp"

namespace td::sim {

namespace {

/// The first line with the same work: dense, or without zeros, most lines have it.
std::int64_t first_like(const std::vector<TileWork>& lines, std::int64_t line) {
  const TileWork& work = lines[static_cast<std::size_t>(line)];
  const auto like = [&](const TileWork& other) {
    return other.behind == work.behind &&
           std::equal(other.groups, other.groups + other.group_count, work.groups);
  };
  return std::find_if(lines.begin(), lines.end(), like) - lines.begin();
}

}  // namespace

Timeline::Timeline(const Config& config, const MemoryTiming& memory, bool keep_spans)
    : config_(config), geometry_(geometry_of(config)), memory_(memory), keep_spans_(keep_spans) {}

/// Steps that are left when a tile's last row is in the staging buffers, which hold rows of several
/// short passes; in dense mode, where rows of a pass come one by one, whole passes. `last`: of
/// those of the last pass.
std::int64_t Timeline::behind(const ComputeDescriptor& d, const TileWork& work,
                              std::int64_t last) const {
  std::int64_t room = geometry_.depth;
  if (d.chunk_rows > room) return last;
  std::int64_t steps = 0;
  std::size_t pass = work.passes();
  for (; pass > 0 && d.chunk_rows <= room; room -= d.chunk_rows) steps += work.steps(--pass);
  if (pass == 0 || d.dense || geometry_.dense) return steps;
  return steps + std::min(work.steps(pass - 1) - 1, room);
}

ComputeWork Timeline::compute(const ComputeDescriptor& d, PassSteps steps) const {
  ComputeWork work;
  for (int side = 0; side < 2; ++side) {
    if (d.keeps(side)) continue;
    const OperandWalk& walk = side == 0 ? d.a : d.b;
    work.fill = std::max(work.fill, fill_clocks(geometry_, walk, d.chunk_rows));
  }
  work.groups = std::move(steps.groups);
  work.lines.reserve(steps.behind.size());
  const std::int64_t* first = work.groups.data();
  for (const std::int64_t behind : steps.behind) {
    TileWork line;
    line.groups = first;
    line.group_count = d.b_groups;
    line.repeats = d.a_groups;
    line.collect = geometry_.collect_clocks(d.result_pitch);
    // Of passes of a row, one comes in a clock, in dense mode, too.
    const bool comes_one_by_one = (d.dense || geometry_.dense) && d.chunk_rows > 1;
    line.short_rows = d.chunk_rows < geometry_.depth && !comes_one_by_one ? d.chunk_rows : 0;
    line.accumulate = d.accumulate;
    line.behind = this->behind(d, line, behind);
    line.least = *std::min_element(first, first + d.b_groups);
    work.lines.push_back(line);
    first += d.b_groups;
  }
  work.line_of.reserve(static_cast<std::size_t>(geometry_.tiles));
  for (std::int64_t tile = 0; tile < geometry_.tiles; ++tile) {
    const TileLines lines = lines_of(d, tile);
    work.line_of.push_back(lines.used(d) ? first_like(work.lines, lines.b) : -1);
  }
  return work;
}

void Timeline::add(const Descriptor& descriptor, PassSteps steps) {
  job_.control.push_back({descriptor.index(), waits_of(descriptor)});
  job_.transfers.emplace_back();
  job_.computes.emplace_back();
  if (const auto* load = std::get_if<LoadDescriptor>(&descriptor)) {
    job_.transfers.back() = {load_bursts(geometry_, *load)};
  } else if (const auto* store = std::get_if<StoreDescriptor>(&descriptor)) {
    job_.transfers.back() = {store_bursts(geometry_, *store), store->tile};
  } else {
    job_.computes.back() = compute(std::get<ComputeDescriptor>(descriptor), std::move(steps));
  }
  if (!keep_spans_ && job_.numbers.few()) number();
}

/// The descriptor that was added last.
void Timeline::number() {
  ClockState& state = state_;
  state.clear();
  const TransferWork& transfer = job_.transfers.back();
  state.add(transfer.tile, transfer.bursts.size());
  for (const TransferBurst& burst : transfer.bursts) state.add(burst.beats, burst.groups);
  ComputeWork& compute = job_.computes.back();
  state.add(compute.fill, compute.lines.size());
  for (const TileWork& line : compute.lines) {
    state.add(line.repeats, line.behind, line.collect, line.short_rows, line.accumulate,
              line.group_count);
  }
  for (const std::int64_t steps : compute.groups) state.add(steps);
  for (const std::int64_t line : compute.line_of) state.add(line);
  compute.number = job_.numbers.add(job_.control.back(), state);
  for (std::size_t line = 0; line < compute.lines.size(); ++line) {
    // There are no more lines than tiles.
    compute.lines[line].number = compute.number * static_cast<std::size_t>(geometry_.tiles) + line;
  }
}

std::int64_t Timeline::end_job() {
  std::optional<EngineSpans> spans;
  if (keep_spans_) spans.emplace();
  JobRun run(job_, config_, memory_, geometry_, spans ? &*spans : nullptr);
  const std::int64_t clocks = run.run();
  if (job_.begin > 0) begin_clocks_ = clocks_ + run.begin_clocks();
  if (spans) {
    run.add_steps(*spans);
    for (EngineSpan span : spans->take()) {
      span.begin += clocks_;
      span.end += clocks_;
      spans_.push_back(span);
    }
  }
  clocks_ += clocks;
  leapt_ += run.leapt();
  sim::add(use_, run.use());
  return clocks;
}

}  // namespace td::sim
