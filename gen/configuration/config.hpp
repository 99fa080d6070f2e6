// SPDX-License-Identifier: Apache-2.0
// What is to be built: the configuration, read from TOML through the one table of parameters.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "gen/configuration/format.hpp"
#include "gen/configuration/pattern.hpp"

namespace td {

/// Which pairs may be dropped.
enum class Scheduling {
  one_sided,  ///< pairs whose side B is zero
  two_sided,  ///< pairs with a zero on either side; a single PE only
  dense       ///< none: the baseline, without staging, scheduler or multiplexers
};

/// Format of the results.
enum class OutputFormat { fp32, bf16 };

/// One design. Every member is described, with its range, in parameters().
struct Config {
  std::string name;
  int lanes = 16;
  int rows = 4;
  int columns = 4;
  Scheduling scheduling = Scheduling::one_sided;
  int depth = 3;
  std::string pattern = "step_first";  ///< a named pattern, or "own"; empty when dense
  std::vector<Place> places;           ///< fitted to lanes and depth; empty when dense
  std::vector<Place> dropped;          ///< places of the named pattern that do not fit
  std::vector<Level> levels;           ///< of lanes; empty when dense
  Format format = Format::bf16;
  OutputFormat output = OutputFormat::fp32;
  int accumulators = 1;
  int interconnect_registers = 1;  ///< 0 when dense: the row registers hold the operands
  int multiplier_registers = 0;
  int adder_registers = 0;
  int tree_registers = 1;
  int counter_width = 32;
  int counter_wrap = 1;

  bool is_dense() const { return scheduling == Scheduling::dense; }
};

/// Reads and checks a configuration. `file` names the text in messages. Throws UserError.
Config parse_config(std::string_view text, const std::string& file);

/// Reads and checks a configuration file. Throws UserError.
Config load_config(const std::string& path);

/// Every parameter, spelled out, in the order of the table: parses back to the same Config.
std::string canonical_toml(const Config& config);

/// 64-bit FNV-1a of canonical_toml(): identifies a configuration in RTL, testbench and reports.
std::uint64_t config_hash(const Config& config);

/// The hash as 16 hexadecimal digits.
std::string config_hash_text(const Config& config);

/// Width in bits of the counts on the row handshakes (0…depth).
int count_width(const Config& config);

/// Width in bits of one output.
int output_width(const Config& config);

/// Clocks from the step that completes an output to the clock in which the output is offered.
int output_latency(const Config& config);

}  // namespace td
