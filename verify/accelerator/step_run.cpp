// SPDX-License-Identifier: Apache-2.0
#include "verify/accelerator/step_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <stdexcept>

#include "gen/base/progress.hpp"
#include "gen/base/text_table.hpp"
#include "gen/configuration/geometry.hpp"
#include "sim/accelerator/driver/model_port.hpp"
#include "sim/accelerator/driver/training_step.hpp"
#include "sim/accelerator/energy/operation_energy.hpp"
#include "sim/accelerator/registers.hpp"
#include "sim/masks/useful_macs.hpp"
#include "sim/trace/operand_source.hpp"
#include "verify/accelerator/rtl_port.hpp"

namespace td::verify {
namespace {

constexpr std::uint64_t kBase = 0x100000;
constexpr std::size_t kChunk = 4096;  // bytes that are compared at once

StepCounts counters(sim::Driver& driver) {
  StepCounts counts;
  counts.clocks = driver.read_wide(sim::registers::cycles_busy_low);
  counts.stepped = driver.read_wide(sim::registers::cycles_stepped_low);
  counts.waited = driver.read_wide(sim::registers::cycles_waiting_low);
  counts.read = driver.read_wide(sim::registers::bytes_read_low);
  counts.written = driver.read_wide(sim::registers::bytes_written_low);
  return counts;
}

/// Of what the hardware counts.
StepCounts difference(StepCounts after, const StepCounts& before) {
  after.clocks -= before.clocks;
  after.stepped -= before.stepped;
  after.waited -= before.waited;
  after.read -= before.read;
  after.written -= before.written;
  return after;
}

void run_jobs(const sim::TrainingStep& step, sim::Driver& driver,
              const sim::StepOperation& operation, const std::string& name) {
  const sim::JobsEnd end = step.run(driver, operation);
  if (end.error == sim::ErrorCode::none) return;
  throw std::runtime_error(fmt::format("{}: error {} of job {}, descriptor {}", name,
                                       static_cast<int>(end.error), end.job, end.descriptor));
}

/// What the hardware counts on its bus must be what the model moves.
void check_bytes(const StepCounts& counts, const std::string& name) {
  const sim::MovedBytes& model = counts.levels.off_chip;
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
          const StepRun& what)
      : step_(step),
        image_{step.memory().begin,
               std::vector<std::uint8_t>(step.memory().end - step.memory().begin)},
        expected_(config, image_),
        rtl_(model, settings(geometry_of(config), what)),
        reference_(expected_, geometry_of(config)),
        driver_(rtl_, geometry_of(config)) {
    for (sim::Driver* driver : {&reference_, &driver_}) driver->set_window(step.memory());
    step.write_operands(expected_);
    step.write_operands(rtl_);
    rtl_.memory().watch_read(step.memory().begin, step.memory().end);
    for (const sim::StepOperation& operation : step.operations()) {
      const std::uint64_t begin = operation.placement.result;
      const auto bytes = static_cast<std::uint64_t>(operation.result.bytes());
      rtl_.memory().watch_written(begin, begin + bytes);
    }
  }

  StepCounts run(const sim::StepOperation& operation, const std::string& name) {
    const sim::FunctionalModel& model = expected_.model();
    const sim::ComputeCounts compute = model.compute_counts();
    const sim::LevelBytes levels = sim::level_bytes(model);
    run_jobs(step_, reference_, operation, name);
    const StepCounts before = counters(driver_);
    const std::clock_t begin = std::clock();
    run_jobs(step_, driver_, operation, name);
    const std::clock_t end = std::clock();
    StepCounts counts = difference(counters(driver_), before);
    counts.cpu_seconds = static_cast<double>(end - begin) / CLOCKS_PER_SEC;
    counts.tile_steps = model.compute_counts().tile_cycles;
    for (std::size_t t = 0; t < counts.tile_steps.size(); ++t) {
      counts.tile_steps[t] -= compute.tile_cycles[t];
    }
    counts.levels = sim::difference(sim::level_bytes(model), levels);
    counts.work = sim::tile_work(model.geometry(), model.compute_counts(), compute);
    check_bytes(counts, name);
    return counts;
  }

