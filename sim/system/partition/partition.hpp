// SPDX-License-Identifier: Apache-2.0
// PipeDream's partitioner (Narayanan et al., SOSP 2019): which layers make a stage, and how many
// workers replicate it, so that the slowest stage is fastest. Dynamic programming over cuts.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "sim/system/partition/states.hpp"

namespace td::job {

/// Workers that are joined by one kind of link; of an outer level, groups of the level inside.
struct LinkLevel {
  std::int64_t workers = 1;
  double bandwidth = 1;  ///< bytes per second
};

struct PartitionRequest {
  std::vector<LinkLevel> levels;       ///< innermost first
  std::optional<double> compression;   ///< of activations; nothing: their transfers are free
  bool straight = false;               ///< no stage is replicated
  std::optional<double> memory_bytes;  ///< of a worker; nothing: unbounded
  /// Minibatches that workers hold, times PipeDream's depth, for their memory. Nothing: as the
  /// published planner counts them, which leaves out the one that a worker is at.
  std::optional<std::int64_t> in_flight;
  bool use_fewer = false;  ///< workers may stay idle
};

/// Layers after cut begin - 1 (all when begin is 0), up to cut end - 1, on `replicas` workers.
struct Stage {
  std::uint32_t begin;
  std::uint32_t end;
  std::int64_t replicas;
};

inline constexpr double kInfeasible = std::numeric_limits<double>::infinity();

struct Partition {
  double seconds = kInfeasible;  ///< for a minibatch, in steady state
  std::vector<Stage> stages;     ///< of the outermost level
};

/// An optimal partition, infeasible when none fits the memory. Throws UserError naming `source`
/// when so many workers and cuts would take more than minutes.
Partition partition(const std::vector<CutState>& states, const PartitionRequest& request,
                    const std::string& source);

/// Seconds for a minibatch of stages on one level of links, by the rule alone: the slowest stage or
/// transfer.
double pipeline_seconds(const std::vector<CutState>& states, const PartitionRequest& request,
                        const std::vector<Stage>& stages);

/// Seconds that each of `workers` waits for the weights of one minibatch's stage to be averaged.
double averaging_seconds(double parameters, std::int64_t workers, double bandwidth);

/// Seconds for a minibatch when every worker has the whole network.
double data_parallel_seconds(const std::vector<CutState>& states,
                             const std::vector<LinkLevel>& levels);

}  // namespace td::job
