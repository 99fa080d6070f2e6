// SPDX-License-Identifier: Apache-2.0
#include "verify/accelerator/layers/layer_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <numeric>
#include <stdexcept>
#include <utility>
#include <variant>

#include "sim/accelerator/registers.hpp"
#include "sim/accelerator/timing/timeline.hpp"

namespace td::verify {
namespace {

namespace at = sim::registers;

std::uint64_t round_up(std::uint64_t address) { return (address + kList - 1) / kList * kList; }

bool is_compute(const sim::Descriptor& descriptor) {
  return std::holds_alternative<sim::ComputeDescriptor>(descriptor);
}

/// Makes a descriptor one that cannot be carried out. Returns the code that it must end with.
class Damage {
 public:
  /// `first`: no compute of the job is before it.
  Damage(std::mt19937& random, const Geometry& geometry, std::uint64_t outside, bool first)
      : random_(random), geometry_(geometry), outside_(outside), first_(first) {}

  sim::ErrorCode operator()(sim::LoadDescriptor& load) {
    if (unit::pick(random_, 0, 3) > 0) return transfer(load);
    load.packed = unit::pick(random_, 0, 1) == 0 ? 1 : 64;  // masks take more, blocks have no more
    return sim::ErrorCode::field;
  }
  sim::ErrorCode operator()(sim::StoreDescriptor& store) {
    if (!geometry_.wide_only() || unit::pick(random_, 0, 3) > 0) return transfer(store);
    store.wide = false;
    return sim::ErrorCode::field;
  }
  sim::ErrorCode operator()(sim::ComputeDescriptor& compute) {
    const int side = unit::pick(random_, 0, 1);
    if (first_ && unit::pick(random_, 0, 3) == 0) {  // what no compute has had
      compute.keep = static_cast<std::uint8_t>(unit::pick(random_, 1, 3));
      return sim::ErrorCode::wait;
    }
    if (compute.keeps(side)) {  // ... of other streams; its walk is not looked at
      std::uint16_t* const alike[] = {side == 0 ? &compute.a_groups : &compute.b_groups,
                                      side == 0 ? &compute.a_lines : &compute.b_lines,
                                      &compute.group_pitch};
      const int which = unit::pick(random_, 0, static_cast<int>(std::size(alike)));
      if (which == static_cast<int>(std::size(alike))) {
        compute.keep = 3;
      } else {
        ++*alike[which];
      }
      return sim::ErrorCode::field;
    }
    sim::OperandWalk& walk = side == 0 ? compute.a : compute.b;
    if (unit::pick(random_, 0, 1) == 0) {
      miscount(compute, walk);
      return sim::ErrorCode::field;
    }
    std::uint16_t* const counts[] = {
        &compute.chunk_rows,
        &compute.a_groups,
        &compute.b_groups,
        &compute.a_lines,
        &compute.b_lines,
        &walk.blocks,
        &walk.levels[static_cast<std::size_t>(unit::pick(random_, 0, 5))].count};
    const int which = unit::pick(random_, 0, static_cast<int>(std::size(counts)) + 2);
    switch (which - static_cast<int>(std::size(counts))) {
      case 0:
        return wait(compute.waits);
      case 1:
        scatter(walk);
        break;
      case 2:  // result rows that overlap
        compute.result_pitch = (compute.lanes_on_b ? compute.b_groups : compute.a_groups) - 1;
        break;
      default:
        *counts[which] = 0;
    }
    return sim::ErrorCode::field;
  }

 private:
  /// Asks for rows of one bank at once, or for more than ever come at once.
  static void scatter(sim::OperandWalk& walk) {
    const bool inside =
        walk.y >= 0 && walk.y < walk.y_bound && walk.x >= 0 && walk.x < walk.x_bound;
    if (walk.fan > 1 && inside) {
      walk.fan_row_step = walk.fan_y_step = walk.fan_x_step = 0;
    } else {
      walk.fan = 17;
    }
  }

