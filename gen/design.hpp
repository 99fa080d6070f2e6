// SPDX-License-Identifier: Apache-2.0
// A whole design: every file that a configuration turns into.
#pragma once

#include <string>
#include <vector>

#include "gen/config.hpp"

namespace td {

struct EmittedFile {
  std::string name;
  std::string text;
};

/// The Verilog files in the order in which tools must read them. Same configuration, same bytes.
std::vector<EmittedFile> emit_verilog(const Config& config);

/// The Verilog files, and beside them NAME.f (file list), NAME.core (FuseSoC), NAME.json (manifest)
/// and NAME.toml (the configuration with every parameter spelled out).
std::vector<EmittedFile> emit_design(const Config& config);

}  // namespace td
