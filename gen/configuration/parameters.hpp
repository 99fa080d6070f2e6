// SPDX-License-Identifier: Apache-2.0
// The table of parameters: the single source of names, ranges, units, defaults and descriptions.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "gen/configuration/config.hpp"

namespace td {

enum class ParameterKind { integer, choice, boolean, name, pattern, levels };

/// One parameter of the configuration. The reader, its messages, `tdgen --explain`, the manifest
/// and the README's table all come from this.
struct Parameter {
  std::string section;  ///< TOML table; empty for the top level
  std::string key;
  ParameterKind kind;
  int minimum = 0;                   ///< integers only
  int maximum = 0;                   ///< integers only
  std::vector<std::string> choices;  ///< choices only; the value is the index
  std::string unit;                  ///< of integers; may be empty
  std::string text;
  std::function<int(const Config&)> get;       ///< integers, choices, booleans
  std::function<void(Config&, int)> set;       ///< integers, choices, booleans
  std::function<bool(const Config&)> applies;  ///< false: the parameter must not be given

  std::string path() const { return section.empty() ? key : section + "." + key; }
  /// What values are legal, for messages and help.
  std::string legal() const;
  /// The value in `config` as TOML writes it.
  std::string value_text(const Config& config) const;
};

/// Every parameter, in the order in which they are documented and hashed.
const std::vector<Parameter>& parameters();

/// The parameter of that path, or nullptr.
const Parameter* find_parameter(std::string_view path);

}  // namespace td
