// SPDX-License-Identifier: Apache-2.0
// Emits the manifest: what a design is, for programs to read.
#pragma once

#include <string>
#include <vector>

#include "gen/design/design.hpp"

namespace td {

/// JSON: every parameter, the pattern and its levels, what was dropped from it, the ports in
/// order, the latency in clocks, the Verilog files and the configuration hash.
std::string emit_manifest(const Config& config, const std::vector<OutputFile>& verilog,
                          const std::vector<OutputFile>& assertions);

}  // namespace td
