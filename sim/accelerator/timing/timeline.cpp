// SPDX-License-Identifier: Apache-2.0
#include "sim/accelerator/timing/timeline.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "sim/accelerator/model/compute_counts.hpp"
#include "sim/accelerator/model/walk_counts.hpp"
#include "sim/accelerator/timing/bus/transfer_clock.hpp"
#include "sim/accelerator/timing/bus/unpack_clock.hpp"

namespace td::sim {

namespace {

constexpr std::int64_t kUnitBytes = 64;

/// All that moves while a job runs.
class JobRun {
 public:
  JobRun(const TimedJob& job, const Config& config, const MemoryTiming& memory,
         const Geometry& geometry, EngineSpans* spans)
      : job_(job),
        tiles_(static_cast<std::size_t>(config.accelerator.tiles)),
        memory_(memory, geometry),
        fetch_(job.control, kUnitBytes / geometry.beat_bytes()),
        dispatch_(job.control),
        load_(config.accelerator.outstanding),
        store_(config.accelerator.outstanding),
        unpack_(geometry),
        compute_(config, job.computes, use_, spans != nullptr),
        spans_(spans) {}

  std::int64_t run() {
    std::int64_t now = 1;
    while (!dispatch_.job_done()) {
      if (const std::int64_t clocks = quiet(now); clocks > 0) {
        count(now, clocks);
        now += clocks;
      }
      clock(now++);
    }
    use_.count(now);
    return now;
  }

  const ClockUse& use() const { return use_.use(); }

  /// What the tiles stepped for.
  void add_steps(EngineSpans& spans) const;

 private:
  std::int64_t quiet(std::int64_t now) const;
  void count(std::int64_t now, std::int64_t clocks);
  void clock(std::int64_t now);
  ClockUseCounter::Part other() const;
  bool accept_reads();
  void watch(std::int64_t now, const bool (&accepted)[3], const bool (&done)[3]);
  const std::vector<TransferBurst>* bursts(std::size_t kind) const;

