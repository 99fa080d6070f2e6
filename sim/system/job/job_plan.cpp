// SPDX-License-Identifier: Apache-2.0
#include "sim/system/job/job_plan.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <tuple>
#include <vector>

#include "base/support/error.hpp"
#include "base/support/progress.hpp"
#include "sim/system/checkfreq/checkfreq_cases.hpp"
#include "sim/system/job/candidate.hpp"
#include "sim/system/profile/profile_table.hpp"
#include "sim/system/scenario/units.hpp"
#include "sim/system/stalls/stalls_cases.hpp"

namespace td::job {

namespace {

constexpr double kMost = 1e15, kLeast = 1e-9, kBytesOfGigabyte = 1e9, kJoulesOfKilowattHour = 3.6e6;
constexpr std::int64_t kMostCount = std::int64_t{1} << 40;
constexpr double kMostSteps = 1 << 24;

/// What the best has least of.
struct Objective {
  const char* name;
  const char* key;  ///< what the table must say for it
  double (*of)(const Candidate&);
};
constexpr Objective kObjectives[] = {
    {"time", "epochs", [](const Candidate& one) { return one.seconds.total(); }},
    {"cost", "usd_per_hour", [](const Candidate& one) { return one.usd; }},
    {"energy", "watts", [](const Candidate& one) { return one.kwh; }}};

/// All that a table says but for the profile.
struct JobRequest {
  JobMachine machine;
  JobOptions options;
  std::vector<Offering> offerings;
  std::int64_t accelerators;
  std::int64_t samples_of_step;
  double memory_bytes;
  const Objective* objective;
};

double number_or(const TomlTable& table, const char* key, double least, double otherwise) {
  return table.has(key) ? table.number(key, least, kMost) : otherwise;
}

/// Means of several causes of loss.
std::optional<double> either(std::optional<double> one, std::optional<double> other) {
  if (!one || !other) return one ? one : other;
  return 1 / (1 / *one + 1 / *other);
}

/// Refuses keys that nothing reads without another.
void refuse_alone(const TomlTable& table, const char* other,
                  std::initializer_list<const char*> keys) {
  for (const char* key : keys) {
    if (table.has(key)) table.fail(key, fmt::format("(absent), without {}", other));
  }
}

std::vector<Offering> read_offerings(const TomlTable& table) {
  std::optional<double> failures;
  if (table.has("mean_between_failures_s")) {
    failures = table.number("mean_between_failures_s", 1, kMost);
  }
  std::vector<Offering> offerings = {
      {"on_demand", number_or(table, "usd_per_hour", 0, 0), failures}};
  if (!table.has("spot_usd_per_hour")) {
    refuse_alone(table, "spot_usd_per_hour", {"mean_between_preemptions_s"});
    return offerings;
  }
  if (!table.has("usd_per_hour")) table.fail("spot_usd_per_hour", "(absent), without usd_per_hour");
  offerings.push_back({"spot", table.number("spot_usd_per_hour", 0, kMost),
                       either(failures, table.number("mean_between_preemptions_s", 1, kMost))});
  return offerings;
}

void read_input(const TomlTable& table, JobOptions& options) {
  if (!table.has("dataset_gib")) {
    refuse_alone(
        table, "dataset_gib",
        {"memory_gib_per_s", "disk_mib_per_s", "preprocess_samples_per_s", "cache_percent"});
    return;
  }
  read_data_path(table, 1);  // refuses what is wrong at once
  options.data_path = [&table](double rate) { return read_data_path(table, rate); };
  options.cached_share = table.number("cache_percent", 0, 100) / 100;
}

void read_losses(const TomlTable& table, JobOptions& options) {
  if (!table.has("mean_between_failures_s") && !table.has("spot_usd_per_hour")) {
    refuse_alone(table, "mean_between_failures_s or spot_usd_per_hour",
                 {"restart_s", "seed", "state_bytes_per_parameter", "free_gpu_mb",
                  "cpu_copy_mb_per_s", "gpu_copy_mb_per_s", "disk_mb_per_s", "bound_percent"});
    return;
  }
  read_checkpoint(table, 1, 1);
  options.checkpoint = [&table](double parameters, double step_s) {
    return read_checkpoint(table, parameters, step_s);
  };
  options.bound_percent = table.number("bound_percent", 1e-6, 100);
  options.restart_s = table.number("restart_s", 0, kMost);
  options.seed = static_cast<std::uint64_t>(
      table.has("seed") ? table.integer("seed", 0, std::int64_t{1} << 32) : 0);
}

void read_power(const TomlTable& table, JobOptions& options) {
  if (!table.has("watts")) return refuse_alone(table, "watts", {"idle_watts"});
  options.watts = table.number("watts", kLeast, kMost);
  options.idle_watts = number_or(table, "idle_watts", 0, options.watts);
}

const Objective& objective_of(const TomlTable& table) {
  const std::string name = table.has("objective") ? table.name("objective") : "time";
  for (const Objective& one : kObjectives) {
    if (name == one.name) return one;
  }
  table.fail("objective", "time, cost or energy");
}

JobRequest read_request(const TomlTable& table, const Cluster& cluster) {
  constexpr double usual_bucket_mib = 25, usual_copies = 4;
  constexpr std::int64_t most_accelerators = 1024, most_batch = 1 << 20;
  if (cluster.accelerators > most_accelerators) {
    throw UserError(table.file(), "cluster.accelerators", fmt::format("{}", cluster.accelerators),
                    fmt::format("1..{} for a job", most_accelerators));
  }
  JobRequest request;
  request.machine = {cluster.link_bytes_per_s,
                     number_or(table, "bucket_mib", 0, usual_bucket_mib) * kMebibyte,
                     number_or(table, "copies_of_parameters", 1, usual_copies), 1, 1};
  if (table.has("of_node")) {
    constexpr double bytes_of_gbit = 1e9 / 8;
    request.machine.of_node = table.integer("of_node", 1, cluster.accelerators);
    request.machine.inner_bytes_per_s =
        table.number("inner_gbit_per_s", kLeast, kMost) * bytes_of_gbit;
  } else {
    refuse_alone(table, "of_node", {"inner_gbit_per_s"});
  }
  request.accelerators = cluster.accelerators;
  request.samples_of_step = table.integer("batch", 1, most_batch) * cluster.accelerators;
  request.memory_bytes = number_or(table, "memory_gb", 0, kMost) * kBytesOfGigabyte;
  request.options.samples_per_step = static_cast<double>(request.samples_of_step);
  request.options.samples = static_cast<double>(table.integer("samples", 1, kMostCount)) *
                            table.number("epochs", kLeast, kMost);
  if (request.options.samples > kMostSteps * request.options.samples_per_step) {
    table.fail("epochs", fmt::format("at most {:.0f} steps of {} samples", kMostSteps,
                                     request.samples_of_step));
  }
  request.offerings = read_offerings(table);
  read_input(table, request.options);
  read_losses(table, request.options);
  read_power(table, request.options);
  request.objective = &objective_of(table);
  table.number(request.objective->key, kLeast, kMost);
  return request;
}

/// The profile of so many times the samples.
Profile times(Profile profile, double factor) {
  for (ProfileLayer& layer : profile.layers) {
    layer.forward_s *= factor;
    layer.backward_s *= factor;
    layer.activation_bytes *= factor;
  }
  return profile;
}

/// Those that the table leaves to be chosen, of every number of accelerators that divides all.
std::vector<Composition> allowed(const TomlTable& table, const JobRequest& request,
                                 std::size_t layers) {
  std::vector<Composition> found;
  for (std::int64_t n = 1; n <= request.accelerators; ++n) {
    if (request.accelerators % n != 0) continue;
    for (const Composition& one :
         compositions_of(n, static_cast<std::int64_t>(layers), request.samples_of_step,
                         request.machine.of_node)) {
      const auto is = [&table](const char* key, std::int64_t value) {
        return !table.has(key) || table.integer(key, 1, kMostCount) == value;
      };
      if (is("stages", one.stages) && is("shards", one.shards) &&
          is("microbatches", one.microbatches)) {
        found.push_back(one);
      }
    }
  }
  if (found.empty()) {
    const char* first = table.has("microbatches") ? "microbatches"
                        : table.has("stages")     ? "stages"
                                                  : "shards";
    table.fail(first,
               "what the accelerators, the layers and the samples of a step can be divided into");
  }
  return found;
}

struct Found {
  std::vector<Candidate> candidates;
  std::size_t fitting = 0, too_large = 0;  ///< compositions, by memory
  double least_bytes = HUGE_VAL;           ///< of those that are too large
};

Found search(const TomlTable& table, const JobRequest& request, const Profile& profile) {
  Found found;
  const double profiled = static_cast<double>(table.integer("batch", 1, kMostCount));
  const std::vector<Composition> compositions = allowed(table, request, profile.layers.size());
  Progress progress("compositions", static_cast<std::int64_t>(compositions.size()),
                    ::isatty(STDERR_FILENO) != 0);
  std::int64_t done = 0;
  for (const Composition& one : compositions) {
    progress.show(done++);
    const double samples =
        static_cast<double>(request.samples_of_step) / static_cast<double>(one.replicas);
    const Profile replica = times(profile, samples / profiled);
    const ComposedStep step = step_of(replica, one, request.machine);
    if (step.memory_bytes > request.memory_bytes) {
      ++found.too_large;
      found.least_bytes = std::min(found.least_bytes, step.memory_bytes);
      continue;
    }
    ++found.fitting;
    for (const Offering& offering : request.offerings) {
      if (auto candidate = candidate_of(replica, one, step, offering, request.options)) {
        found.candidates.push_back(*candidate);
      }
    }
  }
  return found;
}

Plan line_of(const Candidate& one) {
  Plan line;
  line["accelerators"] = one.composition.accelerators();
  line["composition"] = to_text(one.composition);
  line["offering"] = one.offering.name;
  line["hours"] = one.seconds.total() / kHour;
  line["usd"] = one.usd;
  return line;
}

/// Which is better for an objective; time, then cost decide between equals.
bool better(const Candidate& a, const Candidate& b, const Objective& objective) {
  return std::tuple(objective.of(a), a.seconds.total(), a.usd) <
         std::tuple(objective.of(b), b.seconds.total(), b.usd);
}

/// Those that no other beats in time and cost, the fastest first.
Plan front_of(std::vector<Candidate> candidates) {
  std::sort(candidates.begin(), candidates.end(),
            [](const Candidate& a, const Candidate& b) { return better(a, b, kObjectives[0]); });
  Plan front = Plan::array();
  double cheapest = HUGE_VAL;
  for (const Candidate& one : candidates) {
    if (one.usd >= cheapest) continue;
    cheapest = one.usd;
    front.push_back(line_of(one));
  }
  return front;
}

Plan shares_of(const JobSeconds& seconds) {
  Plan shares;
  const auto share = [&](const char* name, double part) {
    shares[name] = 100 * part / seconds.total();
  };
  share("compute", seconds.compute);
  share("split", seconds.split);
  share("pipeline", seconds.pipeline);
  share("exchange", seconds.exchange);
  share("input", seconds.input);
  share("snapshots", seconds.snapshots);
  share("lost", seconds.lost);
  share("restarts", seconds.restarts);
  return shares;
}

Plan answer(const TomlTable& table, const JobRequest& request, const Profile& profile) {
  const Found found = search(table, request, profile);
  if (found.candidates.empty()) {
    if (found.fitting == 0) {
      // Rounded up: what the line says is enough.
      const double megabytes = std::ceil(found.least_bytes / kMegabyte);
      table.fail("memory_gb",
                 fmt::format("{:.3f} or more", megabytes * kMegabyte / kBytesOfGigabyte));
    }
    const bool spot = request.offerings.size() > 1;
    table.fail(spot ? "mean_between_preemptions_s" : "mean_between_failures_s",
               "more, or the job might never end");
  }
  const auto best = *std::min_element(
      found.candidates.begin(), found.candidates.end(),
      [&](const Candidate& a, const Candidate& b) { return better(a, b, *request.objective); });
  Plan plan = line_of(best);
  plan["samples_of_step"] = request.samples_of_step;
  plan["step_s"] = best.step.seconds();
  plan["samples_per_s"] = request.options.samples / best.seconds.total();
  if (table.has("watts")) {
    plan["kwh"] = best.kwh;
    plan["samples_per_joule"] = request.options.samples / (best.kwh * kJoulesOfKilowattHour);
  }
  plan["memory_gb"] = best.step.memory_bytes / kBytesOfGigabyte;
  plan["percent_of_time"] = shares_of(best.seconds);
  plan["considered"] = found.candidates.size();
  plan["too_large_for_memory"] = found.too_large;
  plan["front"] = front_of(found.candidates);
  return plan;
}

}  // namespace

Plan plan_job(const TomlTable& table, const Cluster& cluster) {
  table.allow_only({"kind",
                    "profile",
                    "hardware",
                    "snapshot",
                    "batch",
                    "profile_batch",
                    "without_weights",
                    "samples",
                    "epochs",
                    "objective",
                    "memory_gb",
                    "copies_of_parameters",
                    "bucket_mib",
                    "stages",
                    "shards",
                    "microbatches",
                    "of_node",
                    "inner_gbit_per_s",
                    "dataset_gib",
                    "memory_gib_per_s",
                    "disk_mib_per_s",
                    "preprocess_samples_per_s",
                    "cache_percent",
                    "mean_between_failures_s",
                    "restart_s",
                    "seed",
                    "state_bytes_per_parameter",
                    "free_gpu_mb",
                    "cpu_copy_mb_per_s",
                    "gpu_copy_mb_per_s",
                    "disk_mb_per_s",
                    "bound_percent",
                    "usd_per_hour",
                    "spot_usd_per_hour",
                    "mean_between_preemptions_s",
                    "watts",
                    "idle_watts"});
  const JobRequest request = read_request(table, cluster);
  return plan_by_hardware(table, [&](const std::string& hardware) {
    return answer(table, request, read_profile_of(table, hardware));
  });
}

}  // namespace td::job
