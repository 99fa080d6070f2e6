// SPDX-License-Identifier: Apache-2.0
// Files built into the programs, so that they run from anywhere: leaf cells and presets.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace td {

/// One file by its name without folder and extension.
struct EmbeddedFile {
  std::string_view name;
  std::string_view text;
};

/// The hand-written Verilog of hw/, e.g. `td_skid`.
const std::vector<EmbeddedFile>& leaf_cells();

/// The configurations of gen/presets/, e.g. `paper_bf16`.
const std::vector<EmbeddedFile>& presets();

}  // namespace td
