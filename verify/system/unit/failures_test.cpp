// SPDX-License-Identifier: Apache-2.0
// Jobs that fail: beside the executed graph, time that adds up, and what is lost beside formulas.
#include "sim/system/checkfreq/failures.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

namespace {

using td::job::CheckpointProfile;
using td::job::FailingJob;
using td::job::FailingRun;

constexpr double kNever = std::numeric_limits<double>::infinity();

double never(double /*now_s*/) { return kNever; }

FailingJob random_job(std::mt19937& random) {
  const auto draw = [&random](double least, double most) {
    return std::uniform_real_distribution<double>(least, most)(random);
  };
  FailingJob job;
  job.profile = {draw(0.05, 1.5), draw(50e6, 5e9), draw(50e6, 5e9),
                 draw(0.01, 0.3), draw(0.1, 1.5),  0};
  job.profile.full_s = job.profile.host_copy_s + draw(0.5, 10);
  job.plan = plan_checkpoints(job.profile, 3.5);
  job.iterations = 30 * job.plan.interval + 7;
  job.restart_s = draw(0, 30);
  return job;
}

/// Failures at these times.
td::job::NextFailure at(std::vector<double> times) {
  return [times](double now_s) {
    const auto next = std::upper_bound(times.begin(), times.end(), now_s);
    return next == times.end() ? kNever : *next;
  };
}

}  // namespace

TEST_CASE("failures: by hand") {
  FailingJob job;
  job.profile = {1, 1, 0, 0, 0.5, 2.5};  // snapshot 0.5 s, two seconds more to the disk
  job.plan = plan_checkpoints(job.profile);
  job.plan.interval = 4;
  job.iterations = 10;
  job.restart_s = 3;
  // Saved behind 4 iterations at 4.5 s, on the disk at 6.5 s; fails at 6 s, then at 20.75 s.
  const FailingRun early = run_failing_job(job, at({6}));
  CHECK(early.redone == 5);
  CHECK(early.worst_lost_s == doctest::Approx(6));
  CHECK(early.seconds == doctest::Approx(6 + 3 + 10 + 2 * 0.5));
  // Iterations 1 to 4 until 4 s, 5 to 8 from 4.5 s to 8.5 s: the second snapshot ends at 9 s.
  const FailingRun late = run_failing_job(job, at({8.75}));
  CHECK(late.redone == 4);
  CHECK(late.worst_lost_s == doctest::Approx(8.75 - 4));
  CHECK(late.mean_recovery_s == doctest::Approx(3 + 4));
  CHECK(late.cut_s == doctest::Approx(0.25));
  CHECK(late.seconds == doctest::Approx(8.75 + 3 + 6 + 0.5));
}

TEST_CASE("failures: without any, the job takes as long as its executed graph") {
  std::mt19937 random(41);
  for (int i = 0; i < 60; ++i) {
    FailingJob job = random_job(random);
    if (i % 2 == 0) job.plan.interval = 1 + job.plan.interval / 4;  // training waits for the disk
    const FailingRun run = run_failing_job(job, never);
    const td::job::Graph graph = checkpointed_job(job.profile, job.plan, job.iterations, "test");
    CHECK(run.seconds == doctest::Approx(training_seconds(graph)).epsilon(1e-9));
    CHECK(run.redone == 0);
    CHECK(run.failures == 0);
  }
}

TEST_CASE("failures: time adds up, losses keep to the plan's bound, and 3.5 % are kept") {
  std::mt19937 random(42);
  for (int i = 0; i < 200; ++i) {
    const FailingJob job = random_job(random);
    const double plain = static_cast<double>(job.iterations) * job.profile.iteration_s;
    std::vector<double> times;
    std::uniform_real_distribution<double> draw(0, 1.5 * plain);
    for (int k = 0; k < i % 7; ++k) times.push_back(draw(random));
    std::sort(times.begin(), times.end());
    const FailingRun run = run_failing_job(job, at(times));
    const double iterations = static_cast<double>(job.iterations + run.redone);
    CHECK(run.iterations_s == doctest::Approx(iterations * job.profile.iteration_s));
    CHECK(run.seconds ==
          doctest::Approx(run.iterations_s + run.stalled_s + run.cut_s + run.restarts_s));
    const double cycle =
        static_cast<double>(job.plan.interval) * job.profile.iteration_s + job.plan.overhead_s;
    CHECK(run.worst_lost_s <= std::max(cycle, job.profile.full_s) + cycle + 1e-9);
    CHECK(run.worst_lost_s <= job.plan.worst_lost_s + 2 * job.plan.overhead_s + 1e-9);
    CHECK(run.overhead_percent <= 3.5 * (1 + 1e-9));
    CHECK(run.seconds >= run_failing_job(job, never).seconds * (1 - 1e-12));
  }
}

TEST_CASE("failures: at any time equally likely they lose half an interval and a checkpoint") {
  std::mt19937_64 random(43);
  FailingJob job;
  job.profile = {0.26, 2300e6, 800e6, 0.16, 0.95, 5.4};
  job.plan = plan_checkpoints(job.profile, 3.5);
  job.iterations = 4000000;
  job.restart_s = 20;
  std::exponential_distribution<double> gap(1 / 3000.0);
  const auto next = [&](double now_s) { return now_s + gap(random); };
  const FailingRun run = run_failing_job(job, next);
  const double cycle =
      static_cast<double>(job.plan.interval) * job.profile.iteration_s + job.plan.overhead_s;
  CHECK(run.failures > 200);
  CHECK(run.mean_lost_s == doctest::Approx(cycle / 2 + job.profile.full_s).epsilon(0.05));
  CHECK(run.mean_recovery_s < job.restart_s + run.mean_lost_s + job.profile.iteration_s);
}

TEST_CASE("failures: an interval that adapts keeps the bound where a fixed one does not") {
  std::mt19937 random(44);
  for (int i = 0; i < 40; ++i) {
    FailingJob job = random_job(random);
    // In steps of 2 from n to 2 n iterations: about 3/4 n² of them.
    job.iterations = 2 * job.plan.interval * (job.plan.interval + 200);
    job.slow_from_s = 10 * static_cast<double>(job.plan.interval) * job.profile.iteration_s;
    job.slow_factor = 2;
    const FailingRun fixed = run_failing_job(job, never);
    job.limit_percent = 3.5;
    const FailingRun adaptive = run_failing_job(job, never);
    // In half of the job there may be one checkpoint more than whole intervals.
    const double half_s = static_cast<double>(job.iterations / 2) * job.profile.iteration_s;
    const double one_more = 100 * 2 * job.plan.overhead_s / half_s;
    CHECK(adaptive.late_overhead_percent <= 3.5 + one_more);
    CHECK(adaptive.interval >= job.plan.interval);
    // Where a snapshot's time was what set the interval, twice of it is too much.
    if (job.plan.overhead_percent > 2) CHECK(fixed.late_overhead_percent > 3.5);
  }
}
