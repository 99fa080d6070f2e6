// SPDX-License-Identifier: Apache-2.0
// Files built into the programs, so that they run from anywhere.
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

/// The Verilog of hw/, e.g. `td1_skid`.
const std::vector<EmbeddedFile>& hardware();

/// The assertions of hw/ with what binds them, e.g. `td1_row_assert`; of modules that have any.
const std::vector<EmbeddedFile>& assertions();

/// Timing constraints of constraints/, e.g. `tile`.
const std::vector<EmbeddedFile>& constraints();

/// The configurations of gen/presets/, e.g. `paper_bf16`.
const std::vector<EmbeddedFile>& presets();

}  // namespace td
