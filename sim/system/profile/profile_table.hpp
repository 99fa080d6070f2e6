// SPDX-License-Identifier: Apache-2.0
// Profiles as tables of scenarios name them.
#pragma once

#include <string>

#include "sim/system/profile/network_profile.hpp"
#include "sim/system/profile/profile.hpp"
#include "sim/system/scenario/kinds.hpp"

namespace td::job {

/// The profile of a table's keys:
/// profile         a file beside the scenario: a result of tdsim, or layers with milliseconds
/// snapshot        of a result; by default its last
/// batch           samples of a step on one accelerator
/// profile_batch   samples that the profile is of, if it is not of the whole batch: times and
///                 activations are taken to grow with the samples
/// without_weights patterns: layers whose second tensor is no parameter, as products of attention
/// Throws UserError, also for a pattern that fits no layer.
Profile read_profile_of(const TomlTable& table, const std::string& hardware);

/// The same with its branches; layers of a result follow one another.
NetworkProfile read_network_of(const TomlTable& table, const std::string& hardware);

/// Samples of a step on one accelerator: the key `batch`. Throws UserError.
double batch_of(const TomlTable& table);

}  // namespace td::job
