// SPDX-License-Identifier: Apache-2.0
// What GTKWave shows of a wave: files beside it.
#pragma once

#include <string>
#include <string_view>

#include "base/configuration/config.hpp"

namespace td::verify {

/// The file beside a wave, `extension` in the place of its own.
std::string beside(const std::string& wave, std::string_view extension);

/// Writes a save file (.gtkw) and its tables beside a wave, from those that
/// verify/tile/wave_view.py wrote for the design into `folder`.
void write_view(const Config& config, const std::string& folder, const std::string& wave);

}  // namespace td::verify
