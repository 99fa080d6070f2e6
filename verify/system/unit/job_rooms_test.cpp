// SPDX-License-Identifier: Apache-2.0
// Checkpoints, data stalls and batch sizes: formulas beside executed jobs.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "sim/system/checkfreq/checkfreq.hpp"
#include "sim/system/graph/execution.hpp"
#include "sim/system/skyline/skyline.hpp"
#include "sim/system/stalls/stalls.hpp"
#include "verify/system/unit/random_graph.hpp"

namespace {

using td::job::Bottleneck;
using td::job::CheckpointPlan;
using td::job::CheckpointProfile;
using td::job::DataPath;
using td::job::Graph;
using td::job::Schedule;

CheckpointProfile random_checkpoint(std::mt19937& random) {
  const auto draw = [&random](double least, double most) {
    return std::uniform_real_distribution<double>(least, most)(random);
  };
  CheckpointProfile profile{draw(0.05, 1.5), draw(50e6, 5e9), draw(50e6, 5e9),
                            draw(0.01, 0.3), draw(0.1, 1.5),  0};
  profile.full_s = profile.host_copy_s + draw(0.5, 10);
  return profile;
}

}  // namespace

TEST_CASE("checkfreq: executed jobs keep the bound, and lose at most what the plan says") {
  std::mt19937 random(11);
  for (int i = 0; i < 100; ++i) {
    const CheckpointProfile profile = random_checkpoint(random);
    const CheckpointPlan plan = td::job::plan_checkpoints(profile, 3.5);
    const std::int64_t iterations = 12 * plan.interval;
    const Graph graph = checkpointed_job(profile, plan, iterations, "test");
    const Schedule schedule = execute(graph);
    CHECK(td::unit::schedule_fault(graph, schedule) == "");
    const double plain = profile.iteration_s * static_cast<double>(iterations);
    CHECK(training_seconds(graph) / plain - 1 <= 0.035 * (1 + 1e-9));
    // Just before a checkpoint is on the disk, all work since the snapshot before it is lost.
    double saved = 0;
    for (std::size_t id = 0; id < graph.tasks().size(); ++id) {
      if (graph.tasks()[id].phase != "persist") continue;
      const double lost = schedule.end[id] - saved;
      CHECK(lost <= plan.worst_lost_s + 2 * plan.overhead_s + 1e-9);
      saved = schedule.start[id];
    }
  }
}

TEST_CASE("checkfreq: without a bound a checkpoint is on the disk when the next begins") {
  std::mt19937 random(12);
  for (int i = 0; i < 100; ++i) {
    const CheckpointProfile profile = random_checkpoint(random);
    const CheckpointPlan plan = td::job::plan_checkpoints(profile);
    const Graph graph = checkpointed_job(profile, plan, 8 * plan.interval, "test");
    const double expected =
        8 * (static_cast<double>(plan.interval) * profile.iteration_s + plan.overhead_s);
    CHECK(training_seconds(graph) == doctest::Approx(expected));
    // One iteration less between them, and training waits for the disk.
    if (plan.interval == 1) continue;
    CheckpointPlan sooner = plan;
    --sooner.interval;
    const Graph hasty = checkpointed_job(profile, sooner, 8 * sooner.interval, "test");
    const double unhindered =
        8 * (static_cast<double>(sooner.interval) * profile.iteration_s + plan.overhead_s);
    CHECK(training_seconds(hasty) > unhindered);
  }
}

TEST_CASE("checkfreq: an interval adapts until a slower machine's overhead is under the limit") {
  CheckpointProfile profile{0.1, 1, 2, 0.2, 0.5, 1.0};
  const CheckpointPlan plan = td::job::plan_checkpoints(profile, 3.5);
  std::int64_t interval = plan.interval;
  for (int i = 0; i < 200; ++i) {
    const double measured = 100 * 2 * plan.overhead_s / (static_cast<double>(interval) * 0.1);
    interval = td::job::adapted_interval(interval, measured, 3.5);
  }
  CHECK(100 * 2 * plan.overhead_s / (static_cast<double>(interval) * 0.1) <= 3.5);
  CHECK(interval <= 2 * plan.interval + 2);
}

TEST_CASE(
    "stalls: an executed epoch has the rate of the formula, and an inserted bottleneck is found") {
  std::mt19937 random(13);
  std::uniform_real_distribution<double> rate(500, 900);
  for (int i = 0; i < 90; ++i) {
    DataPath path{1e12, 1e6, 1e11, 0, rate(random), rate(random)};
    path.disk_bytes_per_s = rate(random) * path.dataset_bytes / path.samples;
    const auto slow = static_cast<Bottleneck>(i % 3);
    if (slow == Bottleneck::accelerator) path.accelerator_samples_per_s /= 3;
    if (slow == Bottleneck::preprocess) path.preprocess_samples_per_s /= 3;
    if (slow == Bottleneck::fetch) path.disk_bytes_per_s /= 3;
    const auto analysis = td::job::analyse_stalls(path, 0);
    CHECK(analysis.bottleneck == slow);
    const Graph graph = td::job::epoch_graph(path, 0, 1000, "test");
    const Schedule schedule = execute(graph);
    CHECK(td::unit::schedule_fault(graph, schedule) == "");
    CHECK(path.samples / schedule.makespan ==
          doctest::Approx(analysis.training_samples_per_s).epsilon(0.005));
  }
}

TEST_CASE("stalls: the cache that is said to be enough is, and a little less is not") {
  const DataPath path{100e9, 1e6, 10e9, 100e6, 2000, 5000};
  const double share = td::job::cache_for_no_fetch_stall(path);
  CHECK(share > 0);
  CHECK(share < 1);
  CHECK(td::job::analyse_stalls(path, share * 1.001).bottleneck == Bottleneck::accelerator);
  CHECK(td::job::analyse_stalls(path, share * 0.999).bottleneck == Bottleneck::fetch);
  DataPath fast = path;
  fast.disk_bytes_per_s = 1e12;
  CHECK(td::job::cache_for_no_fetch_stall(fast) == 0);
  DataPath hopeless = path;
  hopeless.memory_bytes_per_s = 110e6;
  CHECK(td::job::cache_for_no_fetch_stall(hopeless) > 1);
}

TEST_CASE("skyline: samples on a line give the line, and predictions turn around") {
  const td::job::BatchSamples samples{{8, 20, 33}, {26, 50, 76}, {1.8e9, 3e9, 4.3e9}};
  const auto model = td::job::fit_batch_model(samples);
  CHECK(model.valid);
  CHECK(model.run_time_ms.slope == doctest::Approx(2));
  CHECK(model.run_time_ms.bias == doctest::Approx(10));
  CHECK(td::job::most_samples_per_s(model) == doctest::Approx(500));
  for (const double batch : {1.0, 17.0, 400.0}) {
    const double rate = td::job::samples_per_s(model, batch);
    CHECK(td::job::batch_for_rate(model, rate) == doctest::Approx(batch));
  }
  CHECK(td::job::batch_for_rate(model, 501) < 0);
  CHECK(td::job::batch_for_memory(model, 11e9) == doctest::Approx(100));
  CHECK_FALSE(td::job::fit_batch_model({{8, 20}, {10, 40}, {1, 2}}).valid);  // a negative bias
}
