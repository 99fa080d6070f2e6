// SPDX-License-Identifier: Apache-2.0
// A cluster in rounds: by hand, what holds of every round, and shares that become those of the
// policy.
#include "sim/system/rounds/rounds.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <set>
#include <string>

namespace {

using td::job::JobKinds;
using td::job::JobSource;
using td::job::Round;
using td::job::RoundOptions;
using td::job::RoundPolicy;
using td::job::RoundRun;
using td::job::RoundsResult;
using td::job::TraceJob;
using td::job::WorkerType;

constexpr RoundPolicy kPolicies[] = {RoundPolicy::fifo,
                                     RoundPolicy::fifo_perf,
                                     RoundPolicy::max_min_fairness,
                                     RoundPolicy::max_min_fairness_perf,
                                     RoundPolicy::finish_time_fairness_perf,
                                     RoundPolicy::min_total_duration_perf};

struct Setting {
  std::vector<WorkerType> types;
  std::vector<TraceJob> jobs;
};

JobSource source_of(const std::vector<TraceJob>& jobs) {
  return [&jobs, next = std::size_t{0}]() mutable -> std::optional<TraceJob> {
    if (next == jobs.size()) return std::nullopt;
    return jobs[next++];
  };
}

RoundsResult simulate(const Setting& setting, RoundOptions options,
                      const std::function<void(const Round&)>& observe = {}) {
  options.end_job = setting.jobs.size();
  return simulate_rounds(setting.types, source_of(setting.jobs), options, "test", observe);
}

Setting random_setting(std::mt19937& random) {
  const auto draw = [&random](double least, double most) {
    return std::uniform_real_distribution<double>(least, most)(random);
  };
  Setting setting;
  for (const char* name : {"fast", "medium", "slow"}) {
    setting.types.push_back({name, static_cast<std::size_t>(draw(2, 6))});
  }
  double arrival = 0;
  const int jobs = static_cast<int>(draw(5, 25));
  for (int i = 0; i < jobs; ++i) {
    arrival += draw(0, 900);
    TraceJob job{arrival, static_cast<std::size_t>(draw(1, 3)), {}, draw(100, 40000)};
    // Every job runs on the first type; on others not all do.
    for (int j = 0; j < 3; ++j)
      job.steps_per_s.push_back(j > 0 && draw(0, 1) < 0.1 ? 0 : draw(1, 9));
    setting.jobs.push_back(job);
  }
  return setting;
}

/// What is wrong with a round by itself.
std::string round_fault(const Round& round, const Setting& setting) {
  std::set<std::size_t> jobs;
  std::set<std::pair<std::size_t, std::size_t>> used;
  for (const RoundRun& run : round.runs) {
    const TraceJob& job = setting.jobs.at(run.job);
    if (!jobs.insert(run.job).second) return "a job twice";
    if (job.arrival_s > round.start_s) return "a job before its arrival";
    if (run.workers.size() != job.workers) return "not the job's number of workers";
    for (const std::size_t worker : run.workers) {
      if (worker >= setting.types.at(run.type).count) return "a worker that there is not";
      if (!used.insert({run.type, worker}).second) return "a worker twice";
    }
    if (round.start_s + run.seconds > round.end_s * (1 + 1e-12)) return "longer than the round";
    const double most = run.seconds * job.steps_per_s[run.type];
    if (run.steps <= 0 || run.steps > most * (1 + 1e-9)) return "steps that time does not allow";
  }
  return "";
}

/// Whether a job waits that an idle worker could run: all jobs have one worker here.
bool idles(const Round& round, const Setting& setting, const std::vector<double>& left) {
  std::vector<std::size_t> free;
  for (const WorkerType& type : setting.types) free.push_back(type.count);
  std::set<std::size_t> running;
  for (const RoundRun& run : round.runs) {
    --free[run.type];
    running.insert(run.job);
  }
  for (std::size_t i = 0; i < left.size(); ++i) {
    const TraceJob& job = setting.jobs[i];
    if (running.count(i) > 0 || left[i] <= 0 || job.arrival_s > round.start_s) continue;
    for (std::size_t j = 0; j < free.size(); ++j) {
      if (free[j] > 0 && job.steps_per_s[j] > 0) return true;
    }
  }
  return false;
}

}  // namespace

