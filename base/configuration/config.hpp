// SPDX-License-Identifier: Apache-2.0
// What is to be built: the configuration, read from TOML through the one table of parameters.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/configuration/format.hpp"
#include "base/configuration/pattern.hpp"

namespace td {

/// Which pairs may be dropped.
enum class Scheduling {
  one_sided,  ///< pairs whose side B is zero
  two_sided,  ///< pairs with a zero on either side; a single PE only
  dense,      ///< none: the baseline, without staging, scheduler or multiplexers
  zero_gated  ///< none: the baseline whose lanes rest at a zero of side B
};

/// How a PE adds the products of a step.
enum class Sum {
  tree,  ///< by a tree of adders, each of which rounds
  fused  ///< as integers with the accumulator, rounded once
};

/// What stands around the tiles: what decides about clocks and bytes. What an access costs is a
/// technology's.
struct Accelerator {
  std::int64_t tiles = 16;
  std::int64_t sram_banks = 4;  ///< in a tile, for each of the operands A and B and for the results
  std::int64_t sram_bank_bytes = 262144;
  /// A line of a tile has as many scratchpad banks as its staging buffer is deep.
  std::int64_t scratchpad_bank_bytes = 1024;
  std::int64_t fill_rows = 1;      ///< that come from an operand memory in a clock
  std::int64_t beat_rows = 1;      ///< of a beat of the bus
  std::int64_t unpack_rows = 0;    ///< of packed tensors, in a clock; 0: none can be read
  std::int64_t collect_words = 1;  ///< of its results that leave a tile in a clock
  std::int64_t outstanding = 64;   ///< bursts on the way, each direction
};

/// One design: a tile, and the accelerator that it stands in. Every member is described, with its
/// range, in parameters().
struct Config {
  std::string name;
  int lanes = 16;
  int rows = 4;
  int columns = 4;
  Scheduling scheduling = Scheduling::one_sided;
  int depth = 3;
  std::string pattern = "step_first";  ///< a named pattern, or "own"; empty when dense
  std::vector<Option> options;         ///< fitted to lanes and depth; empty when dense
  std::vector<Option> dropped;         ///< options of the named pattern that do not fit
  std::vector<Level> levels;           ///< of lanes; empty when dense
  Format format = Format::bf16;
  Format output = Format::fp32;
  Sum sum = Sum::tree;
  int accumulators = 1;
  int scheduler_registers = 0;     ///< 0 when dense
  int interconnect_registers = 1;  ///< likewise: the row registers hold the operands
  int multiplier_registers = 0;
  int adder_registers = 0;
  int tree_registers = 1;
  int counter_width = 32;
  int counter_wrap = 1;
  Accelerator accelerator;

  bool is_dense() const {
    return scheduling == Scheduling::dense || scheduling == Scheduling::zero_gated;
  }
};

/// Reads and checks a configuration. `file` names the text in messages. Throws UserError.
Config parse_config(std::string_view text, const std::string& file);

/// Reads and checks a configuration file. Throws UserError.
Config load_config(const std::string& path);

/// Every parameter, spelled out, in the order of the table: parses back to the same Config.
std::string canonical_toml(const Config& config);

/// What the tile's Verilog comes from: canonical_toml()'s name and `tile`, without Parameter::later
/// at its default. Parses back to the same tile in the default accelerator.
std::string tile_toml(const Config& config);

/// 64-bit FNV-1a of tile_toml(): identifies a tile in RTL, testbench
/// and reports.
std::uint64_t config_hash(const Config& config);

/// The hash as 16 hexadecimal digits.
std::string config_hash_text(const Config& config);

/// The same of the rest of canonical_toml(): the accelerator around the tile.
std::string accelerator_hash_text(const Config& config);

/// Width in bits of the counts on the row handshakes (0…depth).
int count_width(const Config& config);

/// Width in bits of one output.
int output_width(const Config& config);

/// Clocks from the step that completes an output to the clock in which the output is offered.
int output_latency(const Config& config);

}  // namespace td
