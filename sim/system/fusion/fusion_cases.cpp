// SPDX-License-Identifier: Apache-2.0
#include "sim/system/fusion/fusion_cases.hpp"

#include <map>
#include <utility>

#include "base/support/error.hpp"
#include "sim/system/fusion/fusion.hpp"

namespace td::job {
namespace {

constexpr double kMostMilliseconds = 1e9;
constexpr double kLeastShare = 1e-6;
constexpr const char* kSeparate = "separate";

using Kernels = std::map<std::string, Kernel>;
using TraceKernel = std::pair<std::string, std::string>;  ///< trace, kernel

Kernels read_metrics(const std::string& path) {
  Kernels kernels;
  with_json(path, [&](const JsonValue& root) {
    const JsonValue metrics = root.member("metrics", "metrics");
    for (const std::string& name : metrics.keys()) {
      const JsonValue one = metrics.member(name, name);
      const auto share = [&one](const char* key, double least, double most) {
        return one.member(key, key).number(least * most, most) / most;
      };
      Kernel& kernel = kernels[name];
      kernel.issue = share("issue_slot_utilization", kLeastShare, 100);
      kernel.memory = share("stall_memory_dependency", 0, 100);
      kernel.occupancy = share("achieved_occupancy", kLeastShare, 1);
    }
  });
  return kernels;
}

std::map<TraceKernel, double> separate_times(const Table& table) {
  std::map<TraceKernel, double> times;
  for (std::size_t row = 0; row < table.rows.size(); ++row) {
    if (table.text(row, "fused_variant") != kSeparate) continue;
    times[{table.text(row, "trace"), table.text(row, "kernels")}] =
        table.number(row, "mean_ms", 1e-9, kMostMilliseconds);
  }
  return times;
}

class Pairs {
 public:
  explicit Pairs(const CaseFile& file)
      : table_(read_table(file.path())),
        metrics_(read_metrics(file.sibling("hfuse", "kernel_metrics.json"))),
        times_(separate_times(table_)) {}

  void answer(const CaseOutput& print) const {
    for (std::size_t row = 0; row < table_.rows.size(); ++row) {
      if (table_.text(row, "fused_variant") != kSeparate) print(line(row));
    }
  }

 private:
  Kernel kernel(std::size_t row, const std::string& name) const {
    const auto metrics = metrics_.find(name);
    const auto time = times_.find({table_.text(row, "trace"), name});
    if (metrics == metrics_.end() || time == times_.end()) {
      throw UserError(table_.file, "kernels", table_.text(row, "kernels"),
                      "two that have metrics and a separate time in their trace, A+B");
    }
    Kernel kernel = metrics->second;
    kernel.seconds = time->second;
    return kernel;
  }

  Json line(std::size_t row) const {
    const std::string& pair = table_.text(row, "kernels");
    const auto plus = pair.find('+');
    const Kernel one = kernel(row, pair.substr(0, plus));
    const Kernel other = kernel(row, plus == pair.npos ? "" : pair.substr(plus + 1));
    Json line = Json::object();
    for (const char* field : {"trace", "device", "kernels", "fused_variant"}) {
      line[field] = table_.text(row, field);
    }
    line["register_cap"] = static_cast<int>(table_.number(row, "register_cap", 0, 1));
    line["separate_sum_ms"] = one.seconds + other.seconds;
    line["speedup_percent"] = 100 * fusion_gain(one, other);
    return line;
  }

  Table table_;
  Kernels metrics_;
  std::map<TraceKernel, double> times_;
};

}  // namespace

void answer_pair_times(const CaseFile& file, const CaseOutput& print) { Pairs(file).answer(print); }

}  // namespace td::job