TEST_CASE("rounds: two equal jobs on one accelerator, by hand") {
  const Setting setting{{{"one", 1}}, {{0, 1, {2}, 1440}, {0, 1, {2}, 1440}}};
  RoundOptions options;
  options.policy = RoundPolicy::fifo;
  options.between_s = 0;
  CHECK(simulate(setting, options).average_completion_s == doctest::Approx((720 + 1440) / 2.0));
  options.between_s = 1000;  // the second is put on the accelerator in the round after that
  CHECK(simulate(setting, options).average_completion_s == doctest::Approx((720 + 1800) / 2.0));
  options.policy = RoundPolicy::max_min_fairness_perf;  // they take turns
  const RoundsResult fair = simulate(setting, options);
  CHECK(fair.average_completion_s == doctest::Approx((1080 + 1440) / 2.0));
  CHECK(fair.rounds == 4);
  CHECK(fair.busy_share == doctest::Approx(1));
  // Each turn begins with a restart now: three rounds of 300 s of work for each, of 720.
  options.restart_s = 60;
  CHECK(simulate(setting, options).makespan_s == doctest::Approx(4 * 360 + 2 * (60 + 120)));
}

TEST_CASE("rounds: a job that comes between two computations of shares waits, whatever is idle") {
  const Setting setting{{{"two", 2}}, {{0, 1, {1}, 3600}, {100, 1, {1}, 720}}};
  for (const RoundPolicy policy : kPolicies) {
    CAPTURE(to_string(policy));
    RoundOptions options;
    options.policy = policy;
    double first_s = -1;
    simulate(setting, options, [&](const Round& round) {
      if (round.runs.size() == 2 && first_s < 0) first_s = round.start_s;
    });
    CHECK(first_s == 1080);  // the first round behind 1000 s
    options.between_s = 0;
    first_s = -1;
    simulate(setting, options, [&](const Round& round) {
      if (round.runs.size() == 2 && first_s < 0) first_s = round.start_s;
    });
    CHECK(first_s == 360);
  }
}

TEST_CASE("rounds: first come, first served is the queue that it should be") {
  std::mt19937 random(21);
  std::uniform_real_distribution<double> draw(0, 1);
  Setting setting{{{"only", 3}}, {}};
  double arrival = 0;
  std::vector<double> free_at(3);
  double expected = 0;
  for (int i = 0; i < 60; ++i) {
    arrival += 40 * draw(random);
    const double seconds = 100 * draw(random) + 1;
    setting.jobs.push_back({arrival, 1, {5}, 5 * seconds});
    double& soonest = *std::min_element(free_at.begin(), free_at.end());
    soonest = std::max(soonest, arrival) + seconds;
    expected += soonest - arrival;
  }
  RoundOptions options;
  options.policy = RoundPolicy::fifo;
  options.round_s = 0.01;
  options.between_s = 0;
  CHECK(simulate(setting, options).average_completion_s ==
        doctest::Approx(expected / 60).epsilon(0.002));
}

TEST_CASE("rounds: no worker is used twice, all work is done, and nothing idles that could run") {
  std::mt19937 random(22);
  for (int i = 0; i < 60; ++i) {
    Setting setting = random_setting(random);
    const bool single = i % 2 == 0;
    if (single) {
      for (TraceJob& job : setting.jobs) job.workers = 1;
    }
    for (const RoundPolicy policy : kPolicies) {
      CAPTURE(to_string(policy));
      std::vector<double> left;
      for (const TraceJob& job : setting.jobs) left.push_back(job.steps);
      double end = 0;
      RoundOptions options;
      options.policy = policy;
      options.restart_s = i % 3 == 0 ? 30 : 0;
      // Where shares are older than a round, a job that came since waits for the next.
      options.between_s = i % 4 < 2 ? 0 : 1000;
      const bool fills = single && !in_order_of_arrival(policy) && options.between_s == 0;
      const RoundsResult result = simulate(setting, options, [&](const Round& round) {
        CHECK(round_fault(round, setting) == "");
        CHECK(round.start_s >= end);
        CHECK(round.end_s > round.start_s);
        end = round.end_s;
        if (fills) CHECK_FALSE(idles(round, setting, left));
        for (const RoundRun& run : round.runs) left[run.job] -= run.steps;
      });
      for (std::size_t j = 0; j < left.size(); ++j) {
        CHECK(std::abs(left[j]) <= 1e-6 * setting.jobs[j].steps);
      }
      CHECK(result.makespan_s == doctest::Approx(end));
      CHECK(result.busy_share <= 1 + 1e-9);
    }
  }
}

