// SPDX-License-Identifier: Apache-2.0
// Area of a tile, estimated from what scripts/ppa --fit measured by synthesis.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/configuration/config.hpp"

namespace td {

class JsonValue;
struct Parameter;

namespace sim {

/// A fit, as those of constraints/fit: JSON that scripts/ppa --fit writes. Blocks' areas are
/// sums of products of a configuration's sizes.
class AreaFit {
 public:
  /// `file` names the text in messages. Throws UserError when it is not of this form.
  AreaFit(const std::string& text, const std::string& file);

  /// A parameter in which a tile is none of those that were fitted.
  struct Misfit {
    std::string field;
    std::string value;
    std::string legal;
  };

  /// Nothing for a tile with the registers, sizes and all else of those that were fitted, and with
  /// so many options in its pattern.
  std::optional<Misfit> misfit(const Config& config, std::size_t options) const;

  /// Of the whole tile, which must be no misfit, in µm².
  double um2(const Config& config) const;

  /// The largest error of a whole tile that had been left out of the fit, in percent.
  double error_percent() const { return error_percent_; }

  /// Library, corner, clock and whose registers, for people.
  const std::string& source() const { return source_; }

 private:
  struct Block {
    std::string format;                   ///< "all", or of the operands
    std::map<std::string, double> terms;  ///< product -> µm²
  };

  /// What all tiles have in common.
  struct Common {
    const Parameter* parameter;
    std::string value;  ///< as TOML writes it
  };

  /// In what they differ.
  struct Range {
    std::string field;
    double least;
    double most;
  };

  void read_parameters(const JsonValue& object);
  void read_sizes(const JsonValue& object);
  void read_blocks(const JsonValue& array);

  std::vector<Common> common_;
  std::map<std::string, Range> sizes_;  ///< by the word of products
  std::vector<Block> blocks_;
  std::set<std::string> formats_;
  double error_percent_ = 0;
  std::string source_;
};

}  // namespace sim
}  // namespace td
