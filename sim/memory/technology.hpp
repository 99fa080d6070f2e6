// SPDX-License-Identifier: Apache-2.0
// A technology: the clock and what each access costs, every figure with its source. Sizes are the
// configuration's.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "gen/configuration/format.hpp"

namespace td::sim {

/// One file of constraints/, which describes every figure beside its value.
struct Technology {
  std::string name;
  std::string hash;  ///< of the file's text: FNV-1a, 16 hexadecimal digits
  std::int64_t clock_MHz = 0;

  double sram_read_pJ_per_byte = 0;
  double sram_write_pJ_per_byte = 0;

  double scratchpad_read_pJ_per_byte = 0;
  double scratchpad_write_pJ_per_byte = 0;

  double transposer_read_pJ_per_byte = 0;
  double transposer_write_pJ_per_byte = 0;

  double dram_pJ_per_bit = 0;

  /// A multiplier of a dense tile, with its share of everything else in the tile, in one cycle; of
  /// each format.
  std::array<double, kFormatCount> format_mac_pJ{};

  /// Where each figure was published, by its path in the file: "sram.read_pJ_per_byte".
  std::map<std::string, std::string> sources;

  double mac_pJ(Format format) const { return format_mac_pJ[static_cast<std::size_t>(format)]; }
};

/// Reads and checks a technology; `file` names the text in messages. Every figure is a table of its
/// `value` and its `source`. Throws UserError when one is missing, has no source or is out of its
/// range, and when the text has anything else;
/// of a size, it says where that stands in a configuration.
Technology parse_technology(std::string_view text, const std::string& file);

/// Loads the file of that name, else the technology built in under that name. Throws UserError;
/// `option` is what the message calls the option.
Technology find_technology(const std::string& name, const std::string& option = "--technology");

}  // namespace td::sim