  /// Makes too many streams, or too few, or puts them beyond the scratchpads: what is left there of
  /// another job must not be worked on.
  void miscount(sim::ComputeDescriptor& compute, sim::OperandWalk& walk) {
    constexpr std::uint16_t kSpareGroups = 32;  // more than what transposed blocks may have
    std::uint16_t& groups = &walk == &compute.b ? compute.b_groups : compute.a_groups;
    switch (unit::pick(random_, 0, 5)) {
      case 0:
        ++walk.blocks;
        break;
      case 1:
        --walk.blocks;
        break;
      case 2:
        groups = static_cast<std::uint16_t>(groups + kSpareGroups);
        break;
      case 3:
        walk.last_fan = 0;
        break;
      case 4:
        walk.last_fan = static_cast<std::uint8_t>(walk.fan + 1);
        break;
      default:
        // One group in each of two sets has no pitch.
        compute.group_pitch = std::max(compute.a_groups, compute.b_groups) > 2 ? 0xffff : 0;
    }
  }

  template <class Transfer>
  sim::ErrorCode transfer(Transfer& descriptor) {
    switch (unit::pick(random_, 0, 3)) {
      case 0:
        descriptor.memory.segments = 0;
        return sim::ErrorCode::field;
      case 1:
        ++descriptor.memory.address;
        return sim::ErrorCode::alignment;
      case 2:
        descriptor.memory.address = outside_;
        return sim::ErrorCode::window;
      default:
        return wait(descriptor.waits);
    }
  }

  static sim::ErrorCode wait(sim::Waits& waits) {
    waits.stores = 0xffff;
    return sim::ErrorCode::wait;
  }

