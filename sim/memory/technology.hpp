// SPDX-License-Identifier: Apache-2.0
// A technology: the clock and what each access costs, every figure with its source. Sizes are the
// configuration's; memories of these sizes may come from a table.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "base/configuration/config.hpp"
#include "base/configuration/format.hpp"
#include "sim/memory/memory_table.hpp"

namespace td::sim {

inline constexpr std::int64_t kMostClockMHz = 5000;

/// One file of constraints/, which describes every figure beside its value.
struct Technology {
  std::string name;
  std::string hash;  ///< of the file's text: FNV-1a, 16 hexadecimal digits
  std::int64_t clock_MHz = 0;

  MemoryFigures sram;        ///< of a bank
  MemoryFigures scratchpad;  ///< of a bank
  /// Where these come from, if not from the file itself.
  std::optional<MemoryChoice> memories;

  double dram_pJ_per_bit = 0;

  /// A multiplier of a dense tile, with its share of everything else in the tile, in one cycle; of
  /// each format.
  std::array<double, kFormatCount> format_mac_pJ{};

  /// Where each figure was published, by its path in the file: "sram.read_pJ_per_byte".
  std::map<std::string, std::string> sources;

  double mac_pJ(Format format) const { return format_mac_pJ[static_cast<std::size_t>(format)]; }
};

/// What a command line says in place of a technology's file.
struct TechnologyChanges {
  std::string memories;                   ///< NODE/DEVICE/PORT of its table; empty: the file's
  std::optional<std::int64_t> clock_MHz;  ///< within clock.MHz's range
};

/// Reads and checks a technology; `file` names the text in messages. Every figure is a table of its
/// `value` and its `source`; in place of those of the memories, `[memories]` may name a table, of
/// which the lines are taken that have the configuration's sizes. Throws UserError when one is
/// missing, has no source or is out of its range, when a memory's cycle is longer than the clock's,
/// and when the text has anything else; of a size, it says where that stands in a configuration.
Technology parse_technology(std::string_view text, const std::string& file, const Config& config,
                            const TechnologyChanges& changes = {});

/// Loads the file of that name, else the technology built in under that name. Throws UserError.
Technology find_technology(const std::string& name, const Config& config,
                           const TechnologyChanges& changes = {});

}  // namespace td::sim
