// SPDX-License-Identifier: Apache-2.0
// Fuzz target: any bytes as a technology, and what must hold for one that is accepted.
#include <cmath>
#include <string>
#include <string_view>

#include "base/configuration/preset.hpp"
#include "sim/memory/chip_memories.hpp"
#include "sim/memory/energy.hpp"
#include "sim/memory/technology.hpp"
#include "verify/fuzz/target.hpp"

namespace td::verify {

namespace {

void check(std::string_view text) {
  static const Config config = find_config("tiny");
  const sim::Technology technology = sim::parse_technology(text, kInputName, config);
  check_printable(technology.name, "the name of a technology");
  must(!technology.name.empty() && technology.hash.size() == 16, "it has a name and a hash");
  must(!technology.sources.empty(), "figures have sources");
  for (const auto& [path, source] : technology.sources) {
    check_printable(path, "the path of a figure");
    check_printable(source, "the source of " + path);
  }
  for (const double energy : technology.format_mac_pJ) {
    must(energy > 0, "a multiplier takes energy");
  }
  must(technology.clock_MHz > 0, "things move");
  for (const sim::MemoryKind& kind : sim::memory_kinds()) {
    const sim::MemoryFigures& memory = technology.*kind.figures;
    must(memory.read_pJ_per_byte > 0 && memory.write_pJ_per_byte > 0, "an access takes energy");
    must(memory.cycle_ns * static_cast<double>(technology.clock_MHz) <= 1000 + 1e-6,
         "an access in every clock");
  }
  const sim::ComputeEnergy energy = sim::stated_compute_energy(config, technology);
  must(energy.parts.dense_step_pJ > 0, "tiles take energy");
  must(energy.gating_zero_share >= 0 && energy.gating_zero_share <= 1, "a share is one");
  must(sim::sparse_path(energy, {0, 0}) == sim::SparsePath::on, "no count, no gating");
}

}  // namespace

}  // namespace td::verify

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return td::verify::judge([&] { td::verify::check(td::verify::text_of(data, size)); });
}
