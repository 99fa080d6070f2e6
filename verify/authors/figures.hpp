// SPDX-License-Identifier: Apache-2.0
// The figures that the authors' simulator gave, from a CSV file.
#pragma once

#include <string>
#include <vector>

#include "verify/authors/model/layer.hpp"

namespace td::authors {

/// One line: what, and what it cost.
struct Figure {
  std::string trace;  ///< without `.safetensors`
  std::string snapshot;
  std::string layer;
  sim::Op op = sim::Op::fwd;
  Tile tile;
  Cost cost;
};

/// Throws UserError, naming the line, when a field is not what it should be.
std::vector<Figure> read_figures(const std::string& path);

/// `synthetic/sp50/conv3x3 fwd 4x4`.
std::string name_of(const Figure& figure);

/// `A`, `GO`, or `A+GO` where images differ, as the file writes them.
std::string scheduled_text(sim::Op op, const Cost& cost);

}  // namespace td::authors
