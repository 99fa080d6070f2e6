// SPDX-License-Identifier: Apache-2.0
// How many zeros the operands of a network without a trace have, and how they lie: read from TOML.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/readers/document.hpp"
#include "sim/mapping/layer.hpp"

namespace td::sim {

/// The zeros of one operand of one layer; networks/README.md has the formulae.
struct ZeroLaw {
  double zeros = 0;   ///< expected share of zeros, 0..1
  double run = 1;     ///< mean number of neighbours along W, and along H, that share a draw
  double spread = 0;  ///< how far the channels' shares lie apart, 0..1

  /// Every element on its own.
  bool is_random() const { return run == 1 && spread == 0; }
};

/// What a table says of a law. The rest stays as it was.
struct ZeroChange {
  std::optional<double> zeros;
  std::optional<double> run;
  std::optional<double> spread;

  void apply(ZeroLaw& law) const;
};

/// What is said of some layers.
struct SparsityEntry {
  std::string pattern;     ///< of the layers' names, for fnmatch
  ZeroChange operands[3];  ///< by Operand
};

/// The zeros of all operands of all layers. The text's keys are described in networks/README.md.
struct Sparsity {
  Document document;
  std::optional<double> epoch;         ///< of a document with several
  ZeroChange operands[3];              ///< of all layers, by Operand
  ZeroChange input;                    ///< A where the layer needs no gradient of its input
  std::vector<SparsityEntry> entries;  ///< later ones win

  ZeroLaw law(const LayerInfo& layer, Operand operand) const;

  /// Throws UserError when an entry is for layers of which there is none.
  void check_names(const std::vector<LayerInfo>& layers) const;
};

/// Reads and checks a text. Throws UserError, one line naming file, field, value and what would be
/// legal.
/// `epoch` is between two of a file that says `epochs`, whose shares are interpolated; others take
/// none.
Sparsity parse_sparsity(const Document& document, std::optional<double> epoch = std::nullopt);

/// The same for a file, else for an embedded sparsity of that name (`half`).
Sparsity load_sparsity(const std::string& name, std::optional<double> epoch = std::nullopt);

}  // namespace td::sim
