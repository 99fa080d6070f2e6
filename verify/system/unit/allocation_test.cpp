// SPDX-License-Identifier: Apache-2.0
// Policies of a cluster: cases by hand, and what holds of all clusters.
#include <doctest/doctest.h>

#include <random>
#include <string>

#include "base/support/error.hpp"
#include "sim/system/allocation/policy.hpp"

namespace {

using td::job::allocate;
using td::job::AllocationPolicy;
using td::job::SharedCluster;

constexpr AllocationPolicy kMaximised[] = {
    AllocationPolicy::max_min_fairness, AllocationPolicy::max_min_fairness_agnostic,
    AllocationPolicy::throughput_sum, AllocationPolicy::throughput_per_cost};
constexpr AllocationPolicy kMinimised[] = {AllocationPolicy::finish_time_fairness,
                                           AllocationPolicy::min_total_duration};

SharedCluster random_cluster(std::mt19937& random) {
  const auto draw = [&random](double least, double most) {
    return std::uniform_real_distribution<double>(least, most)(random);
  };
  SharedCluster cluster{"test", {}, {}};
  for (const char* type : {"k80", "p100", "v100"}) cluster.count[type] = std::floor(draw(1, 9));
  const int jobs = static_cast<int>(draw(1, 12));
  for (int i = 0; i < jobs; ++i) {
    td::job::ClusterJob job;
    job.workers = std::floor(draw(1, 5));
    for (const auto& [type, count] : cluster.count) job.throughput[type] = draw(0.1, 50);
    job.priority = draw(0.5, 4);
    job.steps_remaining = draw(1e3, 1e6);
    job.seconds_since_start = draw(0, 1e5);
    cluster.jobs.push_back(job);
  }
  return cluster;
}

std::string refusal(const SharedCluster& cluster) {
  try {
    allocate(cluster, AllocationPolicy::max_min_fairness);
  } catch (const td::UserError& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("allocation: two jobs that suit different accelerators, by hand") {
  SharedCluster cluster{"test", {{"k80", 1}, {"v100", 1}}, {}};
  cluster.jobs.resize(2);
  cluster.jobs[0].throughput = {{"k80", 1}, {"v100", 4}};
  cluster.jobs[1].throughput = {{"k80", 2}, {"v100", 2}};
  for (auto& job : cluster.jobs) job.steps_remaining = 120;
  // Each on the one that it suits: 4 of 2.5, and 2 of 2 that an equal split of both types gives.
  CHECK(allocate(cluster, AllocationPolicy::throughput_sum).objective == doctest::Approx(6));
  CHECK(allocate(cluster, AllocationPolicy::throughput_sum).throughput ==
        std::vector<double>{4, 2});
  CHECK(allocate(cluster, AllocationPolicy::max_min_fairness).objective == doctest::Approx(1));
  CHECK(allocate(cluster, AllocationPolicy::min_total_duration).objective == doctest::Approx(60));
  // A larger priority divides: the other's share is what is least then.
  cluster.jobs[1].priority = 2;
  CHECK(allocate(cluster, AllocationPolicy::max_min_fairness).objective == doctest::Approx(0.5));
}

TEST_CASE("allocation: more accelerators never make an objective worse, fewer jobs neither") {
  std::mt19937 random(4);
  for (int i = 0; i < 60; ++i) {
    const SharedCluster cluster = random_cluster(random);
    SharedCluster larger = cluster;
    // All types alike: what a job would have of an equal split stays as it is.
    for (auto& [type, count] : larger.count) count *= 2;
    for (const auto policy : kMaximised) {
      CHECK(allocate(larger, policy).objective >= allocate(cluster, policy).objective * (1 - 1e-9));
    }
    CHECK(allocate(larger, kMinimised[1]).objective <=
          allocate(cluster, kMinimised[1]).objective * (1 + 1e-9));
    SharedCluster fewer = cluster;
    if (fewer.jobs.size() > 1) fewer.jobs.pop_back();
    CHECK(allocate(fewer, kMinimised[1]).objective <=
          allocate(cluster, kMinimised[1]).objective * (1 + 1e-9));
    CHECK(allocate(fewer, kMaximised[0]).objective >=
          allocate(cluster, kMaximised[0]).objective * (1 - 1e-9));
  }
}

TEST_CASE(
    "allocation: no optimum uses more than there is, and the objective is what its rates are") {
  std::mt19937 random(5);
  for (int i = 0; i < 60; ++i) {
    const SharedCluster cluster = random_cluster(random);
    const auto sum = allocate(cluster, AllocationPolicy::throughput_sum);
    double all = 0;
    for (const double rate : sum.throughput) all += rate;
    CHECK(all == doctest::Approx(sum.objective));
    const auto duration = allocate(cluster, AllocationPolicy::min_total_duration);
    const auto finish = allocate(cluster, AllocationPolicy::finish_time_fairness);
    CHECK(finish.objective > 0);
    for (std::size_t j = 0; j < cluster.jobs.size(); ++j) {
      double fastest = 0;
      for (const auto& [type, rate] : cluster.jobs[j].throughput) fastest = std::max(fastest, rate);
      CHECK(sum.throughput[j] <= fastest * (1 + 1e-9));
      CHECK(duration.throughput[j] * duration.objective >=
            cluster.jobs[j].steps_remaining * (1 - 1e-9));
    }
  }
}

TEST_CASE("allocation: what is refused") {
  std::mt19937 random(6);
  SharedCluster cluster = random_cluster(random);
  for (auto& [type, rate] : cluster.jobs[0].throughput) rate = 0;
  CHECK(refusal(cluster).find("job 0") != std::string::npos);
  cluster.jobs[0].throughput.erase("k80");
  CHECK(refusal(cluster).find("k80") != std::string::npos);
  cluster.jobs.clear();
  CHECK(refusal(cluster).find("jobs") != std::string::npos);
}
