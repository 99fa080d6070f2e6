// SPDX-License-Identifier: Apache-2.0
// Results of synthesis that the energy model takes: what a tile spends in a cycle.
#pragma once

#include <string>
#include <vector>

#include "base/configuration/config.hpp"
#include "sim/memory/step_energy.hpp"

namespace td::sim {

/// The tile of one configuration, synthesised, and those of the same configuration with dense and
/// with zero-gated scheduling; all work on the same operands, in the same cells, at the same clock.
/// The file is JSON:
///
///   {
///     "format": "tensordash-synthesis-4",
///     "name": "paper_bf16",
///     "configuration": "40a1a42ccb7154c8",
///     "clock_MHz": 150.5,
///     "library": "osu018_stdcells",
///     "corner": "typical, 1.8 V, 25 C",
///     "trace": "plain, resnet",
///     "dense_step_pJ": 1200.0,
///     "components": {
///       "dense": {"step": 0.3, "row": 0, "choice": 0, "pair": 0.1, "sum": 0.6, "output": 0},
///       "sparse": {...},
///       "gated": {...},
///       "zero_gated": {...}
///     }
///   }
///
/// `configuration` is config_hash_text() of the configuration, which is called `name`. Energies are
/// those of a whole tile (rows x columns PEs, with everything in front of them), leakage included;
/// components are StepEnergy's. Other members are ignored. Members here are the file's.
struct Synthesis {
  std::string name;
  std::string configuration;
  double clock_MHz = 0;
  std::string library;
  std::string corner;
  std::string trace;
  StepEnergy parts;

  /// Whether the configuration is the synthesised one; it may have another name.
  bool is_of(const Config& config) const;
};

/// Reads results; `file` names the text in messages. Throws UserError when it is not of this form
/// or has a figure out of its range.
Synthesis parse_synthesis(const std::string& text, const std::string& file);

/// Reads the results for this configuration. Throws UserError as parse_synthesis, and when the file
/// cannot be read, is of another configuration, or tells the tile of a configuration that drops
/// nothing from a dense tile: such a tile has one way of working, the file's.
Synthesis load_synthesis(const std::string& path, const Config& config);

/// The results of constraints/synthesis/, measured by scripts/ppa.
const std::vector<Synthesis>& built_in_syntheses();

/// The built-in results that a configuration takes its components from: its own; where there are
/// none, those of the paper's tile in its format (fp16: in bf16).
const Synthesis& stand_in_synthesis(const Config& config);

}  // namespace td::sim
