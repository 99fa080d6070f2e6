// SPDX-License-Identifier: Apache-2.0
// DS-Analyzer's differential analysis: what a job's data costs it, from three runs of the job.
#pragma once

#include <functional>

#include "sim/system/stalls/stalls.hpp"

namespace td::job {

/// Where the batches of a run come from.
enum class DataSource {
  synthetic,  ///< made on the accelerator: nothing is fetched or preprocessed
  cached,     ///< all in memory already
  cold        ///< none in memory
};

/// Runs an epoch; returns its seconds.
using EpochRun = std::function<double(DataSource source)>;

struct DifferentialAnalysis {
  double accelerator_s = 0;       ///< of an epoch, without data
  double preprocess_stall_s = 0;  ///< what more an epoch takes whose data is in memory
  double fetch_stall_s = 0;       ///< and what more when it comes from the disk
  Bottleneck bottleneck = Bottleneck::accelerator;  ///< of a job whose cache is cold
};

/// A stall below `noise` (a share of the epoch) is none. Of two stalls the fetch is the bottleneck:
/// preprocessing waits for it too.
DifferentialAnalysis analyse_runs(const EpochRun& run, double noise);

/// An epoch of `batches`, executed, as such a run.
EpochRun executed_epochs(const DataPath& path, std::int64_t batches, const std::string& source);

}  // namespace td::job
