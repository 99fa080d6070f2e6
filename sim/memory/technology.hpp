// SPDX-License-Identifier: Apache-2.0
// A technology: clock, sizes of the memories and what each access costs, every figure with its
// source.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "gen/configuration/format.hpp"

namespace td::sim {

/// One file of constraints/, which describes every figure beside its value. "Row" below is a row of
/// `lanes` operands.
struct Technology {
  std::string name;
  std::string hash;  ///< of the file's text: FNV-1a, 16 hexadecimal digits
  std::int64_t clock_MHz = 0;

  std::int64_t sram_banks = 0;  ///< in a tile, for each of the operands A and B and for the results
  std::int64_t sram_bank_bytes = 0;
  double sram_read_pJ_per_byte = 0;
  double sram_write_pJ_per_byte = 0;

  /// A line of a tile has as many scratchpad banks as the configuration's staging buffer is deep.
  std::int64_t scratchpad_bank_bytes = 0;
  double scratchpad_read_pJ_per_byte = 0;
  double scratchpad_write_pJ_per_byte = 0;

  std::int64_t transposer_count = 0;  ///< of the whole accelerator
  std::int64_t transposer_buffer_bytes = 0;
  double transposer_read_pJ_per_byte = 0;
  double transposer_write_pJ_per_byte = 0;

  std::int64_t dram_MT_per_s = 0;  ///< million transfers a second, per channel
  std::int64_t dram_channels = 0;
  std::int64_t dram_channel_bits = 0;
  std::int64_t dram_efficiency_percent = 0;  ///< of the peak bandwidth
  double dram_pJ_per_bit = 0;

  /// A multiplier of a dense tile, with its share of everything else in the tile, in one cycle.
  double fp32_mac_pJ = 0;
  double bf16_mac_pJ = 0;
  double fp16_mac_pJ = 0;

  /// The sparse path of an operation is gated off when a smaller share of zeros was counted in the
  /// previous step.
  double gating_zero_share = 0;

  /// Where each figure was published, by its path in the file: "sram.banks".
  std::map<std::string, std::string> sources;

  double mac_pJ(Format format) const;
};

/// Reads and checks a technology; `file` names the text in messages. Every figure is a table of its
/// `value` and its `source`. Throws UserError when one is missing, has no source or is out of its
/// range, and when the text has anything else.
Technology parse_technology(std::string_view text, const std::string& file);

/// Loads the file of that name, else the technology built in under that name. Throws UserError;
/// `option` is what the message calls the option.
Technology find_technology(const std::string& name, const std::string& option = "--technology");

}  // namespace td::sim
