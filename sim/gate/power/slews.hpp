// SPDX-License-Identifier: Apache-2.0
// Transition times from timing analysis.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

namespace td::gate {

/// Transition times at the input pins of gates, in ns. A module's figures serve all its instances.
class Slews {
 public:
  /// No pin has a figure of its own.
  explicit Slews(double fallback_ns) : fallback_ns_(fallback_ns) {}

  /// Lines "MODULE INSTANCE PIN SLEW_NS", each pin once; names are without blanks, and otherwise as
  /// in the netlist. A pin without a line has `fallback_ns`. Throws UserError.
  static Slews read(const std::string& path, double fallback_ns);

  double at(const std::string& module, const std::string& instance, const std::string& pin) const;

  double fallback_ns() const { return fallback_ns_; }

  struct PinSlew {
    std::string pin;
    double ns;
  };
  using PinSlews = std::vector<PinSlew>;

  /// The pins of an instance that have figures; nullptr: none.
  const PinSlews* find(const std::string& module, const std::string& instance) const;

 private:
  std::unordered_map<std::string, std::unordered_map<std::string, PinSlews>> modules_;
  double fallback_ns_;
};

}  // namespace td::gate
