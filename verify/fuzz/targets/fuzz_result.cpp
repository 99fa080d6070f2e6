// SPDX-License-Identifier: Apache-2.0
// Fuzz target: any bytes as a stored result, and its comparison with itself.
#include <sstream>
#include <string>

#include "sim/results/result_comparison.hpp"
#include "verify/fuzz/target.hpp"
#include "verify/fuzz/targets/memory_file.hpp"

namespace td::verify {

namespace {

using sim::StoredOperation;

void check_operation(const StoredOperation& operation) {
  check_printable(operation.snapshot, "a snapshot");
  check_printable(operation.layer, "a layer");
  must(operation.op == "fwd" || operation.op == "dgrad" || operation.op == "wgrad", "ops are ours");
  for (const std::int64_t cycles : {operation.dense_cycles, operation.cycles,
                                    operation.dense_memory_cycles, operation.memory_cycles}) {
    must(cycles >= 0 && cycles <= std::int64_t{1} << 46, "counts are within limits");
  }
  must(operation.dense_energy_pJ >= 0 && operation.energy_pJ >= 0, "energies are not negative");
}

void check_lines(const std::string& text) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);)
    check_printable(line, "a line of a comparison");
}

void check(const std::string& path) {
  sim::StoredResult result = sim::read_result(path);
  must(!result.facts.empty() && !result.operations.empty(), "a result has facts and operations");
  for (const auto& [name, value] : result.facts) check_printable(value, name);
  for (const StoredOperation& operation : result.operations) check_operation(operation);
  check_lines(sim::comparison_text(result, result));
  sim::StoredResult other = result;
  other.facts.front().second = "another";
  other.notes.clear();
  other.operations.resize((other.operations.size() + 1) / 2);
  check_lines(sim::comparison_text(result, other));
}

}  // namespace

}  // namespace td::verify

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const td::verify::MemoryFile file(data, size);
  return td::verify::judge([&] { td::verify::check(file.path()); });
}