  const TimedJob& job_;
  std::size_t tiles_;
  MemoryClock memory_;
  FetchClock fetch_;
  DispatchClock dispatch_;
  TransferClock load_, store_;
  UnpackClock unpack_;
  StoreRowsClock rows_;
  ClockUseCounter use_;
  ComputeClock compute_;
  bool waits_ = false, fetch_waits_ = false;  ///< td1_read_mux: an address stays until accepted
  EngineSpans* spans_;                        ///< that are asked for, or null
};

/// Clocks from `now` on in which all that moves only counts.
std::int64_t JobRun::quiet(std::int64_t now) const {
  const bool rests = !waits_ && fetch_.rests() && dispatch_.rests() &&
                     !(fetch_.unit() && dispatch_.takes_unit()) && load_.rests(bursts(0)) &&
                     store_.rests(bursts(2)) &&
                     (dispatch_.offered(1) == DispatchClock::npos || !compute_.ready());
  if (!rests || (memory_.limited() && !rows_.idle())) return 0;
  return std::min(
      {memory_.quiet(now, unpack_.ready()), unpack_.quiet(), rows_.quiet(), compute_.quiet()});
}

void JobRun::count(std::int64_t now, std::int64_t clocks) {
  constexpr bool none[3] = {false, false, false};
  watch(now, none, none);
  use_.others(now, other());
  compute_.count(clocks, rows_.tile());
  unpack_.count(clocks, memory_.count(now, clocks, rows_.count(clocks), unpack_.ready()));
}

/// Of what part this clock is if no tile steps.
ClockUseCounter::Part JobRun::other() const {
  if (compute_.brings()) return &ClockUse::fill;
  if (compute_.works() || dispatch_.offered(1) != DispatchClock::npos) return &ClockUse::collect;
  if (store_.works(bursts(2))) return &ClockUse::store;
  return load_.works(bursts(0)) ? &ClockUse::load : &ClockUse::control;
}

/// When engines are through with a clock, and before dispatch is.
void JobRun::watch(std::int64_t now, const bool (&accepted)[3], const bool (&done)[3]) {
  if (spans_ == nullptr) return;
  for (const Engine engine : {Engine::load, Engine::compute, Engine::store}) {
    const auto kind = static_cast<std::size_t>(engine);
    spans_->engine(now, engine, {dispatch_.offered(kind), accepted[kind], done[kind]});
  }
  spans_->fill(now + 1, compute_.filling());
}

/// Tiles step for computes in their order.
void JobRun::add_steps(EngineSpans& spans) const {
  for (std::size_t tile = 0; tile < tiles_; ++tile) {
    std::size_t descriptor = 0;
    for (const TileSteps& steps : compute_.stepped(tile)) {
      const auto is = [&](const ComputeWork& one) {
        return !one.lines.empty() && one.work(tile) == steps.work;
      };
      while (!is(job_.computes[descriptor])) ++descriptor;
      spans.add({Engine::tile, tile, descriptor, steps.begin, steps.end, steps.work->all_steps()});
    }
  }
}

const std::vector<TransferBurst>* JobRun::bursts(std::size_t kind) const {
  const std::size_t offered = dispatch_.offered(kind);
  return offered == DispatchClock::npos ? nullptr : &job_.transfers[offered].bursts;
}

/// The addresses of loads and descriptors share a channel. Returns whether fetch has it.
bool JobRun::accept_reads() {
  const bool fetch = waits_ ? fetch_waits_ : fetch_.address();
  const bool valid = load_.address() || fetch_.address();
  const bool ready = memory_.takes_read();
  if (valid && ready) {
    memory_.accept_read(fetch ? MemoryClock::Reader::fetch : MemoryClock::Reader::load,
                        fetch ? fetch_.unit_beats() : load_.address_burst().beats);
  }
  waits_ = valid && !ready;
  fetch_waits_ = fetch;
  return fetch;
}

void JobRun::clock(std::int64_t now) {
  use_.others(now, other());
  memory_.begin(now, unpack_.ready());
  const bool read_ready = memory_.takes_read(), write_ready = memory_.takes_write();
  const bool fetch_has = accept_reads();
  const bool load_ready = read_ready && !fetch_has;
  if (store_.address() && write_ready) memory_.accept_write(store_.address_burst().beats);

  const std::size_t computing = dispatch_.offered(1), storing = dispatch_.offered(2);
  const std::vector<TransferBurst>* loads = bursts(0);
  const std::vector<TransferBurst>* stores = bursts(2);
  const bool accepted[3] = {loads != nullptr && load_.finishes(*loads, load_ready),
                            computing != DispatchClock::npos && compute_.ready(),
                            stores != nullptr && store_.finishes(*stores, write_ready)};
  const bool done[3] = {load_.done(), compute_.done(), store_.done()};
  const bool unit = fetch_.unit() && dispatch_.takes_unit();

  const std::size_t read_tile = rows_.tile();
  const bool burst_taken = stores != nullptr && store_.takes(write_ready);
  if (rows_.update(memory_.takes_beat())) memory_.accept_beat();
  compute_.update(accepted[1] ? &job_.computes[computing] : nullptr, read_tile);
  const bool beat = memory_.beat_for(MemoryClock::Reader::load);
  const bool load_taken = loads != nullptr && load_.takes(load_ready);
  load_.update(loads, load_ready, unpack_.ends(beat && memory_.last_beat()));
  unpack_.update(beat);
  if (load_taken) unpack_.add(load_.address_burst());
  store_.update(stores, write_ready, memory_.answer());
  if (burst_taken) {
    const TransferWork& work = job_.transfers[storing];
    rows_.add(work.tile, store_.address_burst().beats);
  }
  store_.set_room(rows_.has_room());
  watch(now, accepted, done);
  fetch_.update(read_ready && fetch_has, memory_.beat_for(MemoryClock::Reader::fetch), unit);
  dispatch_.update(unit, accepted, done);
}

/// The first line with the same work: dense, or without zeros, most lines have it.
std::int64_t first_like(const std::vector<TileWork>& lines, std::int64_t line) {
  const TileWork& work = lines[static_cast<std::size_t>(line)];
  const auto like = [&](const TileWork& other) {
    return other.groups == work.groups && other.behind == work.behind;
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

ComputeWork Timeline::compute(const ComputeDescriptor& d, const PassSteps& steps) const {
  ComputeWork work;
  for (int side = 0; side < 2; ++side) {
    if (d.keeps(side)) continue;
    const OperandWalk& walk = side == 0 ? d.a : d.b;
    work.fill = std::max(work.fill, fill_clocks(geometry_, walk, d.chunk_rows));
  }
  auto first = steps.groups.begin();
  for (const std::int64_t behind : steps.behind) {
    TileWork line;
    line.groups.assign(first, first + d.b_groups);
    line.repeats = d.a_groups;
    line.collect = geometry_.collect_clocks(d.result_pitch);
    // Of passes of a row, one comes in a clock, in dense mode, too.
    const bool comes_one_by_one = (d.dense || geometry_.dense) && d.chunk_rows > 1;
    line.short_rows = d.chunk_rows < geometry_.depth && !comes_one_by_one ? d.chunk_rows : 0;
    line.accumulate = d.accumulate;
    line.behind = this->behind(d, line, behind);
    line.least = *std::min_element(line.groups.begin(), line.groups.end());
    work.lines.push_back(std::move(line));
    first += d.b_groups;
  }
  for (std::int64_t tile = 0; tile < geometry_.tiles; ++tile) {
    const TileLines lines = lines_of(d, tile);
    work.line_of.push_back(lines.used(d) ? first_like(work.lines, lines.b) : -1);
  }
  return work;
}

void Timeline::add(const Descriptor& descriptor, const PassSteps& steps) {
  job_.control.push_back({descriptor.index(), waits_of(descriptor)});
  job_.transfers.emplace_back();
  job_.computes.emplace_back();
  if (const auto* load = std::get_if<LoadDescriptor>(&descriptor)) {
    job_.transfers.back() = {load_bursts(geometry_, *load)};
  } else if (const auto* store = std::get_if<StoreDescriptor>(&descriptor)) {
    job_.transfers.back() = {store_bursts(geometry_, *store), store->tile};
  } else {
    job_.computes.back() = compute(std::get<ComputeDescriptor>(descriptor), steps);
  }
}

std::int64_t Timeline::end_job() {
  std::optional<EngineSpans> spans;
  if (keep_spans_) spans.emplace();
  JobRun run(job_, config_, memory_, geometry_, spans ? &*spans : nullptr);
  const std::int64_t clocks = run.run();
  if (spans) {
    run.add_steps(*spans);
    for (EngineSpan span : spans->take()) {
      span.begin += clocks_;
      span.end += clocks_;
      spans_.push_back(span);
    }
  }
  clocks_ += clocks;
  sim::add(use_, run.use());
  return clocks;
}

}  // namespace td::sim
