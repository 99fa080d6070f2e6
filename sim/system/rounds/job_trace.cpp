// SPDX-License-Identifier: Apache-2.0
#include "sim/system/rounds/job_trace.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/support/error.hpp"
#include "sim/system/cases/case_file.hpp"

namespace td::job {
namespace {

constexpr double kMostWorkers = 1 << 16, kMostRate = 1e9, kMostSteps = 1e15, kMostSeconds = 1e12;

/// Shares of the jobs with so many workers at most: a cluster's log as the authors condense it.
struct WorkerShare {
  double below;
  std::size_t workers;
};
constexpr WorkerShare kWorkerShares[] = {{0.7, 1}, {0.8, 2}, {0.95, 4}, {1, 8}};

/// Exponents of ten of a job's minutes.
constexpr double kShortJobs = 0.8, kShort = 1.5, kLong = 3, kLongest = 4;

JobKind read_kind(const Table& table, std::size_t row, const std::vector<WorkerType>& types) {
  JobKind kind;
  kind.name = table.text(row, "job_type");
  kind.workers = static_cast<std::size_t>(table.number(row, "scale_factor", 1, kMostWorkers));
  for (const WorkerType& type : types) {
    const std::string column = type.name + "_steps_per_s";
    const bool none = table.text(row, column).empty() || kind.workers > type.count;
    kind.steps_per_s.push_back(none ? 0 : table.number(row, column, 0, kMostRate));
  }
  return kind;
}

double best_rate(const JobKind& kind) {
  return *std::max_element(kind.steps_per_s.begin(), kind.steps_per_s.end());
}

/// Puts the fastest type first, in all kinds too.
void order_types(JobKinds& all) {
  std::vector<double> speed(all.types.size());
  std::vector<std::size_t> order(all.types.size());
  for (std::size_t j = 0; j < order.size(); ++j) order[j] = j;
  for (const JobKind& kind : all.kinds) {
    for (std::size_t j = 0; j < speed.size(); ++j) {
      speed[j] += kind.steps_per_s[j] / best_rate(kind);
    }
  }
  std::stable_sort(order.begin(), order.end(),
                   [&speed](std::size_t a, std::size_t b) { return speed[a] > speed[b]; });
  const auto arrange = [&order](auto& items) {
    auto arranged = items;
    for (std::size_t j = 0; j < order.size(); ++j) arranged[j] = items[order[j]];
    items = std::move(arranged);
  };
  arrange(all.types);
  for (JobKind& kind : all.kinds) arrange(kind.steps_per_s);
}

}  // namespace

JobKinds read_job_kinds(const std::string& path,
                        const std::map<std::string, std::size_t>& cluster) {
  JobKinds all;
  all.source = path;
  for (const auto& [name, count] : cluster) all.types.push_back({name, count});
  const Table table = read_table(path);
  for (std::size_t row = 0; row < table.rows.size(); ++row) {
    JobKind kind = read_kind(table, row, all.types);
    if (best_rate(kind) > 0) all.kinds.push_back(std::move(kind));
  }
  if (all.kinds.empty()) throw UserError(path, "job_type", "none", "one that the cluster can run");
  order_types(all);
  return all;
}

std::vector<TraceJob> read_trace(const std::string& path, const JobKinds& kinds) {
  const Table table = read_table(path);
  std::vector<TraceJob> trace;
  double before = 0;
  for (std::size_t row = 0; row < table.rows.size(); ++row) {
    const std::string& name = table.text(row, "job_type");
    const auto workers =
        static_cast<std::size_t>(table.number(row, "scale_factor", 1, kMostWorkers));
    const auto kind = std::find_if(kinds.kinds.begin(), kinds.kinds.end(), [&](const JobKind& one) {
      return one.name == name && one.workers == workers;
    });
    if (kind == kinds.kinds.end()) {
      throw UserError(path, fmt::format("job_type in line {}", row + 2),
                      fmt::format("{} with scale_factor {}", name, workers),
                      "a row of " + kinds.source + " that the cluster can run");
    }
    before = table.number(row, "arrival_s", before, kMostSeconds);
    trace.push_back(
        {before, workers, kind->steps_per_s, table.number(row, "steps", 1e-9, kMostSteps)});
  }
  if (trace.empty()) throw UserError(path, "lines", "none", "one or more jobs");
  return trace;
}

DrawnTrace::DrawnTrace(const JobKinds& kinds, const TraceModel& model, std::uint64_t seed)
    : kinds_(kinds), model_(model), random_(seed) {
  for (const JobKind& kind : kinds.kinds) {
    // Time is drawn for the reference type: a kind that cannot run there has no number of steps.
    if (kind.steps_per_s[model.reference] > 0) of_workers_[kind.workers].push_back(&kind);
  }
  for (const WorkerShare& share : kWorkerShares) {
    if (share.workers > 1 && !model.several_workers) break;
    if (of_workers_.count(share.workers) > 0) continue;
    throw UserError(kinds.source, "scale_factor", "none is " + std::to_string(share.workers),
                    "a kind that runs on " + kinds.types[model.reference].name);
  }
}

double DrawnTrace::uniform(double least, double most) {
  constexpr double scale = 0x1p-53;  // as many bits as a double tells apart
  constexpr int unused_bits = 11;
  return least + (most - least) * (static_cast<double>(random_() >> unused_bits) * scale);
}

std::size_t DrawnTrace::draw_workers() {
  const double draw = uniform(0, 1);
  const auto* share = std::find_if(std::begin(kWorkerShares), std::end(kWorkerShares),
                                   [draw](const WorkerShare& one) { return draw < one.below; });
  return model_.several_workers ? share->workers : 1;
}

TraceJob DrawnTrace::next() {
  constexpr double hour = 3600, minute = 60, ten = 10;
  TraceJob job;
  now_s_ -= std::log(1 - uniform(0, 1)) * hour / model_.jobs_per_hour;
  job.arrival_s = now_s_;
  job.workers = draw_workers();
  const bool is_short = uniform(0, 1) < kShortJobs;
  const double exponent = is_short ? uniform(kShort, kLong) : uniform(kLong, kLongest);
  const std::vector<const JobKind*>& kinds = of_workers_.at(job.workers);
  const auto pick = static_cast<std::size_t>(uniform(0, static_cast<double>(kinds.size())));
  job.steps_per_s = kinds[pick]->steps_per_s;
  job.steps = minute * std::pow(ten, exponent) * job.steps_per_s[model_.reference];
  return job;
}

}  // namespace td::job
