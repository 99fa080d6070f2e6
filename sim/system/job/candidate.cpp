// SPDX-License-Identifier: Apache-2.0
#include "sim/system/job/candidate.hpp"

#include <cmath>

#include "sim/system/checkfreq/failures.hpp"
#include "sim/system/scenario/units.hpp"

namespace td::job {

namespace {

constexpr double kBytesOfParameter = 4, kWattsOfKilowatt = 1000;

/// Parameters of which each accelerator saves its share.
double parameters_of(const Profile& profile) {
  double bytes = 0;
  for (const ProfileLayer& layer : profile.layers) bytes += layer.parameter_bytes;
  return bytes / kBytesOfParameter;
}

double fed_step_seconds(const ComposedStep& step, const JobOptions& options) {
  if (!options.data_path) return step.seconds();
  const double rate = options.samples_per_step / step.seconds();
  const StallAnalysis analysis = analyse_stalls(options.data_path(rate), options.cached_share);
  if (analysis.bottleneck == Bottleneck::accelerator) return step.seconds();
  return options.samples_per_step / analysis.training_samples_per_s;
}

/// Adds what checkpoints and losses cost to the steps' own time; false where it may never end.
bool add_losses(const FailingJob& job, double mean_between_s, std::uint64_t seed,
                JobSeconds& seconds) {
  constexpr double of_what_is_lost = 2;
  const double once = job.restart_s + job.profile.full_s +
                      static_cast<double>(job.plan.interval) * job.profile.iteration_s;
  if (mean_between_s < of_what_is_lost * once) return false;
  const FailingRun run =
      run_failing_job(job, std::isinf(mean_between_s) ? [](double) { return HUGE_VAL; }
                                                      : drawn_failures(mean_between_s, seed));
  const double steps_s = static_cast<double>(job.iterations) * job.profile.iteration_s;
  seconds.snapshots = run.stalled_s;
  seconds.restarts = run.restarts_s;
  seconds.lost = run.seconds - steps_s - run.stalled_s - run.restarts_s;
  return true;
}

}  // namespace

std::optional<Candidate> candidate_of(const Profile& replica, const Composition& composition,
                                      const ComposedStep& step, const Offering& offering,
                                      const JobOptions& options) {
  Candidate candidate{composition, offering, step, {}, 0, 0};
  const double steps = std::ceil(options.samples / options.samples_per_step);
  const double step_s = fed_step_seconds(step, options);
  candidate.seconds.compute = steps * step.compute_s;
  candidate.seconds.split = steps * step.split_s;
  candidate.seconds.pipeline = steps * step.pipeline_s;
  candidate.seconds.exchange = steps * step.exchange_s;
  candidate.seconds.input = steps * (step_s - step.seconds());
  const auto accelerators = static_cast<double>(composition.accelerators());
  if (options.checkpoint) {
    FailingJob job;
    const double saved =
        parameters_of(replica) / static_cast<double>(composition.stages * composition.shards);
    job.profile = options.checkpoint(saved, step_s);
    job.plan = plan_checkpoints(job.profile, options.bound_percent);
    job.iterations = static_cast<std::int64_t>(steps);
    job.restart_s = options.restart_s;
    // The loss of any one of them ends the step of all.
    const double mean_between_s =
        offering.mean_between_s ? *offering.mean_between_s / accelerators : HUGE_VAL;
    if (!add_losses(job, mean_between_s, options.seed, candidate.seconds)) return std::nullopt;
  }
  const double hours = candidate.seconds.total() / kHour;
  const double busy_hours = candidate.seconds.compute / kHour;
  candidate.usd = hours * accelerators * offering.usd_per_hour;
  candidate.kwh = accelerators / kWattsOfKilowatt *
                  (options.watts * busy_hours + options.idle_watts * (hours - busy_hours));
  return candidate;
}

}  // namespace td::job
