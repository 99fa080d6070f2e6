// SPDX-License-Identifier: Apache-2.0
#include "sim/system/allocation/policy.hpp"

#include <algorithm>
#include <functional>

#include "base/support/error.hpp"
#include "sim/system/linear/linear.hpp"

namespace td::job {
namespace {

constexpr double kFinishPrecision = 1e-10;  ///< of the worst ratio, relative
constexpr double kLeastDuration = 100, kMostDuration = 1e6, kNear = 1.05;

/// The program that all policies share: a variable for each job and type, the time that they have,
/// and the accelerators that there are.
class Program {
 public:
  /// `value` of a job on a type is what the objective counts for all of its time there.
  using Value = std::function<double(const ClusterJob&, const std::string& type)>;

  Program(const SharedCluster& cluster, const Value& value) : cluster_(cluster) {
    std::vector<std::vector<Term>> used(cluster.count.size());
    for (const ClusterJob& job : cluster.jobs) {
      std::vector<Term> time;
      std::size_t type = 0;
      for (const auto& [name, count] : cluster.count) {
        const std::size_t share = linear_.add_variable(job.alike * value(job, name));
        time.push_back({share, 1});
        used[type++].push_back({share, job.alike * job.workers});
      }
      shares_.push_back(time);
      linear_.add_row(std::move(time), 0, 1);
    }
    std::size_t type = 0;
    for (const auto& [name, count] : cluster.count) linear_.add_row(used[type++], 0, count);
    linear_.maximise();
  }

  /// Adds a variable that is maximised, and for each job Σ scale·rate·share ≥ least·variable.
  void maximise_least(const std::vector<double>& least, bool agnostic) {
    const std::size_t goal = linear_.add_variable(1);
    for (std::size_t i = 0; i < shares_.size(); ++i) {
      std::vector<Term> row = rates(i, agnostic);
      row.push_back({goal, -least[i]});
      linear_.add_row(std::move(row), 0, kUnbounded);
    }
  }

  Allocation solve() const {
    const auto solution = linear_.optimum(cluster_.source, "allocation");
    Allocation result{solution.objective, {}, {}};
    for (std::size_t i = 0; i < shares_.size(); ++i) {
      double sum = 0;
      for (const Term& term : rates(i, false)) {
        sum += term.coefficient * solution.values[term.variable];
      }
      result.throughput.push_back(sum);
      auto& share = result.share.emplace_back();
      std::size_t type = 0;
      for (const auto& [name, count] : cluster_.count) {
        share[name] = solution.values[shares_[i][type++].variable];
      }
    }
    return result;
  }

 private:
  std::vector<Term> rates(std::size_t i, bool agnostic) const {
    std::vector<Term> row = shares_[i];
    std::size_t type = 0;
    for (const auto& [name, count] : cluster_.count) {
      row[type++].coefficient = agnostic ? 1 : cluster_.jobs[i].throughput.at(name);
    }
    return row;
  }

