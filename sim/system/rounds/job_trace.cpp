// SPDX-License-Identifier: Apache-2.0
#include "sim/system/rounds/job_trace.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

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

PythonRandom::PythonRandom(std::uint32_t seed) {
  // A seed of one word is spread over the state as the generator's authors do it for a key.
  struct Key {
    using result_type = std::uint32_t;
    std::uint32_t seed;
    void generate(std::uint32_t* begin, std::uint32_t* end) const {
      constexpr std::uint32_t start = 19650218, first = 1664525, second = 1566083941;
      constexpr std::uint32_t step = 1812433253, shift = 30;
      const auto mixed = [begin](std::ptrdiff_t i) { return begin[i - 1] ^ begin[i - 1] >> shift; };
      const std::ptrdiff_t size = end - begin;
      begin[0] = start;
      for (std::ptrdiff_t i = 1; i < size; ++i) {
        begin[i] = step * mixed(i) + static_cast<std::uint32_t>(i);
      }
      for (std::ptrdiff_t k = 0, i = 1; k < 2 * size - 1; ++k) {
        const auto drop = static_cast<std::uint32_t>(i);
        begin[i] =
            k < size ? (begin[i] ^ mixed(i) * first) + seed : (begin[i] ^ mixed(i) * second) - drop;
        if (++i < size) continue;
        begin[0] = begin[size - 1];
        i = 1;
      }
      begin[0] = 1U << 31;
    }
  } key{seed};
  bits_.seed(key);
}

double PythonRandom::uniform(double least, double most) {
  constexpr double high = 0x1p26, all = 0x1p-53;
  const double upper = static_cast<double>(bits_() >> 5) * high;
  return least + (most - least) * ((upper + static_cast<double>(bits_() >> 6)) * all);
}

std::size_t PythonRandom::below(std::size_t count) {
  int unused = 32;
  while (count >> (32 - unused) != 0) --unused;
  std::size_t found = count;
  while (found >= count) found = bits_() >> unused;
  return found;
}

DrawnTrace::DrawnTrace(const JobKinds& kinds, const TraceModel& model, std::uint64_t seed)
    : model_(model),
      jobs_(static_cast<std::uint32_t>(seed) + 2),
      arrivals_(static_cast<std::uint32_t>(seed) + 3) {
  std::set<std::size_t> workers;
  for (const JobKind& kind : kinds.kinds) {
    // Time is drawn for the reference type: a kind that cannot run there has no number of steps.
    if (kind.steps_per_s[model.reference] <= 0) continue;
    if (std::find(names_.begin(), names_.end(), kind.name) == names_.end()) {
      names_.push_back(kind.name);
    }
    kinds_[{kind.name, kind.workers}] = &kind;
    workers.insert(kind.workers);
  }
  for (const WorkerShare& share : kWorkerShares) {
    if (share.workers > 1 && !model.several_workers) break;
    if (workers.count(share.workers) > 0) continue;
    throw UserError(kinds.source, "scale_factor", "none is " + std::to_string(share.workers),
                    "a kind that runs on " + kinds.types[model.reference].name);
  }
}

TraceJob DrawnTrace::next() {
  constexpr double hour = 3600, minute = 60, ten = 10;
  TraceJob job;
  job.arrival_s = now_s_;
  now_s_ -= std::log(1 - arrivals_.uniform(0, 1)) * hour / model_.jobs_per_hour;
  const double draw = jobs_.uniform(0, 1);  // also where all have one
  const auto* share = std::find_if(std::begin(kWorkerShares), std::end(kWorkerShares),
                                   [draw](const WorkerShare& one) { return draw < one.below; });
  if (model_.several_workers) job.workers = share->workers;
  const bool is_short = jobs_.uniform(0, 1) < kShortJobs;
  const double exponent = is_short ? jobs_.uniform(kShort, kLong) : jobs_.uniform(kLong, kLongest);
  auto kind = kinds_.end();
  while (kind == kinds_.end()) {
    kind = kinds_.find({names_[jobs_.below(names_.size())], job.workers});
  }
  job.steps_per_s = kind->second->steps_per_s;
  job.steps = minute * std::pow(ten, exponent) * job.steps_per_s[model_.reference];
  return job;
}

}  // namespace td::job
