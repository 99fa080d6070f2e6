// SPDX-License-Identifier: Apache-2.0
// What follows from a configuration: its text, its hashes, widths and the tile's latency.
#include <fmt/format.h>

#include <algorithm>

#include "base/configuration/config.hpp"
#include "base/configuration/parameters.hpp"
#include "base/support/hash.hpp"

namespace td {
namespace {

/// Bits of a number, none of zero; one less than `n` numbers has as many as a tree over n leaves
/// has levels.
int bits_of(int number) {
  int bits = 0;
  while ((number >> bits) != 0) ++bits;
  return bits;
}

template <class Wanted>
std::string text_of(const Config& config, const Wanted& wanted) {
  std::string text;
  std::string section;
  for (const Parameter& parameter : parameters()) {
    if (!parameter.applies(config) || !wanted(parameter)) continue;
    if (parameter.section != section) {
      section = parameter.section;
      text += fmt::format("\n[{}]\n", section);
    }
    text += fmt::format("{} = {}\n", parameter.key, parameter.value_text(config));
  }
  return text;
}

/// A parameter that is newer than stored hashes, and at its default.
bool is_absent(const Parameter& parameter, const Config& config) {
  return parameter.later && parameter.get(config) == parameter.get(Config{});
}

}  // namespace

std::string canonical_toml(const Config& config) {
  return text_of(config, [](const Parameter&) { return true; });
}

std::string tile_toml(const Config& config) {
  return text_of(config, [&](const Parameter& parameter) {
    return parameter.is_of_tile() && !is_absent(parameter, config);
  });
}

std::uint64_t config_hash(const Config& config) { return fnv1a(tile_toml(config)); }

std::string config_hash_text(const Config& config) { return hash_text(config_hash(config)); }

std::string accelerator_hash_text(const Config& config) {
  return hash_text(fnv1a(text_of(config, [&](const Parameter& parameter) {
    return !parameter.is_of_tile() && !is_absent(parameter, config);
  })));
}

int count_width(const Config& config) { return bits_of(config.depth); }

int output_width(const Config& config) { return stored_width(config.output); }

int output_latency(const Config& config) {
  // To the accumulators' adder, through it and into an accumulator, through the tree that merges
  // them, and into the output buffer.
  const int level = config.adder_registers + config.tree_registers;
  const int row = config.sum == Sum::fused
                      ? 2 * config.tree_registers + (config.adder_registers + 1) / 2
                      : bits_of(config.lanes - 1) * level;
  const int sum = config.scheduler_registers + config.interconnect_registers +
                  config.multiplier_registers + row + config.tree_registers;
  const int accumulate = std::min(config.accumulators, 4) - 1;
  return sum + accumulate + 1 + bits_of(config.accumulators - 1) * level + 1;
}

}  // namespace td
