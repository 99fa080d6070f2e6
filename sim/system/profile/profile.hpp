// SPDX-License-Identifier: Apache-2.0
// What each layer of a network takes in a training step, from a result of tdsim or from a profile
// measured elsewhere.
#pragma once

#include <string>
#include <vector>

namespace td::job {

struct ProfileLayer {
  std::string name;
  double forward_s = 0;
  double backward_s = 0;        ///< gradients of its input and of its weights
  double activation_bytes = 0;  ///< of its output
  double parameter_bytes = 0;   ///< also those of its gradients
};

struct Profile {
  std::string source;  ///< file, for messages
  std::string model;
  std::vector<ProfileLayer> layers;  ///< in the order of the forward pass
};

/// Seconds of a step's compute.
double compute_seconds(const Profile& profile);

/// A JSON file of nodes [id, operation, forward ms, backward ms, activation bytes, parameter bytes]
/// and edges [from, to], as PipeDream's profiles are converted. Input nodes are left out; layers
/// are in topological order, of those that may come next the one with the smallest number in its
/// id. Throws UserError for what is no such profile, and for a cycle.
Profile read_layer_profile(const std::string& path);

/// A result of `tdsim run --json` or `synth --json`, of one snapshot (empty: its last), memory
/// included. `hardware` is "dense", "zero_free" (TensorDash, had the tensors no zeros) or
/// "tensordash" (also empty). Parameters and their gradients have 4 bytes. Throws UserError.
Profile read_result_profile(const std::string& path, const std::string& snapshot,
                            const std::string& hardware);

/// One operation of a result, and how long it keeps each resource of the accelerator busy: the bus,
/// each way, and the slowest tile.
struct OperationWork {
  std::string layer;
  std::string op;  ///< "fwd", "dgrad" or "wgrad"
  double reads_s = 0;
  double tiles_s = 0;
  double writes_s = 0;
};

/// Of one snapshot of a result, as read_result_profile() has it, and "dense" or "tensordash" (also
/// empty). Throws UserError.
std::vector<OperationWork> read_operation_works(const std::string& path,
                                                const std::string& snapshot,
                                                const std::string& hardware);

/// Either, told apart by what is in the file.
Profile read_profile(const std::string& path, const std::string& snapshot,
                     const std::string& hardware);

}  // namespace td::job
