// SPDX-License-Identifier: Apache-2.0
#include "verify/accelerator/step_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <memory>
#include <stdexcept>

#include "base/configuration/geometry.hpp"
#include "base/support/progress.hpp"
#include "sim/accelerator/driver/training_step.hpp"
#include "sim/accelerator/registers.hpp"
#include "sim/masks/useful_macs.hpp"
#include "sim/trace/quantised_operands.hpp"
#include "verify/accelerator/rtl_port.hpp"

namespace td::verify {
namespace {

constexpr std::uint64_t kBase = 0x100000;
constexpr std::size_t kChunk = 4096;  // bytes that are compared at once

/// Where the memory does not stall, clocks are those of the timeline.
void check_clocks(const sim::StepCounts& counts, double stall, const std::string& name) {
  const auto clocks = static_cast<std::int64_t>(counts.clocks.busy);
  if (stall > 0 || clocks == counts.model.clocks) return;
  throw std::runtime_error(
      fmt::format("{}: {} clocks, not the timeline's {}", name, clocks, counts.model.clocks));
}

/// What the hardware counts on its bus must be what the model moves.
void check_bytes(const sim::StepCounts& counts, const std::string& name) {
  const sim::MovedBytes& model = counts.model.levels.off_chip;
  if (static_cast<std::int64_t>(counts.read) == model.read &&
      static_cast<std::int64_t>(counts.written) == model.written) {
    return;
  }
  throw std::runtime_error(fmt::format("{}: {} bytes read and {} written, not {} and {}", name,
                                       counts.read, counts.written, model.read, model.written));
}

void compare(sim::Port& got, sim::Port& expected, const sim::MemorySpan& memory) {
  std::vector<std::uint8_t> bytes[2];
  for (std::uint64_t at = memory.begin; at < memory.end; at += kChunk) {
    const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(kChunk, memory.end - at));
    for (std::vector<std::uint8_t>& part : bytes) part.resize(count);
    got.read_memory(at, bytes[0].data(), count);
    expected.read_memory(at, bytes[1].data(), count);
    if (bytes[0] == bytes[1]) continue;
    const auto where = std::mismatch(bytes[0].begin(), bytes[0].end(), bytes[1].begin());
    throw std::runtime_error(
        fmt::format("byte 0x{:x} is 0x{:02x}, not 0x{:02x}",
                    at + static_cast<std::uint64_t>(where.first - bytes[0].begin()), *where.first,
                    *where.second));
  }
}

/// The step in one mode on Verilog and functional model.
class ModeRun {
 public:
  ModeRun(const Config& config, AcceleratorModel& model, const sim::TrainingStep& step,
          const sim::StepRun& what)
      : step_(step),
        expected_(config, step, what.memory),
        rtl_(model, settings(geometry_of(config), what)),
        driver_(rtl_, geometry_of(config)),
        stall_(what.stall) {
    driver_.set_window(step.memory());
    step.write_operands(rtl_);
    rtl_.memory().watch_read(step.memory().begin, step.memory().end);
    for (const sim::StepOperation& operation : step.operations()) {
      const std::uint64_t begin = operation.placement.result;
      const auto bytes = static_cast<std::uint64_t>(operation.result.bytes());
      rtl_.memory().watch_written(begin, begin + bytes);
    }
  }

  sim::StepCounts run(const sim::StepOperation& operation, const std::string& name) {
    const sim::StepCounts before = counters();
    const std::clock_t begin = std::clock();
    sim::run_operation(step_, driver_, operation);
    const std::clock_t end = std::clock();
    sim::StepCounts counts = counters();
    counts.subtract(before);
    counts.cpu_seconds = static_cast<double>(end - begin) / CLOCKS_PER_SEC;
    counts.model = expected_.run(operation);
    check_bytes(counts, name);
    check_clocks(counts, stall_, name);
    return counts;
  }

  void finish() {
    if (const std::string fault = rtl_.fault(); !fault.empty()) throw std::runtime_error(fault);
    compare(rtl_, expected_.port(), step_.memory());
  }

 private:
  /// What the hardware has counted so far.
  sim::StepCounts counters() {
    namespace at = sim::registers;
    sim::StepCounts counts;
    counts.clocks = sim::read_clocks(driver_);
    counts.read = driver_.read_wide(at::bytes_read_low);
    counts.written = driver_.read_wide(at::bytes_written_low);
    return counts;
  }

  AxiMemorySettings settings(const Geometry& geometry, const sim::StepRun& what) const {
    AxiMemorySettings settings;
    settings.beat_bytes = static_cast<unsigned>(geometry.beat_bytes());
    settings.begin = step_.memory().begin;
    settings.bytes = step_.memory().end - step_.memory().begin;
    settings.set(what.memory);
    settings.stall = what.stall;
    return settings;
  }

  const sim::TrainingStep& step_;
  sim::StepModel expected_;
  RtlPort rtl_;
  sim::Driver driver_;
  double stall_;
};

}  // namespace

sim::StepRunResult run_step(const Config& config, AcceleratorModel& model, const sim::Trace& trace,
                            const sim::StepRun& what, bool progress) {
  sim::StepRunResult result;
  result.tiles = static_cast<std::uint64_t>(geometry_of(config).tiles);
  std::int64_t done = 0;
  const std::unique_ptr<sim::OperandSource> source = sim::operands_of(trace, config.format);
  for (std::size_t mode = 0; mode < 2; ++mode) {
    sim::StepOptions options;
    options.dense = mode == 0;
    options.wide = what.wide;
    options.packed = what.packed;
    options.base = kBase;
    options.aim = what.aim;
    options.memory = what.memory;
    const sim::TrainingStep step(config, trace, what.selection, options);
    const auto total = static_cast<std::int64_t>(2 * step.operations().size());
    Progress shown("operations", total, progress);
    result.lines.resize(step.operations().size());
    ModeRun run(config, model, step, what);
    for (std::size_t i = 0; i < step.operations().size(); ++i) {
      const sim::StepOperation& operation = step.operations()[i];
      sim::StepLine& line = result.lines[i];
      line.snapshot = operation.layer->snapshot;
      line.layer = operation.layer->name;
      line.op = to_string(operation.op);
      line.useful_macs = sim::useful_macs(*source, *operation.layer, operation.op, config.format);
      line.modes[mode] = run.run(operation, line.operation());
      line.plans[mode] = operation.plan_hash();
      line.drops = !operation.cut.options.dense;  // the last mode's, TensorDash's
      shown.show(++done);
    }
    run.finish();
    result.bytes += step.memory().end - step.memory().begin;
  }
  return result;
}

}  // namespace td::verify
