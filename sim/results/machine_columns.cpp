// SPDX-License-Identifier: Apache-2.0
// The columns of the machine, from memory to memory, and those of energy.
#include <fmt/format.h>

#include <utility>

#include "base/support/hash.hpp"
#include "sim/results/columns.hpp"

namespace td::sim {

namespace {

using R = const OpResult&;
using M = const MachineUse&;
using C = const OperationCounts&;

/// Adds columns that the terminal does not show.
class HiddenColumns {
 public:
  explicit HiddenColumns(std::vector<Column>& all) : all_(all) {}

  void operator()(std::string name, std::function<Value(R)> value, std::string meaning) const {
    all_.push_back(
        quantity(std::move(name), "", Style::count, std::move(value), std::move(meaning)));
  }

  /// Of the machine: nothing where there is none.
  void machine(std::string name, std::function<Value(M)> value, std::string meaning) const {
    (*this)(
        std::move(name),
        [value = std::move(value)](R r) { return r.machine ? value(*r.machine) : Value(); },
        std::move(meaning));
  }

 private:
  std::vector<Column>& all_;
};

/// A kind of hardware with clocks of its own.
struct Hardware {
  const char* prefix;  ///< of names
  const char* text;
  OperationCounts MachineUse::*counts;
};

constexpr Hardware kHardware[] = {{"dense_", "dense tiles", &MachineUse::dense},
                                  {"", "TensorDash", &MachineUse::tensordash}};

void add_hardware(const HiddenColumns& columns, const Hardware& one) {
  const auto add = [&](const std::string& name, std::function<Value(C)> value,
                       const std::string& meaning) {
    columns.machine(
        one.prefix + name,
        [value = std::move(value), counts = one.counts](M m) { return value(m.*counts); },
        fmt::format("{} {}", meaning, one.text));
  };
  add(
      "memory_cycles", [](C c) { return c.clocks; },
      "clocks of its job, from memory to memory, as the Verilog takes them with a memory that "
      "never "
      "stalls: what comes early for the next operation and what leaves late of the one before is "
      "in "
      "them, with");
  add(
      "bound_cycles", [](C c) { return c.bound; },
      "the least that it takes by itself: steps of the slowest tile, operands once over the bus, "
      "results once, or both at the bandwidth of memory, whichever is most, with");
  add(
      "over_bound_ratio", [](C c) { return ratio(c.clocks, c.bound); },
      "memory cycles over that bound with");
  add(
      "slowest_tile_steps", [](C c) { return c.slowest_steps(); },
      "steps of the slowest tile with");
  add(
      "all_tiles_steps", [](C c) { return c.all_steps(); }, "steps of all tiles together with");
  add(
      "bus_read_cycles", [](C c) { return c.beats.read; }, "clocks in which the bus reads with");
  add(
      "bus_written_cycles", [](C c) { return c.beats.written; },
      "clocks in which the bus writes with");
  for (const ClockPart& part : kClockParts) {
    add(
        fmt::format("memory_{}_cycles", part.name), [part](C c) { return c.use.*part.clocks; },
        fmt::format("memory cycles that went to: {}, with", part.text));
  }
  const std::pair<const char*, MovedBytes LevelBytes::*> levels[] = {
      {"dram", &LevelBytes::off_chip},
      {"operand_memory", &LevelBytes::operands},
      {"scratchpad", &LevelBytes::scratchpads},
      {"result_memory", &LevelBytes::results}};
  for (const auto& [name, level] : levels) {
    add(
        fmt::format("{}_read_bytes", name), [l = level](C c) { return (c.levels.*l).read; },
        fmt::format("bytes read from {} with", name));
    add(
        fmt::format("{}_written_bytes", name), [l = level](C c) { return (c.levels.*l).written; },
        fmt::format("bytes written to {} with", name));
  }
}

/// Energy of a kind of hardware, by where it goes.
void add_energy(const HiddenColumns& add, const char* prefix, const char* text,
                Energy HardwareEnergy::*hardware) {
  constexpr std::pair<const char*, double Energy::*> kParts[] = {
      {"tiles", &Energy::compute_pJ},   {"scratchpad", &Energy::scratchpad_pJ},
      {"sram", &Energy::sram_pJ},       {"dram", &Energy::dram_pJ},
      {"leakage", &Energy::leakage_pJ}, {"surroundings", &Energy::surroundings_pJ}};
  for (const auto& [name, part] : kParts) {
    add.machine(
        fmt::format("{}{}_energy_pJ", prefix, name),
        [hardware, p = part](M m) { return m.energy.*hardware.*p; },
        fmt::format("energy of {} from memory to memory with {}", name, text));
  }
  add.machine(
      fmt::format("{}energy_pJ", prefix),
      [hardware](M m) { return (m.energy.*hardware).total_pJ(); },
      fmt::format("energy from memory to memory with {}", text));
}

void add_compute_energy(const HiddenColumns& add) {
  add(
      "dense_compute_energy_pJ", [](R r) { return r.energy.dense_pJ; },
      "energy of dense tiles that are always served");
  add(
      "zero_free_compute_energy_pJ", [](R r) { return r.zero_free.dense_pJ; },
      "the same of ones that do none of the work that was filled in");
  add(
      "zero_gated_compute_energy_pJ", [](R r) { return r.energy.zero_gated_pJ; },
      "energy of zero-gated dense tiles that are always served");
  add(
      "zero_free_zero_gated_compute_energy_pJ", [](R r) { return r.zero_free.zero_gated_pJ; },
      "the same of ones that do none of the work that was filled in");
  add(
      "compute_energy_pJ", [](R r) { return r.energy.tensordash_pJ; },
      "energy of TensorDash's tiles that are always served");
  add(
      "data_compute_efficiency_ratio", [](R r) { return r.data_energy().efficiency(); },
      "zero_free_compute_energy_pJ / compute_energy_pJ");
  add(
      "total_compute_efficiency_ratio", [](R r) { return r.energy.efficiency(); },
      "dense_compute_energy_pJ / compute_energy_pJ");
  add(
      "data_compute_efficiency_over_zero_gated_ratio",
      [](R r) { return r.data_energy().efficiency_over_zero_gated(); },
      "zero_free_zero_gated_compute_energy_pJ / compute_energy_pJ");
  add(
      "total_compute_efficiency_over_zero_gated_ratio",
      [](R r) { return r.energy.efficiency_over_zero_gated(); },
      "zero_gated_compute_energy_pJ / compute_energy_pJ");
  add(
      "ungated_cycles", [](R r) { return r.ungated_cycles; },
      "cycles with the sparse path on; cycles where it was");
  add(
      "ungated_compute_energy_pJ", [](R r) { return r.ungated_pJ; },
      "compute_energy_pJ with the sparse path on");
}

}  // namespace

void add_machine_columns(std::vector<Column>& all) {
  const auto add_plan = [&all](const char* name, std::uint64_t MachineUse::*plan,
                               const char* meaning) {
    all.push_back(fact(
        name, "", Style::text,
        [plan](R r) { return r.machine ? Value(hash_text((*r.machine).*plan)) : Value(); },
        meaning));
  };
  add_plan("dense_plan_hash", &MachineUse::dense_plan,
           "of the jobs of the plan with dense tiles; tdaccel, which carries it out, prints the "
           "same");
  add_plan("plan_hash", &MachineUse::tensordash_plan, "the same with TensorDash");
  all.push_back(fact(
      "plan_drops", "", Style::mark,
      [](R r) { return r.machine ? Value(r.machine->plan_drops) : Value(); },
      "whether TensorDash's plan drops pairs; where that does not pay, its sparse path is off"));
  const HiddenColumns add(all);
  for (const Hardware& one : kHardware) add_hardware(add, one);
  add.machine(
      "zero_free_memory_cycles", [](M m) { return m.zero_free_clocks; },
      "memory_cycles of TensorDash's plan, had the tensors no zeros");
  add.machine(
      "data_memory_speedup_ratio",
      [](M m) { return ratio(m.zero_free_clocks, m.tensordash.clocks); },
      "zero_free_memory_cycles / memory_cycles");
  add.machine(
      "total_memory_speedup_ratio", [](M m) { return ratio(m.dense.clocks, m.tensordash.clocks); },
      "dense_memory_cycles / memory_cycles: each with its own plan");
}

void add_energy_columns(std::vector<Column>& all) {
  const HiddenColumns add(all);
  add_compute_energy(add);
  add_energy(add, "dense_", "dense tiles", &HardwareEnergy::dense);
  add_energy(add, "zero_gated_", "zero-gated dense tiles", &HardwareEnergy::zero_gated);
  add_energy(add, "", "TensorDash", &HardwareEnergy::tensordash);
  add.machine(
      "total_system_efficiency_ratio", [](M m) { return m.energy.efficiency(); },
      "dense_energy_pJ / energy_pJ");
  add.machine(
      "total_system_efficiency_over_zero_gated_ratio",
      [](M m) { return m.energy.efficiency_over_zero_gated(); },
      "zero_gated_energy_pJ / energy_pJ");
}

}  // namespace td::sim