  std::mt19937& random_;
  const Geometry& geometry_;
  std::uint64_t outside_;
  bool first_;
};

}  // namespace

LayerRun::LayerRun(const Config& config, unit::OperationRun plan, AcceleratorModel& model,
                   AxiMemorySettings memory)
    : config_(config),
      plan_(std::move(plan)),
      before_(plan_.memory),
      list_{round_up(before_.base + before_.bytes.size()), 0} {
  list_.end = list_.begin + sim::Driver::bytes(plan_.jobs);
  sim::Timeline timeline(config, memory.timing());
  if (plan_.run(config, 0, &timeline).error != sim::ErrorCode::none) {
    throw std::runtime_error("the functional model finds an error in its own plan");
  }
  expected_clocks_ = timeline.clocks();
  spans_ = timeline.spans();
  memory.beat_bytes = static_cast<unsigned>(plan_.geometry.beat_bytes());
  memory.begin = before_.base;
  memory.bytes = list_.end - before_.base;
  port_.emplace(model, memory);
  driver_.emplace(*port_, plan_.geometry);
  driver_->set_window({before_.base, list_.end});
}

sim::ClockCounters LayerRun::run() {
  put(before_);
  const Counters before = counters();
  const sim::ClockCounters was = sim::read_clocks(*driver_);
  const sim::JobsEnd end = driver_->run(plan_.jobs, list_);
  check_ports();
  if (end.error != sim::ErrorCode::none) {
    throw std::runtime_error(fmt::format("error {} of job {}, descriptor {}",
                                         static_cast<int>(end.error), end.job, end.descriptor));
  }
  compare(plan_.memory);
  check_counters(before);
  sim::ClockCounters clocks = sim::read_clocks(*driver_);
  clocks -= was;
  if (clocks.stepped + clocks.filling > clocks.compute) {
    throw std::runtime_error("more clocks with and without a step than computes have");
  }
  return clocks;
}

bool LayerRun::run_with_errors(double share) {
  put(before_);
  const std::uint64_t counted = driver_->read_wide(at::bytes_written_low);
  const std::uint64_t written = port_->memory().bytes_written();
  port_->memory().set_errors(share);
  const sim::JobsEnd end = driver_->run(plan_.jobs, list_);
  port_->memory().set_errors(0);
  check_ports();
  check_written(counted, written);
  if (end.error == sim::ErrorCode::none) return false;
  if (end.error != sim::ErrorCode::read && end.error != sim::ErrorCode::write) {
    throw std::runtime_error(
        fmt::format("error {} after errors of the bus", static_cast<int>(end.error)));
  }
  return true;
}

void LayerRun::run_damaged(std::mt19937& random) {
  put(before_);
  std::vector<sim::Job> jobs = plan_.jobs;
  sim::Job& job = jobs.front();
  auto index = static_cast<std::size_t>(unit::pick(random, 0, static_cast<int>(job.size()) - 1));
  // Computes have more that can be wrong: every second time the next one.
  if (unit::pick(random, 0, 1) == 0) {
    std::size_t next = index;
    while (next < job.size() && !is_compute(job[next])) ++next;
    if (next < job.size()) index = next;
  }
  const bool first = std::none_of(job.begin(), job.begin() + static_cast<std::ptrdiff_t>(index),
                                  [](const sim::Descriptor& one) { return is_compute(one); });
  const sim::ErrorCode expected =
      std::visit(Damage(random, plan_.geometry, list_.end, first), job[index]);
  const sim::JobsEnd end = driver_->run(jobs, list_);
  check_ports();
  // The compute engine may still be at work on descriptors before, of which the first then is
  // named.
  if (end.error == expected && end.job == 0 &&
      (is_compute(job[index]) ? end.descriptor <= index : end.descriptor == index)) {
    return;
  }
  throw std::runtime_error(fmt::format(
      "descriptor {} damaged, error {} expected; error {} of job {}, descriptor {}", index,
      static_cast<int>(expected), static_cast<int>(end.error), end.job, end.descriptor));
}

/// Some bytes change, or all bits of a block's masks are set.
void LayerRun::break_blocks(std::mt19937& random, sim::MemoryImage& memory) const {
  const auto place = [&](std::uint64_t size) {
    return std::uniform_int_distribution<std::uint64_t>(0, size - 1)(random);
  };
  const std::uint64_t operands = plan_.placement.result - before_.base;
  if (unit::pick(random, 0, 1) == 0) {
    for (int i = 0; i < 8; ++i) memory.bytes[place(operands)] ^= 0x41;
    return;
  }
  const auto block = static_cast<std::uint64_t>(sim::block_bytes(plan_.geometry));
  const std::uint64_t masks =
      static_cast<std::uint64_t>(plan_.geometry.mask_rows() * plan_.geometry.row_bytes());
  const std::uint64_t begin = place(operands) / block * block;
  std::fill_n(memory.bytes.begin() + static_cast<std::ptrdiff_t>(begin),
              std::min(masks, operands - begin), std::uint8_t{0xff});
}

bool LayerRun::run_broken(std::mt19937& random) {
  sim::MemoryImage memory = before_;
  break_blocks(random, memory);
  unit::OperationRun expected = plan_;
  expected.memory = memory;
  const sim::JobEnd model = expected.run(config_, 0);
  put(memory);
  const sim::JobsEnd end = driver_->run(plan_.jobs, list_);
  check_ports();
  if (model.error == sim::ErrorCode::none && end.error == sim::ErrorCode::none) {
    compare(expected.memory);
  } else if (end.error != model.error || end.descriptor != model.descriptor ||
             static_cast<std::int64_t>(end.job) != expected.counts.jobs) {
    throw std::runtime_error(fmt::format(
        "other operands: error {} of job {}, descriptor {} expected; error {} of job {}, "
        "descriptor {}",
        static_cast<int>(model.error), expected.counts.jobs, model.descriptor,
        static_cast<int>(end.error), end.job, end.descriptor));
  }
  return end.error == sim::ErrorCode::packed;
}

bool LayerRun::run_and_reset(std::uint64_t clocks, bool dead) {
  put(before_);
  port_->stop_at(port_->clocks() + clocks);
  bool stopped = false;
  try {
    driver_->run(plan_.jobs, list_);
  } catch (const RtlPort::Stopped&) {
    stopped = true;
  }
  port_->stop_at(0);
  if (dead) outlive_bus();
  driver_.emplace(*port_, plan_.geometry);
  driver_->set_window({before_.base, list_.end});
  check_ports();
  return stopped;
}

/// A soft reset that only a time-out ends, and what a host does then, but for the last soft reset.
void LayerRun::outlive_bus() {
  port_->kill_bus();
  port_->write_register(at::stop_timeout, 100);
  driver_.emplace(*port_, plan_.geometry);
  port_->renew_bus();
  port_->write_register(at::status, 1U << at::status_timed_out.bit);
  port_->write_register(at::stop_timeout, 0);
}

void LayerRun::put(const sim::MemoryImage& memory) {
  port_->write_memory(memory.base, memory.bytes.data(), memory.bytes.size());
  const std::uint64_t result =
      before_.base + static_cast<std::uint64_t>(plan_.result_bytes() - plan_.memory.bytes.data());
  const auto size = static_cast<std::uint64_t>(plan_.operation.result_layout().bytes());
  port_->memory().clear_watch();
  port_->memory().watch_read(before_.base, list_.end);
  port_->memory().watch_written(result, result + size);
}

void LayerRun::check_ports() const {
  if (const std::string fault = port_->fault(); !fault.empty()) throw std::runtime_error(fault);
}

LayerRun::Counters LayerRun::counters() {
  Counters result{};
  const unsigned offsets[] = {at::bytes_read_low,        at::bytes_written_low,
                              at::results_low,           at::zero_results_low,
                              at::nonfinite_results_low, at::cycles_stepped_low};
  std::transform(std::begin(offsets), std::end(offsets), result.begin(),
                 [&](unsigned offset) { return driver_->read_wide(offset); });
  return result;
}

/// Of a job that was stopped, too, bytes are counted that were written, and no others.
void LayerRun::check_written(std::uint64_t counted, std::uint64_t written) {
  counted = driver_->read_wide(at::bytes_written_low) - counted;
  written = port_->memory().bytes_written() - written;
  if (counted == written) return;
  throw std::runtime_error(fmt::format("{} bytes written are counted as {}", written, counted));
}

/// What the functional model has counted; tiles step together, or one by one.
void LayerRun::check_counters(const Counters& before) {
  const std::vector<std::int64_t>& steps = plan_.compute_counts.tile_cycles;
  const std::int64_t sum = std::accumulate(steps.begin(), steps.end(), std::int64_t{0});
  const sim::ModelCounts& model = plan_.counts;
  const std::int64_t least[] = {model.bytes_fetched + model.bytes_loaded,
                                model.bytes_stored,
                                model.results,
                                model.zeros,
                                plan_.compute_counts.nonfinite,
                                *std::max_element(steps.begin(), steps.end())};
  const Counters after = counters();
  for (std::size_t i = 0; i < after.size(); ++i) {
    const auto got = static_cast<std::int64_t>(after[i] - before[i]);
    const std::int64_t most = i + 1 == after.size() ? sum : least[i];
    if (got >= least[i] && got <= most) continue;
    throw std::runtime_error(fmt::format("counter {}: {}, not {}..{}", i, got, least[i], most));
  }
}

void LayerRun::compare(const sim::MemoryImage& expected) {
  std::vector<std::uint8_t> got(before_.bytes.size());
  port_->read_memory(before_.base, got.data(), got.size());
  for (std::size_t i = 0; i < got.size(); ++i) {
    if (got[i] == expected.bytes[i]) continue;
    throw std::runtime_error(fmt::format("byte 0x{:x} is 0x{:02x}, not 0x{:02x}", before_.base + i,
                                         got[i], expected.bytes[i]));
  }
}

}  // namespace td::verify