  void finish() {
    if (const std::string fault = rtl_.fault(); !fault.empty()) throw std::runtime_error(fault);
    compare(rtl_, expected_, step_.memory());
  }

 private:
  AxiMemorySettings settings(const Geometry& geometry, const StepRun& what) const {
    AxiMemorySettings settings;
    settings.beat_bytes = static_cast<unsigned>(geometry.row_bytes());
    settings.begin = step_.memory().begin;
    settings.bytes = step_.memory().end - step_.memory().begin;
    settings.latency = what.latency;
    settings.stall = what.stall;
    return settings;
  }

  const sim::TrainingStep& step_;
  sim::MemoryImage image_;
  sim::ModelPort expected_;
  RtlPort rtl_;
  sim::Driver reference_;
  sim::Driver driver_;
};

}  // namespace

void StepCounts::add(const StepCounts& other) {
  clocks += other.clocks;
  stepped += other.stepped;
  waited += other.waited;
  read += other.read;
  written += other.written;
  cpu_seconds += other.cpu_seconds;
  sim::add(levels, other.levels);
}

StepRunResult run_step(const Config& config, AcceleratorModel& model, const sim::Trace& trace,
                       const StepRun& what, bool progress) {
  StepRunResult result;
  std::int64_t done = 0;
  for (std::size_t mode = 0; mode < 2; ++mode) {
    sim::StepOptions options;
    options.dense = mode == 0;
    options.wide = what.wide;
    options.base = kBase;
    const sim::TrainingStep step(geometry_of(config), trace, what.selection, options);
    const auto total = static_cast<std::int64_t>(2 * step.operations().size());
    Progress shown("operations", total, progress);
    result.lines.resize(step.operations().size());
    ModeRun run(config, model, step, what);
    for (std::size_t i = 0; i < step.operations().size(); ++i) {
      const sim::StepOperation& operation = step.operations()[i];
      StepLine& line = result.lines[i];
      line.operation = fmt::format("{}/{}", path(*operation.layer), to_string(operation.op));
      line.useful_macs = sim::useful_macs(sim::TraceOperands(trace), *operation.layer, operation.op,
                                          config.format);
      line.modes[mode] = run.run(operation, line.operation);
      shown.show(++done);
    }
    run.finish();
    result.bytes += step.memory().end - step.memory().begin;
  }
  return result;
}

std::string step_table(const StepRunResult& result) {
  TextTable table;
  table.add_column("operation", TextTable::Align::left);
  for (const char* heading : {"dense clocks", "TensorDash", "speed-up", "steps", "TensorDash",
                              "speed-up", "waited", "TensorDash", "bytes read", "written"}) {
    table.add_column(heading, TextTable::Align::right);
  }
  StepLine total{"total", {}, 0};
  for (const StepLine& line : result.lines) {
    for (std::size_t mode = 0; mode < 2; ++mode) total.modes[mode].add(line.modes[mode]);
  }
  std::vector<StepLine> lines = result.lines;
  lines.push_back(total);
  for (const StepLine& line : lines) {
    const auto& [dense, sparse] = line.modes;
    const auto ratio = [](std::uint64_t a, std::uint64_t b) {
      return b == 0 ? "-" : fmt::format("{:.2f}", static_cast<double>(a) / static_cast<double>(b));
    };
    table.add_row({line.operation, fmt::format("{}", dense.clocks),
                   fmt::format("{}", sparse.clocks), ratio(dense.clocks, sparse.clocks),
                   fmt::format("{}", dense.stepped), fmt::format("{}", sparse.stepped),
                   ratio(dense.stepped, sparse.stepped), fmt::format("{}", dense.waited),
                   fmt::format("{}", sparse.waited), fmt::format("{}", sparse.read),
                   fmt::format("{}", sparse.written)});
  }
  return table.text();
}

}  // namespace td::verify