TEST_CASE("rounds: over time jobs have the shares of the policy") {
  // Each is best on another type, so that the optimum is one job on each: 1, not what rounds begin
  // with when all prefer the first type.
  const Setting setting{{{"a", 1}, {"b", 1}}, {{0, 1, {4, 1}, 4e6}, {0, 1, {5, 4}, 4e6}}};
  RoundOptions options;
  options.policy = RoundPolicy::max_min_fairness_perf;
  std::vector<td::job::ShareRequest> requests;
  for (const TraceJob& job : setting.jobs) requests.push_back({&job, job.steps, 0, {}});
  const auto shares = shares_of(options.policy, setting.types, requests, "test");
  std::map<std::pair<std::size_t, std::size_t>, double> seconds;
  double until = 0;
  simulate(setting, options, [&](const Round& round) {
    if (round.runs.size() < 2) return;  // the other is done: shares are new
    until = round.end_s;
    for (const RoundRun& run : round.runs) seconds[{run.job, run.type}] += run.seconds;
  });
  REQUIRE(until > 100 * options.round_s);
  for (std::size_t i = 0; i < 2; ++i) {
    for (std::size_t j = 0; j < 2; ++j) {
      CHECK(seconds[{i, j}] / until == doctest::Approx(shares[i][j]).epsilon(0.02));
    }
  }
}

TEST_CASE("rounds: shares keep to one job's time and to what there is, whatever the policy") {
  std::mt19937 random(23);
  for (int i = 0; i < 40; ++i) {
    const Setting setting = random_setting(random);
    for (const RoundPolicy policy : kPolicies) {
      std::vector<td::job::ShareRequest> requests;
      for (const TraceJob& job : setting.jobs) requests.push_back({&job, job.steps, 10, {}});
      const auto shares = shares_of(policy, setting.types, requests, "test");
      std::vector<double> used(setting.types.size());
      for (std::size_t k = 0; k < shares.size(); ++k) {
        double time = 0;
        for (std::size_t j = 0; j < used.size(); ++j) {
          time += shares[k][j];
          used[j] += shares[k][j] * static_cast<double>(setting.jobs[k].workers);
        }
        CHECK(time <= 1 + 1e-7);
      }
      for (std::size_t j = 0; j < used.size(); ++j) {
        CHECK(used[j] <= static_cast<double>(setting.types[j].count) * (1 + 1e-7));
      }
    }
  }
}

TEST_CASE("rounds: too many jobs are an overload, not an average") {
  Setting setting{{{"only", 1}}, std::vector<TraceJob>(30, {0, 1, {1}, 1000})};
  RoundOptions options;
  options.most_jobs = 29;
  CHECK(simulate(setting, options).overloaded);
  options.most_jobs = 30;
  CHECK_FALSE(simulate(setting, options).overloaded);
}

TEST_CASE("rounds: drawn traces have the load, the times and the workers that they should") {
  JobKinds kinds{"test", {{"a", 8}, {"b", 8}}, {}};
  for (const std::size_t workers : {1U, 2U, 4U, 8U}) kinds.kinds.push_back({"x", workers, {8, 2}});
  constexpr int count = 40000;
  td::job::DrawnTrace trace(kinds, {6, true, 1}, 3);
  double last = 0, shorts = 0, minutes_log = 0;
  std::map<std::size_t, double> of_workers;
  for (int i = 0; i < count; ++i) {
    const TraceJob job = trace.next();
    CHECK(job.arrival_s >= last);
    last = job.arrival_s;
    const double minutes = job.steps / 2 / 60;
    CHECK(minutes >= std::pow(10, 1.5) * (1 - 1e-9));
    CHECK(minutes <= 1e4 * (1 + 1e-9));
    shorts += minutes < 1000;
    minutes_log += std::log10(minutes);
    ++of_workers[job.workers];
  }
  CHECK(count / (last / 3600) == doctest::Approx(6).epsilon(0.02));
  CHECK(shorts / count == doctest::Approx(0.8).epsilon(0.01));
  CHECK(minutes_log / count == doctest::Approx(0.8 * 2.25 + 0.2 * 3.5).epsilon(0.01));
  CHECK(of_workers[1] / count == doctest::Approx(0.7).epsilon(0.02));
  CHECK(of_workers[2] / count == doctest::Approx(0.1).epsilon(0.05));
  CHECK(of_workers[4] / count == doctest::Approx(0.15).epsilon(0.05));
  CHECK(of_workers[8] / count == doctest::Approx(0.05).epsilon(0.06));
}
