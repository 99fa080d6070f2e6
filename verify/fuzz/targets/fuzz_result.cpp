// SPDX-License-Identifier: Apache-2.0
// Fuzz target: any bytes as a stored result, and its comparison with itself.
#include <initializer_list>
#include <sstream>
#include <string>

#include "sim/results/result_comparison.hpp"
#include "verify/fuzz/target.hpp"
#include "verify/fuzz/targets/memory_file.hpp"

namespace td::verify {

namespace {

using sim::StoredOperation;

void check_counts(std::initializer_list<std::int64_t> counts) {
  for (const std::int64_t count : counts) {
    must(count >= 0 && count <= std::int64_t{1} << 46, "counts are within limits");
  }
}

void check_energies(std::initializer_list<double> energies) {
  for (const double energy : energies) {
    must(energy >= 0 && energy <= 1e30, "energies are within limits");
  }
}

void check_busy(const sim::StoredBusy& busy) {
  check_counts({busy.slowest_tile_steps, busy.bus_read_cycles, busy.bus_written_cycles});
}

void check_machine(const sim::StoredMachine& machine) {
  check_counts(
      {machine.dense_memory_cycles, machine.zero_free_memory_cycles, machine.memory_cycles});
  check_busy(machine.dense_busy);
  check_busy(machine.busy);
  check_energies({machine.dense_energy_pJ, machine.energy_pJ});
}

void check_operation(const StoredOperation& operation, bool has_machine) {
  check_printable(operation.snapshot, "a snapshot");
  check_printable(operation.layer, "a layer");
  must(operation.op == "fwd" || operation.op == "dgrad" || operation.op == "wgrad", "ops are ours");
  check_counts({operation.dense_cycles, operation.zero_free_cycles, operation.cycles,
                operation.first_tensor_elements, operation.second_tensor_elements});
  check_energies({operation.dense_compute_energy_pJ, operation.zero_free_compute_energy_pJ,
                  operation.compute_energy_pJ});
  must(operation.machine.has_value() == has_machine, "all operations have the machine, or none");
  if (operation.machine) check_machine(*operation.machine);
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
  const bool has_machine = result.operations.front().machine.has_value();
  for (const StoredOperation& operation : result.operations) {
    check_operation(operation, has_machine);
  }
  check_lines(sim::comparison_text(result, result));
  sim::StoredResult other = result;
  other.facts.front().second = "another";
  other.notes.clear();
  for (StoredOperation& operation : other.operations) operation.machine.reset();
  other.operations.resize((other.operations.size() + 1) / 2);
  check_lines(sim::comparison_text(result, other));
}

}  // namespace

}  // namespace td::verify

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const td::verify::MemoryFile file(data, size);
  return td::verify::judge([&] { td::verify::check(file.path()); });
}
