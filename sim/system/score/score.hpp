// SPDX-License-Identifier: Apache-2.0
// MLPerf Training's rules: from the times of several runs to a score, and their spread.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace td::job {

struct TrainingRun {
  double seconds = 0;  ///< until the quality is reached, or the run was aborted
  bool aborted = false;
};

/// Runs that a benchmark of v0.6 needs: 5 in vision, 10 in translation; nothing for a name that it
/// does not have.
std::optional<std::size_t> required_runs(const std::string& benchmark);

/// Of the runs that were not aborted.
struct TrainingTimes {
  double mean_seconds = 0, deviation_seconds = 0;  ///< sample deviation
  double variation = 0;                            ///< deviation / mean
  double slowest_over_fastest = 0;
};

struct TrainingScore {
  std::size_t runs = 0, aborted = 0;
  /// Mean of the runs without the fastest and the slowest. Nothing with fewer runs than required,
  /// or with more than one aborted: one is the slowest, whatever its time.
  std::optional<double> minutes;
  std::optional<TrainingTimes> times;  ///< nothing where all runs were aborted
};

/// Of one system and benchmark.
TrainingScore score_of(const std::vector<TrainingRun>& runs, std::size_t required);

}  // namespace td::job
