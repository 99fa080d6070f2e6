// SPDX-License-Identifier: Apache-2.0
// Area of a tile, estimated from what scripts/ppa --fit measured by synthesis.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "gen/configuration/config.hpp"

namespace td::sim {

/// A fit, as those of constraints/fit: JSON that scripts/ppa --fit writes. Blocks' areas are
/// linear in the configuration's parameters, and a tile has so many of each.
class AreaFit {
 public:
  /// `file` names the text in messages. Throws UserError when it is not of this form.
  AreaFit(const std::string& text, const std::string& file);

  /// Whether the fit knows such tiles: its formats, one-sided, and sums by a tree.
  bool knows(const Config& config) const;

  /// Of the whole tile, in µm², with the default's pipeline registers and one partial accumulator.
  double um2(const Config& config) const;

  /// The largest error of a whole tile that had been left out of the fit, in percent.
  double error_percent() const { return error_percent_; }

  /// Library, corner and clock, for people.
  const std::string& source() const { return source_; }

 private:
  struct Block {
    std::string format;                   ///< "all", or of the operands
    std::string instances;                ///< a sum of products of parameters
    std::map<std::string, double> terms;  ///< product -> µm²
  };

  std::vector<Block> blocks_;
  double error_percent_ = 0;
  std::string source_;
};

}  // namespace td::sim
