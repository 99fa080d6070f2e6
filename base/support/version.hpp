// SPDX-License-Identifier: Apache-2.0
// Versions of what tdgen writes.
#pragma once

#include <string_view>

namespace td {

/// The version of the generator, which stands in everything that it writes.
inline constexpr std::string_view kGeneratorVersion = "0.2.0";

/// The form of a design's manifest; a change that its readers must know of makes another.
inline constexpr std::string_view kManifestFormat = "tensordash-design-3";

/// The generation of the Verilog in hw/, in front of every module's name there. Modules of one
/// generation do not depend on a configuration, so all designs of a chip share them; a change that
/// makes one incompatible needs a new generation.
inline constexpr std::string_view kGeneration = "td1";

}  // namespace td