  const SharedCluster& cluster_;
  LinearProgram linear_;
  std::vector<std::vector<Term>> shares_;  ///< of each job, by type
};

double nothing(const ClusterJob& /*job*/, const std::string& /*type*/) { return 0; }

/// Steps a second of a job with shares of its time in the proportion of the cluster's types.
double split_rate(const SharedCluster& cluster, const ClusterJob& job) {
  double rate = 0, all = 0;
  for (const auto& [type, count] : cluster.count) {
    rate += job.throughput.at(type) * count;
    all += count;
  }
  return rate / all;
}

Allocation max_min(const SharedCluster& cluster, bool agnostic) {
  std::vector<double> least;
  for (const ClusterJob& job : cluster.jobs) {
    const double whole = agnostic ? 1 : split_rate(cluster, job);
    least.push_back(job.priority * whole / job.workers);
  }
  Program program(cluster, nothing);
  program.maximise_least(least, agnostic);
  return program.solve();
}

/// Steps a second of a job that has an equal part of the cluster for itself.
double isolated_rate(const SharedCluster& cluster, const ClusterJob& job) {
  double rate = 0, time = 0, jobs = 0;
  for (const ClusterJob& one : cluster.jobs) jobs += one.alike;
  for (const auto& [type, count] : cluster.count) {
    const double share = count / jobs / job.workers;
    rate += job.throughput.at(type) * share;
    time += share;
  }
  return rate / std::max(time, 1.0);
}

/// The worst ratio is at most `ratio` where each job has the rate that it then needs: the least
/// share of it that an allocation can give to all.
Allocation needed_rates(const SharedCluster& cluster, double ratio) {
  std::vector<double> least;
  for (const ClusterJob& job : cluster.jobs) {
    const double isolated = job.steps_remaining / isolated_rate(cluster, job);
    least.push_back(job.steps_remaining / (ratio * isolated - job.seconds_since_start));
  }
  Program program(cluster, nothing);
  program.maximise_least(least, false);
  return program.solve();
}

Allocation finish_time(const SharedCluster& cluster) {
  double low = 0;  // no less, however fast a job runs
  for (const ClusterJob& job : cluster.jobs) {
    const double isolated = job.steps_remaining / isolated_rate(cluster, job);
    low = std::max(low, job.seconds_since_start / isolated);
  }
  double high = 2 * low + 1;
  while (needed_rates(cluster, high).objective < 1) high *= 2;
  while (high - low > kFinishPrecision * high) {
    const double middle = (low + high) / 2;
    (needed_rates(cluster, middle).objective >= 1 ? high : low) = middle;
  }
  Allocation result = needed_rates(cluster, high);
  result.objective = high;
  return result;
}

Allocation total_duration(const SharedCluster& cluster) {
  std::vector<double> least;
  for (const ClusterJob& job : cluster.jobs) least.push_back(job.steps_remaining);
  Program program(cluster, nothing);
  program.maximise_least(least, false);
  Allocation result = program.solve();
  result.objective = 1 / result.objective;
  return result;
}

double price_of(const SharedCluster& cluster, const std::string& type) {
  const auto found = cluster.price.find(type);
  if (found == cluster.price.end()) {
    throw UserError(cluster.source, "price", type, "types whose prices are known");
  }
  return found->second;
}

void check(const SharedCluster& cluster) {
  if (cluster.jobs.empty()) throw UserError(cluster.source, "jobs", "none", "one or more");
  for (std::size_t i = 0; i < cluster.jobs.size(); ++i) {
    for (const auto& [type, count] : cluster.count) {
      if (cluster.jobs[i].throughput.count(type) == 0) {
        throw UserError(cluster.source, "throughput of job " + std::to_string(i), "none",
                        "a number for " + type);
      }
    }
    if (split_rate(cluster, cluster.jobs[i]) > 0) continue;
    throw UserError(cluster.source, "throughput of job " + std::to_string(i), "0",
                    "above 0 on a type that the cluster has");
  }
}

}  // namespace

Allocation allocate(const SharedCluster& cluster, AllocationPolicy policy) {
  check(cluster);
  const auto steps = [](const ClusterJob& job, const std::string& type) {
    return job.throughput.at(type);
  };
  switch (policy) {
    case AllocationPolicy::max_min_fairness:
      return max_min(cluster, false);
    case AllocationPolicy::max_min_fairness_agnostic:
      return max_min(cluster, true);
    case AllocationPolicy::throughput_sum:
      return Program(cluster, steps).solve();
    case AllocationPolicy::throughput_per_cost:
      return Program(cluster,
                     [&](const ClusterJob& job, const std::string& type) {
                       return steps(job, type) / price_of(cluster, type);
                     })
          .solve();
    case AllocationPolicy::finish_time_fairness:
      return finish_time(cluster);
    case AllocationPolicy::min_total_duration:
      break;
  }
  return total_duration(cluster);
}

DurationSearch search_duration(double exact_seconds) {
  DurationSearch search{kMostDuration, 0};
  double low = kLeastDuration, high = kMostDuration;
  while (kNear * low < high) {
    const double middle = (low + high) / 2;
    ++search.steps;
    if (middle >= exact_seconds) {
      high = search.seconds = middle;
    } else {
      low = middle;
    }
  }
  return search;
}

}  // namespace td::job
