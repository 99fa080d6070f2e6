// SPDX-License-Identifier: Apache-2.0
// A whole design: every file that a configuration turns into.
#pragma once

#include <string>
#include <vector>

#include "base/configuration/config.hpp"
#include "base/support/output.hpp"

namespace td {

/// The Verilog files, one module each: those of hw/ as they are, and the top, which is the last.
/// Same configuration, same bytes.
std::vector<OutputFile> emit_verilog(const Config& config);

/// The SystemVerilog files that bind assertions to modules of the design, for users who want them.
std::vector<OutputFile> emit_assertions(const Config& config);

/// The Verilog files and the assertions, and beside them NAME.f and NAME_assert.f (file lists of
/// the two, with the paths that the files will have in `folder`, so that tools find them from
/// anywhere), NAME.core (FuseSoC), NAME.sdc (timing constraints), NAME.json (manifest) and
/// NAME.toml (the configuration with every parameter spelled out).
std::vector<OutputFile> emit_design(const Config& config, const std::string& folder);

/// The same of the accelerator, without a manifest. Throws UserError for a configuration that no
/// accelerator is built for.
std::vector<OutputFile> emit_accelerator_design(const Config& config, const std::string& folder);

}  // namespace td
