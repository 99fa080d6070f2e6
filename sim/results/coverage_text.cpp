// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "sim/results/result_summary.hpp"

namespace td::sim {
namespace {

constexpr std::size_t kMostLines = 8;

/// In percent, rounded down: what is not all of it never looks so.
std::string percent(double share) { return fmt::format("{:.1f} %", std::floor(1000 * share) / 10); }

/// The largest first; what nobody has counted before all others.
std::vector<NotCaptured> by_size(std::vector<NotCaptured> missing) {
  std::stable_sort(missing.begin(), missing.end(), [](const NotCaptured& a, const NotCaptured& b) {
    return a.macs ? b.macs && *a.macs > *b.macs : b.macs.has_value();
  });
  return missing;
}

std::string missing_text(const Coverage& coverage) {
  std::string text;
  std::size_t lines = 0;
  for (const NotCaptured& one : by_size(coverage.not_captured)) {
    if (lines++ == kMostLines) {
      return text +
             fmt::format("  and {} more, in the JSON\n", coverage.not_captured.size() - kMostLines);
    }
    const double share =
        static_cast<double>(one.macs.value_or(0)) / static_cast<double>(coverage.macs);
    text += fmt::format("  without {} ({}{}): {}\n", one.name, one.op,
                        one.macs.value_or(0) > 0 ? ", " + percent(share) : "", one.why);
  }
  return text;
}

}  // namespace

std::string coverage_text(const RunResult& result) {
  std::string text;
  for (const Coverage& coverage : result.coverage) {
    text += fmt::format(
        "{} {}{} of the step's MACs ({})\n", result.is_selection ? "chosen from" : "totals of",
        coverage.is_bound() ? "at most " : "", percent(coverage.share()), coverage.snapshot);
    text += missing_text(coverage);
  }
  return text;
}

}  // namespace td::sim
