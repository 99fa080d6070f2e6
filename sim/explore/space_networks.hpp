// SPDX-License-Identifier: Apache-2.0
// The networks that a space is explored on: traces, and networks whose zeros are drawn.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/readers/toml_table.hpp"
#include "sim/trace/operand_source.hpp"

namespace td::sim {

/// What a network is there for.
enum class NetworkUse {
  tune,  ///< patterns are searched on it
  judge  ///< patterns are judged on it, and it has no say in the search
};

constexpr const char* to_string(NetworkUse use) {
  return use == NetworkUse::tune ? "tune" : "judge";
}

struct SpaceNetwork {
  std::string name;
  NetworkUse use = NetworkUse::tune;
  std::unique_ptr<Trace> trace;  ///< of `source`, where it is one's
  std::unique_ptr<OperandSource> source;
  std::unique_ptr<OperandSource> quantised;  ///< of a trace, where a cell is of fp8

  /// What a tile of this format gets.
  const OperandSource& operands(Format format) const {
    return format == Format::fp8 && quantised ? *quantised : *source;
  }
};

/// Reads `[[networks]]`: `trace`; or `network` and `sparsity`, as tdsim synth knows them, with
/// `batch` (default 4) and `seed` (default 1); and `use` (default "tune"). Throws UserError.
std::vector<SpaceNetwork> read_networks(const TomlTable& space);

}  // namespace td::sim
