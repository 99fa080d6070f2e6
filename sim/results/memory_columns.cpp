// SPDX-License-Identifier: Apache-2.0
// The columns of memory and energy.
#include <fmt/format.h>

#include <tuple>
#include <utility>

#include "sim/results/columns.hpp"

namespace td::sim {

namespace {

using R = const OpResult&;

std::int64_t sram_read_bytes(const MemoryTraffic& traffic) {
  return (traffic.first.filled_rows + traffic.second.filled_rows) * traffic.row_bytes +
         traffic.output_rows * traffic.output_row_bytes;
}

std::int64_t sram_written_bytes(const MemoryTraffic& traffic) {
  return traffic.compressed.sram_written_rows * traffic.row_bytes +
         traffic.output_rows * traffic.output_row_bytes;
}

/// Adds columns that the terminal does not show.
class HiddenColumns {
 public:
  explicit HiddenColumns(std::vector<Column>& all) : all_(all) {}

  void operator()(std::string name, std::function<Value(R)> value, std::string meaning) const {
    all_.push_back(
        quantity(std::move(name), "", Style::count, std::move(value), std::move(meaning)));
  }

 private:
  std::vector<Column>& all_;
};

void add_on_chip(const HiddenColumns& add) {
  for (const auto& [name, side] :
       {std::pair("first", &MemoryTraffic::first), std::pair("second", &MemoryTraffic::second)}) {
    const auto of = fmt::format("scratchpads of the {} operand, all tiles together", name);
    add(
        fmt::format("{}_scratchpad_banks_read_rows", name),
        [s = side](R r) { return (r.traffic.*s).scratchpad_read_rows; },
        "operand rows read from each bank of the " + of);
    add(
        fmt::format("{}_scratchpad_written_rows", name),
        [s = side](R r) { return (r.traffic.*s).filled_rows; },
        "operand rows written into the " + of);
  }
  add(
      "sram_read_bytes", [](R r) { return sram_read_bytes(r.traffic); },
      "bytes read from the large memories");
  add(
      "sram_written_bytes", [](R r) { return sram_written_bytes(r.traffic); },
      "bytes written into the large memories");
  add(
      "transposed_blocks", [](R r) { return r.traffic.compressed.transposed_blocks; },
      "blocks of lanes x lanes elements that went through a transposer");
}

void add_off_chip(const HiddenColumns& add) {
  for (const auto& [name, of, traffic] :
       {std::tuple("dram_raw", "without compression", &MemoryTraffic::raw),
        std::tuple("dram", "zeros compressed", &MemoryTraffic::compressed)}) {
    add(
        fmt::format("{}_read_bytes", name),
        [t = traffic](R r) { return (r.traffic.*t).read_bytes; },
        fmt::format("bytes read from the DRAM, {}", of));
    add(
        fmt::format("{}_written_bytes", name),
        [t = traffic](R r) { return (r.traffic.*t).written_bytes; },
        fmt::format("bytes written to the DRAM, {}", of));
    add(
        fmt::format("{}_cycles", name), [t = traffic](R r) { return (r.traffic.*t).dram_cycles; },
        fmt::format("cycles that the DRAM takes for them, {}", of));
  }
  add(
      "transposer_cycles", [](R r) { return r.traffic.compressed.transposer_cycles; },
      "cycles that the transposers take");
}

void add_memory_cycles(const HiddenColumns& add) {
  add(
      "dense_raw_memory_cycles", [](R r) { return r.traffic.dense_raw_cycles; },
      "cycles of dense tiles with memory, nothing compressed: the slowest of tiles, transposers "
      "and DRAM");
  add(
      "dense_memory_cycles", [](R r) { return r.traffic.dense_cycles; },
      "the same, zeros compressed off the chip");
  add(
      "zero_free_memory_cycles", [](R r) { return r.zero_free.memory_cycles; },
      "the same of TensorDash, had its tensors no zeros but this traffic");
  add(
      "memory_cycles", [](R r) { return r.traffic.cycles; }, "the same of TensorDash");
  add(
      "data_memory_speedup_ratio",
      [](R r) { return ratio(r.zero_free.memory_cycles, r.traffic.cycles); },
      "zero_free_memory_cycles / memory_cycles");
  add(
      "total_memory_speedup_ratio",
      [](R r) { return ratio(r.traffic.dense_cycles, r.traffic.cycles); },
      "dense_memory_cycles / memory_cycles");
}

/// The efficiencies beside one kind of dense tile.
struct Beside {
  const char* suffix;  ///< of the ratios' names
  const char* energy;  ///< how names of its energy begin
  const char* data_energy;
  double (OpEnergy::*compute)() const;
  double (OpEnergy::*system)() const;
};

void add_efficiencies(const HiddenColumns& add, const Beside& one) {
  add(
      fmt::format("data_compute_efficiency{}_ratio", one.suffix),
      [one](R r) { return (r.data_energy().*one.compute)(); },
      fmt::format("{}_energy_pJ of compute alone / compute_energy_pJ", one.data_energy));
  add(
      fmt::format("total_compute_efficiency{}_ratio", one.suffix),
      [one](R r) { return (r.energy.*one.compute)(); },
      fmt::format("{}_compute_energy_pJ / compute_energy_pJ", one.energy));
  add(
      fmt::format("data_system_efficiency{}_ratio", one.suffix),
      [one](R r) { return (r.data_energy().*one.system)(); },
      fmt::format("{}_energy_pJ / energy_pJ", one.data_energy));
  add(
      fmt::format("total_system_efficiency{}_ratio", one.suffix),
      [one](R r) { return (r.energy.*one.system)(); },
      fmt::format("{}_energy_pJ / energy_pJ", one.energy));
}

}  // namespace

void add_memory_columns(std::vector<Column>& all) {
  const HiddenColumns add(all);
  add_on_chip(add);
  add_off_chip(add);
  add_memory_cycles(add);
}

void add_energy_columns(std::vector<Column>& all) {
  const HiddenColumns add(all);
  const std::tuple<const char*, const char*, double Energy::*> kinds[] = {
      {"compute", "compute", &Energy::compute_pJ},
      {"scratchpad", "scratchpad", &Energy::scratchpad_pJ},
      {"sram", "sram", &Energy::sram_pJ},
      {"transposer", "transposer", &Energy::transposer_pJ},
      {"dram", "dram", &Energy::dram_pJ},
      {"leakage", "the memories' leakage", &Energy::leakage_pJ}};
  for (const auto& [name, of, energy] : kinds) {
    add(
        fmt::format("dense_{}_energy_pJ", name), [e = energy](R r) { return r.energy.dense.*e; },
        fmt::format("energy of {} with dense tiles", of));
    add(
        fmt::format("{}_energy_pJ", name), [e = energy](R r) { return r.energy.tensordash.*e; },
        fmt::format("energy of {} with TensorDash", of));
  }
  add(
      "zero_gated_compute_energy_pJ", [](R r) { return r.energy.zero_gated.compute_pJ; },
      "energy of compute with zero-gated dense tiles; that of memory is the dense tiles'");
  add(
      "dense_energy_pJ", [](R r) { return r.energy.dense.total_pJ(); },
      "energy with dense tiles, memory included");
  add(
      "zero_free_energy_pJ", [](R r) { return r.zero_free.energy.total_pJ(); },
      "energy with dense tiles that do none of the work that was filled in, memory included");
  add(
      "zero_gated_energy_pJ", [](R r) { return r.energy.zero_gated.total_pJ(); },
      "energy with zero-gated dense tiles, memory included");
  add(
      "zero_free_zero_gated_energy_pJ", [](R r) { return r.data_energy().zero_gated.total_pJ(); },
      "the same with ones that do none of the work that was filled in");
  add(
      "energy_pJ", [](R r) { return r.energy.tensordash.total_pJ(); },
      "energy with TensorDash, memory included");
  add_efficiencies(
      add, {"", "dense", "zero_free", &OpEnergy::compute_efficiency, &OpEnergy::system_efficiency});
  add_efficiencies(add, {"_over_zero_gated", "zero_gated", "zero_free_zero_gated",
                         &OpEnergy::compute_efficiency_over_zero_gated,
                         &OpEnergy::system_efficiency_over_zero_gated});
  add(
      "ungated_cycles", [](R r) { return r.ungated_cycles; },
      "cycles with the sparse path on; cycles where it was");
  add(
      "ungated_energy_pJ", [](R r) { return r.ungated_energy_pJ; },
      "energy_pJ with the sparse path on");
}

}  // namespace td::sim
