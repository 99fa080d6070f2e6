// SPDX-License-Identifier: Apache-2.0
#include "verify/accelerator/layers/random_layers.hpp"

#include <fmt/format.h>

#include <cmath>
#include <optional>
#include <random>
#include <stdexcept>
#include <utility>

#include "base/support/error.hpp"
#include "verify/accelerator/layers/layer_run.hpp"

namespace td::verify {
namespace {

constexpr unsigned kLatency = 20;  // of the memory in which layers are timed

/// Anywhere on the bus, but for its last addresses, which are beyond any window.
std::uint64_t random_base(std::mt19937& random) {
  return std::uniform_int_distribution<std::uint64_t>(1,
                                                      (std::uint64_t{1} << 28) - (1 << 16))(random)
         << 12;
}

/// Here and there an Inf or a NaN, of either sign.
void put_nonfinite(std::mt19937& random, unit::OperationCase& what) {
  for (const sim::Operand operand : {sim::Operand::A, sim::Operand::W, sim::Operand::GO}) {
    unit::Bits& bits = what.operands[static_cast<std::size_t>(operand)];
    for (int i = unit::pick(random, 0, 2); i > 0; --i) {
      const float magnitude = unit::pick(random, 0, 1) == 0 ? INFINITY : NAN;
      const float value = unit::pick(random, 0, 1) == 0 ? magnitude : -magnitude;
      const int last = static_cast<int>(bits.size()) - 1;
      bits[static_cast<std::size_t>(unit::pick(random, 0, last))] =
          unit::operand_bits(what.config.format, operand, value);
    }
  }
}

/// A memory of some mood: latency, how many bursts, out of order.
AxiMemorySettings moody(std::mt19937& random, double stall) {
  AxiMemorySettings settings;
  settings.latency = static_cast<unsigned>(unit::pick(random, 1, 40));
  settings.latency_spread = static_cast<unsigned>(unit::pick(random, 0, 20));
  settings.reads = static_cast<unsigned>(unit::pick(random, 1, 8));
  settings.writes = static_cast<unsigned>(unit::pick(random, 1, 8));
  settings.stall = stall;
  settings.reorder = true;
  settings.seed = random();
  return settings;
}

/// Once more, with a memory that never stalls but for its bandwidth, if it has one: it takes as
/// many clocks as the timeline counts.
void time_layer(const Config& config, unit::OperationRun plan, AcceleratorModel& model,
                std::int64_t bandwidth, RandomLayersResult& result) {
  AxiMemorySettings memory;
  memory.latency = kLatency;
  const std::int64_t beat = geometry_of(config).beat_bytes();
  if (bandwidth > 0) memory.bandwidth = static_cast<unsigned>(bandwidth * beat);
  LayerRun layer(config, std::move(plan), model, memory);
  const auto clocks = static_cast<std::int64_t>(layer.run().busy);
  if (clocks != layer.expected_clocks()) {
    throw std::runtime_error(fmt::format("{} clocks without stalls, not the timeline's {}", clocks,
                                         layer.expected_clocks()));
  }
  result.timed += clocks;
}

void run_one(const Config& config, AcceleratorModel& model, const RandomLayers& what,
             std::uint64_t seed, RandomLayersResult& result) {
  std::mt19937 random(static_cast<std::uint32_t>(seed));
  std::optional<unit::OperationRun> plan;
  try {
    unit::OperationCase drawn = unit::random_case(random, config);
    if (unit::pick(random, 0, 3) == 0) put_nonfinite(random, drawn);
    plan.emplace(drawn, random_base(random));
  } catch (const UserError&) {
    ++result.refused;
    return;
  }
  const bool packed = plan->is_packed();
  LayerRun layer(config, *plan, model, moody(random, what.stall));
  if (std::bernoulli_distribution(what.errors)(random)) {
    result.errors += layer.run_with_errors(0.05) ? 1U : 0U;
  }
  if (std::bernoulli_distribution(what.damage)(random)) {
    layer.run_damaged(random);
    ++result.damaged;
    if (packed) result.broken += layer.run_broken(random) ? 1U : 0U;
  }
  if (std::bernoulli_distribution(what.resets)(random)) {
    const auto clocks = static_cast<std::uint64_t>(unit::pick(random, 1, 3000));
    const bool dead = unit::pick(random, 0, 1) == 0;
    result.resets += layer.run_and_reset(clocks, dead) ? 1U : 0U;
  }
  layer.run();
  // Without a limit, and with one of thousandths of a beat in a clock.
  time_layer(config, *plan, model, 0, result);
  time_layer(config, std::move(*plan), model, unit::pick(random, 200, 1500), result);
  ++result.run;
  result.packed += packed ? 1U : 0U;
  result.bytes += layer.bytes();
  result.clocks += layer.clocks();
}

}  // namespace

RandomLayersResult run_random_layers(const Config& config, AcceleratorModel& model,
                                     const RandomLayers& what) {
  RandomLayersResult result;
  for (std::uint64_t i = what.first; i < what.first + what.count; ++i) {
    try {
      run_one(config, model, what, i, result);
    } catch (const std::runtime_error& error) {  // UserError, too: the driver refuses nothing here
      throw std::runtime_error(fmt::format("random layer {}: {}", i, error.what()));
    }
  }
  return result;
}

}  // namespace td::verify
