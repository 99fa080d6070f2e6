// SPDX-License-Identifier: Apache-2.0
// A batch size as a plan.
#pragma once

#include "sim/system/scenario/kinds.hpp"

namespace td::job {

/// [plan] kind = "batch_size": batch (the choice), samples of the job, memory_gb of the
/// accelerator, and batches, each a table of `batch` with run_time_ms and peak_mb, or with the
/// profile of a step of that batch (snapshot, without_weights), of which memory keeps every
/// activation and copies_of_parameters (4: weights, gradients, two moments). Lines through these
/// samples, the limits, and rate, time and memory at each of these batches, at the choice and at
/// the limits, on one accelerator. Throws UserError for a batch that memory does not hold.
Plan plan_batch_size(const TomlTable& table, const Cluster& cluster);

}  // namespace td::job
