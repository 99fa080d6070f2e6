// SPDX-License-Identifier: Apache-2.0
// The table of parameters: the single source of names, ranges, units, defaults and descriptions.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/configuration/config.hpp"

namespace td {

enum class ParameterKind { integer, choice, boolean, name, pattern, levels };

/// What a name is, as a regular expression of ECMAScript.
inline constexpr const char* kNamePattern = "^[a-z][a-z0-9_]{0,31}$";

/// One parameter of the configuration. The reader, its messages, `tdgen --explain`, the schema, the
/// manifest and docs/configuration.md all come from this.
struct Parameter {
  std::string section;  ///< path of its TOML table, "tile.numerics"; empty for the top level
  std::string key;
  ParameterKind kind;
  int minimum = 0;                   ///< integers only
  int maximum = 0;                   ///< integers only
  std::vector<std::string> choices;  ///< choices only; the value is the index
  std::string unit;                  ///< of integers; may be empty
  std::string text;
  std::function<int(const Config&)> get;  ///< integers, choices, booleans
  std::function<void(Config&, int)> set;  ///< integers, choices, booleans
  bool sparse_only = false;               ///< dense tiles have no such thing: must not be given
  bool later = false;  ///< newer than stored hashes: not in them where it is at its default
  std::string source;  ///< where the default was published; may be empty

  std::string path() const { return section.empty() ? key : section + "." + key; }
  bool applies(const Config& config) const { return !sparse_only || !config.is_dense(); }
  /// Whether the tile's Verilog depends on it.
  bool is_of_tile() const { return section.rfind("accelerator", 0) != 0; }
  /// What values are legal, for messages and help.
  std::string legal() const;
  /// The value in `config` as TOML writes it.
  std::string value_text(const Config& config) const;
};

/// Every parameter, in the order in which they are documented and hashed.
const std::vector<Parameter>& parameters();

/// The parameter of that path, or nullptr.
const Parameter* find_parameter(std::string_view path);

/// Whether parameters stand in the table of that path, or in tables of it.
bool is_section(std::string_view path);

}  // namespace td
