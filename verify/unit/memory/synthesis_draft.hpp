// SPDX-License-Identifier: Apache-2.0
// Synthesis results that are right, to be spoilt by tests.
#pragma once

#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "base/configuration/config.hpp"
#include "sim/memory/step_energy.hpp"
#include "verify/unit/trace/trace_draft.hpp"

namespace td::unit {

/// Parts that all differ, from `step` on.
inline nlohmann::json good_parts(double step) {
  nlohmann::json parts;
  for (const sim::StepPart& part : sim::kStepParts) parts[part.name] = step++;
  return parts;
}

inline nlohmann::json good_synthesis(const Config& config) {
  return {{"format", "tensordash-synthesis-4"},
          {"name", config.name},
          {"configuration", config_hash_text(config)},
          {"clock_MHz", 500},
          {"library", "osu018_stdcells"},
          {"corner", "typical"},
          {"trace", "plain.safetensors"},
          {"dense_step_pJ", 1200.25},
          {"components",
           {{"dense", good_parts(0.5)},
            {"sparse", good_parts(1.5)},
            {"gated", good_parts(1)},
            {"zero_gated", good_parts(0.75)}}}};
}

/// Writes the file; its path.
inline std::string write_synthesis(const Folder& folder, const nlohmann::json& text) {
  std::ofstream(folder.file("s.json")) << text;
  return folder.file("s.json");
}

}  // namespace td::unit
