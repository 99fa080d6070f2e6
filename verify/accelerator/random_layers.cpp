// SPDX-License-Identifier: Apache-2.0
#include "verify/accelerator/random_layers.hpp"

#include <fmt/format.h>

#include <random>
#include <stdexcept>

#include "gen/base/error.hpp"
#include "verify/accelerator/job_runner.hpp"
#include "verify/unit/accelerator/operation_case.hpp"

namespace td::verify {
namespace {

/// Memory of some mood: latency, how many bursts, whether they come in order.
AxiMemorySettings settings_of(std::mt19937& random, const unit::OperationRun& plan, double stall) {
  AxiMemorySettings settings;
  settings.beat_bytes = static_cast<unsigned>(plan.geometry.row_bytes());
  settings.begin = plan.memory.base;
  settings.bytes = bytes_needed(plan.memory, plan.jobs);
  settings.latency = static_cast<unsigned>(unit::pick(random, 1, 40));
  settings.latency_spread = static_cast<unsigned>(unit::pick(random, 0, 20));
  settings.reads = static_cast<unsigned>(unit::pick(random, 1, 8));
  settings.writes = static_cast<unsigned>(unit::pick(random, 1, 8));
  settings.stall = stall;
  settings.reorder = true;
  settings.seed = random();
  return settings;
}

std::string first_difference(const sim::MemoryImage& got, const sim::MemoryImage& expected) {
  for (std::size_t i = 0; i < got.bytes.size(); ++i) {
    if (got.bytes[i] == expected.bytes[i]) continue;
    return fmt::format("byte 0x{:x} is 0x{:02x}, not 0x{:02x}", got.base + i, got.bytes[i],
                       expected.bytes[i]);
  }
  return "";
}

void run_one(const Config& config, AcceleratorModel& model, std::uint64_t seed, double stall,
             RandomLayersResult& result) {
  std::mt19937 random(static_cast<std::uint32_t>(seed));
  const unit::OperationCase what = unit::random_case(random, config);
  unit::OperationRun plan(what);
  sim::MemoryImage image = plan.memory;
  const auto begin = plan.memory.base + static_cast<std::uint64_t>(plan.result_bytes() -
                                                                   plan.memory.bytes.data());
  const auto size = static_cast<std::uint64_t>(plan.operation.result_layout().bytes());
  if (plan.run(config, 0).error != sim::ErrorCode::none) {
    throw std::runtime_error("the functional model finds an error in its own plan");
  }
  Host host(model, settings_of(random, plan, stall));
  host.reset();
  const JobsEnd end = run_jobs(host, image, plan.jobs, begin, begin + size);
  if (end.error != 0) {
    throw std::runtime_error(fmt::format("error {} at descriptor {}", end.error, end.descriptor));
  }
  if (const std::string text = first_difference(image, plan.memory); !text.empty()) {
    throw std::runtime_error(text);
  }
  ++result.run;
  result.bytes += image.bytes.size();
  result.clocks += end.clocks;
}

}  // namespace

RandomLayersResult run_random_layers(const Config& config, AcceleratorModel& model,
                                     const RandomLayers& what) {
  RandomLayersResult result;
  for (std::uint64_t i = what.first; i < what.first + what.count; ++i) {
    try {
      run_one(config, model, i, what.stall, result);
    } catch (const UserError&) {
      ++result.refused;
    } catch (const std::runtime_error& error) {
      throw std::runtime_error(fmt::format("random layer {}: {}", i, error.what()));
    }
  }
  return result;
}

}  // namespace td::verify
