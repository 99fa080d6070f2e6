// SPDX-License-Identifier: Apache-2.0
#include "sim/memory/chip_memories.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <vector>

#include "base/support/error.hpp"

namespace td::sim {

namespace {

/// Clocks times MHz, of a time in femtoseconds: whole numbers, so that what fits exactly does.
constexpr std::int64_t kFemtosecondsMHz = 1000000000;

std::int64_t femtoseconds(double nanoseconds) { return std::llround(nanoseconds * 1e6); }

/// That of the longest cycle time.
const MemoryKind& slowest_kind(const Technology& technology) {
  const auto& kinds = memory_kinds();
  return *std::max_element(
      kinds.begin(), kinds.end(), [&](const MemoryKind& a, const MemoryKind& b) {
        return (technology.*a.figures).cycle_ns < (technology.*b.figures).cycle_ns;
      });
}

/// The lines that have the value; where there is none, the message says which values there are.
template <class Value>
std::vector<MemoryLine> lines_with(const std::vector<MemoryLine>& lines, Value MemoryLine::*member,
                                   const Value& value, const std::string& file,
                                   const std::string& field, const std::string& where) {
  std::vector<MemoryLine> left;
  std::set<Value> known;
  for (const MemoryLine& line : lines) {
    known.insert(line.*member);
    if (line.*member == value) left.push_back(line);
  }
  if (left.empty()) {
    throw UserError(file, field, fmt::format("{}", value),
                    fmt::format("one of {} ({})", fmt::join(known, ", "), where));
  }
  return left;
}

}  // namespace

const std::array<MemoryKind, 2>& memory_kinds() {
  static const std::array<MemoryKind, 2> kinds = {{
      {"sram", &Technology::sram, "accelerator.sram.bank_bytes", &Accelerator::sram_bank_bytes,
       [](const Config& config) {
         return config.accelerator.tiles * 3 * config.accelerator.sram_banks;
       }},
      {"scratchpad", &Technology::scratchpad, "accelerator.scratchpad.bank_bytes",
       &Accelerator::scratchpad_bank_bytes,
       [](const Config& config) {
         return config.accelerator.tiles * (config.rows + config.columns) * config.depth;
       }},
  }};
  return kinds;
}

double of_all_memories(const Config& config, const Technology& technology,
                       double MemoryFigures::*figure) {
  double sum = 0;
  for (const MemoryKind& kind : memory_kinds()) {
    sum += static_cast<double>(kind.count(config)) * (technology.*kind.figures).*figure;
  }
  return sum;
}

void take_memories(const MemoryChoice& choice, const Config& config, const std::string& file,
                   Technology& technology) {
  std::vector<MemoryLine> lines = memory_table(choice.table, file);
  lines = lines_with(lines, &MemoryLine::node_nm, choice.node_nm, file, "memories.node_nm",
                     choice.table);
  lines = lines_with(lines, &MemoryLine::device, choice.device, file, "memories.device",
                     fmt::format("{}, {} nm", choice.table, choice.node_nm));
  lines = lines_with(lines, &MemoryLine::port_bits, choice.port_bits, file, "memories.port_bits",
                     fmt::format("{}, {} nm, {}", choice.table, choice.node_nm, choice.device));
  for (const MemoryKind& kind : memory_kinds()) {
    technology.*kind.figures =
        lines_with(lines, &MemoryLine::bytes, config.accelerator.*kind.bytes, config.name,
                   kind.size, fmt::format("{} in {}", choice.text(), file))
            .front()
            .figures;
  }
  technology.memories = choice;
}

std::int64_t fastest_MHz(const Technology& technology) {
  const double cycle_ns = (technology.*slowest_kind(technology).figures).cycle_ns;
  return cycle_ns > 0 ? kFemtosecondsMHz / femtoseconds(cycle_ns) : 0;
}

std::int64_t access_clocks(const MemoryFigures& memory, std::int64_t clock_MHz) {
  return (femtoseconds(memory.access_ns) * clock_MHz + kFemtosecondsMHz - 1) / kFemtosecondsMHz;
}

void check_cycle_times(const Technology& technology, const Config& config,
                       const std::string& file) {
  const MemoryKind& slowest = slowest_kind(technology);
  const double cycle_ns = (technology.*slowest.figures).cycle_ns;
  if (femtoseconds(cycle_ns) * technology.clock_MHz <= kFemtosecondsMHz) return;
  throw UserError(file, "clock.MHz", fmt::format("{}", technology.clock_MHz),
                  fmt::format("1..{}, since memories of {} = {} have a cycle time of {} ns",
                              fastest_MHz(technology), slowest.size,
                              config.accelerator.*slowest.bytes, cycle_ns));
}

}  // namespace td::sim
