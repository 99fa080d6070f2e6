// SPDX-License-Identifier: Apache-2.0
// Synthesis results that are right, to be spoilt by tests.
#pragma once

#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "gen/configuration/config.hpp"
#include "verify/unit/trace/trace_draft.hpp"

namespace td::unit {

inline nlohmann::json good_synthesis(const Config& config) {
  return {{"format", "tensordash-synthesis-2"},
          {"name", config.name},
          {"configuration", config_hash_text(config)},
          {"clock_MHz", 500},
          {"library", "osu018_stdcells"},
          {"corner", "typical"},
          {"trace", "plain.safetensors"},
          {"energy_pJ_per_cycle", {{"dense", 1200.25}, {"tile", 1234.5}}}};
}

/// Writes the file; its path.
inline std::string write_synthesis(const Folder& folder, const nlohmann::json& text) {
  std::ofstream(folder.file("s.json")) << text;
  return folder.file("s.json");
}

}  // namespace td::unit
