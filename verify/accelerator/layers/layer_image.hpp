// SPDX-License-Identifier: Apache-2.0
// A random layer as files for a testbench in Verilog.
#pragma once

#include <cstdint>
#include <string>

#include "base/configuration/config.hpp"

namespace td::verify {

/// Writes before.hex and after.hex into the folder: `rows` rows of memory, one a line, with the
/// job's descriptors in it. Returns the plus-arguments that name the job. Throws UserError when the
/// layer takes more memory or more than one job.
std::string write_layer_image(const Config& config, std::uint64_t seed, std::uint64_t rows,
                              const std::string& folder);

}  // namespace td::verify
