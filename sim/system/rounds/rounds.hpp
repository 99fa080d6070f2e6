// SPDX-License-Identifier: Apache-2.0
// A cluster whose jobs are chosen anew in every round, so that over time each has the shares that
// a policy gives it (Gavel, OSDI 2020).
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <vector>

#include "sim/system/rounds/job_trace.hpp"
#include "sim/system/rounds/shares.hpp"

namespace td::job {

struct RoundOptions {
  RoundPolicy policy = RoundPolicy::max_min_fairness_perf;
  double round_s = 360;          ///< a round ends sooner when all of its jobs are done
  double between_s = 1000;       ///< new shares are computed when the last are so old
  double restart_s = 0;          ///< in which a job that was not on these workers does no step
  std::uint64_t seed = 0;        ///< of the order in which types are filled where it is no policy's
  std::size_t first_job = 0;     ///< by arrival: the first whose completion time counts
  std::size_t end_job = 0;       ///< one behind the last; the simulation ends when all of them do
  std::size_t most_jobs = 2000;  ///< waiting and running: with more the cluster is overloaded
};

/// A job's part in a round.
struct RoundRun {
  std::size_t job = 0;  ///< by arrival
  std::size_t type = 0;
  std::vector<std::size_t> workers;  ///< of that type, from 0
  double seconds = 0;                ///< of the round, restart included
  double steps = 0;
};

struct Round {
  double start_s = 0, end_s = 0;
  std::vector<RoundRun> runs;
};

struct RoundsResult {
  bool overloaded = false;          ///< more than most_jobs: there are no averages
  double average_completion_s = 0;  ///< from arrival to end
  double makespan_s = 0;            ///< end of the last job that counts
  double busy_share = 0;            ///< of the accelerators' time until then
  std::uint64_t rounds = 0;
  std::uint64_t allocations = 0;  ///< how often shares were computed
  std::uint64_t moves = 0;        ///< of a job to other workers, or from them to none
};

/// The next job in the order of arrival; nothing after the last.
using JobSource = std::function<std::optional<TraceJob>()>;

/// For each job on each type, share of time over share of the type's time that it had is its
/// priority there. Types are filled one after the other, the fastest first (in a random order where
/// the policy sees no speeds), each by priority; of equal ones by what is owed from earlier shares,
/// then by share. A job with a share of none runs where room is left, except under fifo; one that
/// came since shares were computed waits. A job that stays on its type keeps its workers. `observe`
/// sees every round.
RoundsResult simulate_rounds(const std::vector<WorkerType>& types, const JobSource& source,
                             const RoundOptions& options, const std::string& name,
                             const std::function<void(const Round&)>& observe = {});

}  // namespace td::job
