// SPDX-License-Identifier: Apache-2.0
#include "sim/system/score/score_cases.hpp"

#include <array>
#include <map>

#include "base/support/error.hpp"
#include "sim/system/score/score.hpp"

namespace td::job {
namespace {

constexpr double kMostSeconds = 1e9;

using Submission = std::array<std::string, 3>;  ///< org, system, benchmark

struct Submissions {
  std::vector<Submission> order;
  std::map<Submission, std::vector<TrainingRun>> runs;
};

Submission submission_of(const Table& table, std::size_t row) {
  return {table.text(row, "org"), table.text(row, "system"), table.text(row, "benchmark")};
}

TrainingRun run_of(const Table& table, std::size_t row) {
  const std::string& status = table.text(row, "status");
  // Logs write both.
  const bool aborted = status == "abort" || status == "aborted";
  if (!aborted && status != "success") {
    throw UserError(table.file, "status", status, "success or abort");
  }
  return {table.number(row, "seconds", 1e-3, kMostSeconds), aborted};
}

Submissions read_runs(const std::string& path) {
  const Table table = read_table(path);
  Submissions all;
  for (std::size_t row = 0; row < table.rows.size(); ++row) {
    const Submission one = submission_of(table, row);
    auto& runs = all.runs[one];
    if (runs.empty()) all.order.push_back(one);
    runs.push_back(run_of(table, row));
  }
  return all;
}

Json line_of(const Submission& one, const std::vector<TrainingRun>& runs, const std::string& path) {
  const auto required = required_runs(one[2]);
  if (!required)
    throw UserError(path, "benchmark", one[2], "resnet, ssd, mask, gnmt or transformer");
  Json line = {{"org", one[0]}, {"system", one[1]}, {"benchmark", one[2]}, {"runs", runs.size()}};
  const TrainingScore score = score_of(runs, *required);
  line["aborted"] = score.aborted;
  line["required_runs"] = *required;
  line["score_minutes"] = score.minutes ? Json(*score.minutes) : Json();
  for (const char* name : {"mean_s", "stdev_s", "cv", "max_over_min"}) line[name] = Json();
  if (!score.times) return line;
  line["mean_s"] = score.times->mean_seconds;
  line["stdev_s"] = score.times->deviation_seconds;
  line["cv"] = score.times->variation;
  line["max_over_min"] = score.times->slowest_over_fastest;
  return line;
}

}  // namespace

void answer_training_runs(const CaseFile& file, const CaseOutput& print) {
  const Submissions all = read_runs(file.path());
  for (const Submission& one : all.order) print(line_of(one, all.runs.at(one), file.path()));
}

void answer_training_scores(const CaseFile& file, const CaseOutput& print) {
  const std::string path = file.sibling("mlperf_training", "v06_runs.csv");
  const Submissions all = read_runs(path);
  const Table table = read_table(file.path());
  for (std::size_t row = 0; row < table.rows.size(); ++row) {
    const Submission one = submission_of(table, row);
    const auto found = all.runs.find(one);
    if (found == all.runs.end()) {
      throw UserError(file.path(), "system", one[1], "one with runs of this benchmark in " + path);
    }
    print(line_of(one, found->second, path));
  }
}

}  // namespace td::job
