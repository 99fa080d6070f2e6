// SPDX-License-Identifier: Apache-2.0
#include "sim/accelerator/timing/job_run.hpp"

#include <algorithm>
#include <optional>

namespace td::sim {

namespace {

constexpr std::int64_t kUnitBytes = 64;

}  // namespace

JobRun::JobRun(const TimedJob& job, const Config& config, const MemoryTiming& memory,
               const Geometry& geometry, EngineSpans* spans)
    : job_(job),
      tiles_(static_cast<std::size_t>(config.accelerator.tiles)),
      begin_(job.begin),
      memory_(memory, geometry),
      fetch_(job.control, kUnitBytes / geometry.beat_bytes()),
      dispatch_(job.control),
      load_(config.accelerator.outstanding),
      store_(config.accelerator.outstanding),
      unpack_(geometry),
      compute_(config, job.computes, use_, spans != nullptr),
      spans_(spans) {}

/// The job with so many descriptors alone, from here on.
JobRun::JobRun(const JobRun& all, std::size_t begin) : JobRun(all) {
  begin_ = 0;
  fetch_.end_at(begin);
  dispatch_.end_at(begin);
  compute_.count_in(use_);
  spans_ = nullptr;
}

std::int64_t JobRun::run() {
  Repeats repeats(job_.numbers);
  return run_from(1, repeats);
}

std::int64_t JobRun::run_from(std::int64_t now, Repeats& repeats) {
  while (!dispatch_.job_done()) {
    // From here on control would see that there is nothing behind the begin.
    if (begin_ > 0 && fetch_.known() <= behind_begin()) {
      Repeats none;
      begin_clocks_ = JobRun(*this, begin_).run_from(now, none);
      begin_ = 0;
    }
    if (const std::int64_t clocks = quiet(now); clocks > 0) {
      count(now, clocks);
      now += clocks;
    }
    const bool computes = clock(now++);
    if (computes && repeats.looks()) now = skip(now, repeats);
  }
  use_.count(now);
  return now;
}

/// Clocks from `now` on in which all that moves only counts.
std::int64_t JobRun::quiet(std::int64_t now) const {
  const bool reads = memory_.takes_read(), writes = memory_.takes_write();
  const bool rests = waits_ == (load_.address() || fetch_.address()) && fetch_.rests(reads) &&
                     dispatch_.rests() && !(fetch_.unit() && dispatch_.takes_unit()) &&
                     load_.rests(bursts(0), reads) && store_.rests(bursts(2), writes) &&
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

/// Returns whether a compute was accepted.
bool JobRun::clock(std::int64_t now) {
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
  return accepted[1];
}

const ClockState& JobRun::state(std::int64_t next) {
  ClockState& state = state_;
  state.clear();
  state.add(waits_, fetch_waits_);
  memory_.add_state(state, next);
  fetch_.add_state(state, dispatch_.next());
  dispatch_.add_state(state);
  load_.add_state(state);
  store_.add_state(state);
  rows_.add_state(state);
  unpack_.add_state(state);
  compute_.add_state(state);
  return state;
}

/// Leaps over clocks that come again, where there are such. `next` is the first one that has not
/// been looked at. Returns the first one behind them.
std::int64_t JobRun::skip(std::int64_t next, Repeats& repeats) {
  compute_.catch_up();
  Mark mark;
  mark.next = next;
  mark.oldest = dispatch_.oldest();
  mark.newest = fetch_.descriptor();
  mark.units = fetch_.known() - behind_begin();
  mark.finished = dispatch_.finished();
  mark.use = use_.use();
  const std::optional<Leap> leap = repeats.come(state(next), mark);
  if (!leap) return next;
  memory_.skip(leap->stride);
  fetch_.skip(leap->stride);
  dispatch_.skip(leap->stride);
  compute_.skip(leap->stride);
  use_.skip(leap->stride.clocks, leap->use);
  leapt_ += leap->stride.clocks;
  return next + leap->stride.clocks;
}

}  // namespace td::sim
