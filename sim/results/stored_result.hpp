// SPDX-License-Identifier: Apache-2.0
// A result read back from its JSON file, as far as a comparison needs it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace td::sim {

/// Clocks for which an operation keeps a resource of the machine busy.
struct StoredBusy {
  std::int64_t slowest_tile_steps = 0;
  std::int64_t bus_read_cycles = 0;
  std::int64_t bus_written_cycles = 0;
};

/// What an operation takes from memory to memory.
struct StoredMachine {
  std::int64_t dense_memory_cycles = 0;
  std::int64_t zero_free_memory_cycles = 0;
  std::int64_t memory_cycles = 0;
  StoredBusy dense_busy;
  StoredBusy busy;
  double dense_energy_pJ = 0;
  double energy_pJ = 0;
};

struct StoredOperation {
  std::string snapshot;
  std::string layer;
  std::string op;
  std::int64_t dense_cycles = 0;
  std::int64_t zero_free_cycles = 0;
  std::int64_t cycles = 0;
  double dense_compute_energy_pJ = 0;
  double zero_free_compute_energy_pJ = 0;
  double compute_energy_pJ = 0;
  std::optional<StoredMachine> machine;    ///< none of compute alone
  std::int64_t first_tensor_elements = 0;  ///< 0 where the file does not say it
  std::int64_t second_tensor_elements = 0;
};

struct StoredResult {
  std::string file;
  /// What was run how: names of fields, as `configuration.depth_rows`, and their values as text.
  std::vector<std::pair<std::string, std::string>> facts;
  std::int64_t multipliers = 1;  ///< of the whole array
  std::vector<std::string> notes;
  std::vector<StoredOperation> operations;  ///< no two of the same snapshot, layer and op
};

/// Reads a file that result_json() made, or that claims to be one. Throws UserError naming file and
/// field when it is not: also when it has more than 256 MiB, more than 65536 operations, or counts
/// or energies so large that their sums could overflow.
StoredResult read_result(const std::string& path);

}  // namespace td::sim
