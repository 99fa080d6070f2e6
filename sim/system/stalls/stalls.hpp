// SPDX-License-Identifier: Apache-2.0
// Whether training waits for its data: DS-Analyzer and CoorDL (Mohan et al., VLDB 2021).
#pragma once

#include <cstdint>
#include <string>

#include "sim/system/graph/graph.hpp"

namespace td::job {

/// What feeds an accelerator.
struct DataPath {
  double dataset_bytes = 0;
  double samples = 1;                    ///< of the data set
  double memory_bytes_per_s = 1;         ///< of cached samples
  double disk_bytes_per_s = 1;           ///< of the others
  double accelerator_samples_per_s = 1;  ///< on data that is there already
  double preprocess_samples_per_s = 1;   ///< on data in memory
};

enum class Bottleneck { accelerator, preprocess, fetch };
const char* to_string(Bottleneck bottleneck);

struct StallAnalysis {
  double fetch_samples_per_s = 0;
  double training_samples_per_s = 0;  ///< the slowest of the three
  double stall_percent = 0;           ///< of the accelerator's rate
  Bottleneck bottleneck = Bottleneck::accelerator;
};

/// With a cache that keeps this share of the data set, 0 to 1, and replaces nothing: so each epoch
/// hits it that often.
StallAnalysis analyse_stalls(const DataPath& path, double cached_share);

/// The smallest cached share with which fetching is not the slowest; above 1 where none is enough.
double cache_for_no_fetch_stall(const DataPath& path);

/// Batches of an epoch as tasks: fetched from disk and memory one after the other, preprocessed,
/// trained on; each of the three works on one batch at a time.
Graph epoch_graph(const DataPath& path, double cached_share, std::int64_t batches,
                  const std::string& source);

}  // namespace td::job
