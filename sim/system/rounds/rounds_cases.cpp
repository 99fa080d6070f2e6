// SPDX-License-Identifier: Apache-2.0
#include "sim/system/rounds/rounds_cases.hpp"

#include <map>
#include <optional>
#include <string>
#include <utility>

#include "sim/system/rounds/study.hpp"
#include "sim/system/scenario/units.hpp"

namespace td::job {
namespace {

/// The evaluation's: 36 accelerators of each type, jobs 4000 to 4999 of three traces.
Study recorded_study(const CaseFile& file, bool several_workers) {
  constexpr std::size_t of_each = 36, first = 4000, end = 5000;
  Study study;
  study.kinds = read_job_kinds(file.sibling("gavel", "isolated_throughputs.csv"),
                               {{"k80", of_each}, {"p100", of_each}, {"v100", of_each}});
  study.model.several_workers = several_workers;
  for (std::size_t j = 0; j < study.kinds.types.size(); ++j) {
    if (study.kinds.types[j].name == "v100") study.model.reference = j;
  }
  study.options.first_job = first;
  study.options.end_job = end;
  study.seeds = {0, 1, 2};
  return study;
}

/// The figures of these numbers are of completion times; the others are of ratios to the time that
/// a job would take in its own part of the cluster.
bool of_completion_times(double figure) { return figure <= 2; }

/// A program for each job and each of the bisection's steps takes hours over a table.
bool answered(RoundPolicy policy) { return policy != RoundPolicy::finish_time_fairness_perf; }

}  // namespace

void answer_completion_times(const CaseFile& file, const CaseOutput& print) {
  const Table table = read_table(file.path());
  std::map<std::pair<RoundPolicy, double>, std::size_t> index;
  std::vector<StudyPoint> points;
  std::vector<std::optional<std::size_t>> point_of;
  std::vector<Json> lines;
  for (std::size_t row = 0; row < table.rows.size(); ++row) {
    constexpr double most_figures = 1000, most_rate = 1e4;
    const double figure = table.number(row, "figure_in_notebook", 0, most_figures);
    const double rate = table.number(row, "input_jobs_per_hour", 1e-6, most_rate);
    const std::string& name = table.text(row, "policy");
    lines.push_back({{"figure_in_notebook", static_cast<int>(figure)},
                     {"input_jobs_per_hour", rate},
                     {"policy", name}});
    point_of.emplace_back();
    const auto policy = round_policy(name);
    if (!policy || !answered(*policy) || !of_completion_times(figure)) continue;
    const auto [found, is_new] = index.try_emplace({*policy, rate}, points.size());
    if (is_new) points.push_back({*policy, rate});
    point_of.back() = found->second;
  }
  const bool several_workers = fits(file.name(), "*multigpu*");
  const auto results = run_study(recorded_study(file, several_workers), points);
  for (std::size_t row = 0; row < lines.size(); ++row) {
    const bool known = point_of[row] && !results[*point_of[row]].overloaded;
    lines[row]["average_jct_hours"] =
        known ? Json(results[*point_of[row]].average_completion_s / kHour) : Json(nullptr);
    print(lines[row]);
  }
}

}  // namespace td::job
