// SPDX-License-Identifier: Apache-2.0
// Area and energies of a tile, estimated from what scripts/ppa --fit measured by synthesis.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/configuration/config.hpp"
#include "sim/memory/step_energy.hpp"

namespace td {

class JsonValue;
struct Parameter;

namespace sim {

/// A fit, as those of constraints/fit: JSON that scripts/ppa --fit writes. Blocks' areas are
/// sums of products of a configuration's sizes, and so is what each part of a step takes.
class TileFit {
 public:
  /// `file` names the text in messages. Throws UserError when it is not of this form.
  TileFit(const std::string& text, const std::string& file);

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

  /// Whether there are energies, which are measured where --energies asks for them.
  bool has_energies() const { return energies_.has_value(); }

  /// As misfit(), for energies, whose fit is over fewer tiles.
  std::optional<Misfit> energy_misfit(const Config& config, std::size_t options) const;

  /// Of the tile and its dense counterpart; the tile must be no misfit of energies. The zero-gated
  /// tile, and the tile with its sparse path off, were not measured: they are as the dense one.
  StepEnergy energy(const Config& config) const;

  /// As error_percent(), of the energies of a trace.
  double energy_error_percent() const { return energies_->error_percent; }

  /// Of the file's text: what depends on the fit is kept by it.
  const std::string& digest() const { return digest_; }

  /// Library, corner, clock and whose registers, for people.
  const std::string& source() const { return source_; }

 private:
  using Terms = std::map<std::string, double>;  ///< product -> what it is multiplied by

  struct Block {
    std::string format;  ///< "all", or of the operands
    Terms um2;
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

  using Sizes = std::map<std::string, Range>;  ///< by the word of products

  struct Energies {
    Sizes sizes;
    std::string format;  ///< of the operands
    StepParts dense_pJ;
    std::vector<Terms> sparse_pJ;  ///< in the order of kStepParts
    double error_percent = 0;
  };

  static std::optional<Misfit> misfit_of(const Sizes& sizes, const std::set<std::string>& formats,
                                         const Config& config, std::size_t options);
  static Sizes read_sizes(const JsonValue& object);
  void read_parameters(const JsonValue& object);
  void read_blocks(const JsonValue& array);
  void read_energies(const JsonValue& object);
  std::optional<Misfit> common_misfit(const Config& config) const;

  std::vector<Common> common_;
  Sizes sizes_;
  std::vector<Block> blocks_;
  std::set<std::string> formats_;
  double error_percent_ = 0;
  std::optional<Energies> energies_;
  std::string digest_;
  std::string source_;
};

}  // namespace sim
}  // namespace td
