// SPDX-License-Identifier: Apache-2.0
#include "sim/explore/pattern/pattern_search.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

namespace td::sim {
namespace {

// In natural logarithms of a speed-up: a step back of so much is taken one time in e.
constexpr double kHot = 0.004;
constexpr double kCold = 0.0001;
constexpr double kLevelCost = 10;        ///< of a level too many: more than any pattern gains
constexpr std::int64_t kTriesEach = 20;  ///< for a pattern scored: others were seen before

/// Numbers that are the same on every machine: SplitMix64.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  std::size_t below(std::size_t count) { return static_cast<std::size_t>(next() % count); }
  double unit() { return static_cast<double>(next() >> 11) * 0x1p-53; }

 private:
  std::uint64_t next() {
    std::uint64_t z = state_ += 0x9e3779b97f4a7c15U;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9U;
    z = (z ^ z >> 27) * 0x94d049bb133111ebU;
    return z ^ z >> 31;
  }

  std::uint64_t state_;
};

using Chosen = std::vector<std::size_t>;  ///< options of all_, in order of priority

class Search {
 public:
  Search(const PatternTask& task, const PatternScore& score)
      : task_(task), score_(score), random_(task.seed) {
    const int lanes = task.shape.lanes;
    for (int step = 1; step < task.shape.depth; ++step) {
      for (int offset = (lanes - 1) / -2; offset <= lanes / 2; ++offset) {
        all_.push_back({step, offset});
      }
    }
  }

  FoundPattern run() {
    if (ordered_patterns() <= static_cast<double>(task_.patterns)) {
      found_.exhaustive = true;
      Chosen chosen;
      visit_all(chosen);
    } else {
      anneal();
    }
    found_.scored = scored_;
    return found_;
  }

 private:
  std::size_t wanted() const { return static_cast<std::size_t>(task_.options) - 1; }

  double ordered_patterns() const {
    double count = 1;
    for (std::size_t i = 0; i < wanted(); ++i) count *= static_cast<double>(all_.size() - i);
    return count;
  }

  void visit_all(Chosen& chosen) {
    if (chosen.size() == wanted()) {
      value(chosen);
      return;
    }
    for (std::size_t option = 0; option < all_.size(); ++option) {
      if (std::find(chosen.begin(), chosen.end(), option) != chosen.end()) continue;
      chosen.push_back(option);
      visit_all(chosen);
      chosen.pop_back();
    }
  }

  void anneal() {
    Chosen chosen;
    while (chosen.size() < wanted()) chosen.push_back(unused(chosen));
    double now = value(chosen);
    const std::int64_t tries = kTriesEach * task_.patterns;
    for (std::int64_t i = 0; i < tries && scored_ < task_.patterns; ++i) {
      const double done =
          std::max(static_cast<double>(scored_) / static_cast<double>(task_.patterns),
                   static_cast<double>(i) / static_cast<double>(tries));
      const double heat = kHot * std::pow(kCold / kHot, done);
      const Chosen next = neighbour(chosen);
      const double then = value(next);
      if (then < now && random_.unit() >= std::exp((then - now) / heat)) continue;
      chosen = next;
      now = then;
    }
  }

  /// Two options change their priority, one gets another priority, or one is replaced, with its
  /// priority or another.
  Chosen neighbour(Chosen chosen) {
    const std::size_t from = random_.below(chosen.size());
    const std::size_t to = random_.below(chosen.size());
    const std::size_t move = random_.below(chosen.size() < all_.size() ? 4 : 2);
    if (move == 0) {
      std::swap(chosen[from], chosen[to]);
      return chosen;
    }
    std::size_t option = chosen[from];
    if (move > 1) option = unused(chosen);
    const std::size_t target = move == 2 ? from : to;
    chosen.erase(chosen.begin() + static_cast<std::ptrdiff_t>(from));
    chosen.insert(chosen.begin() + static_cast<std::ptrdiff_t>(target), option);
    return chosen;
  }

  std::size_t unused(const Chosen& chosen) {
    std::size_t option = 0;
    do {
      option = random_.below(all_.size());
    } while (std::find(chosen.begin(), chosen.end(), option) != chosen.end());
    return option;
  }

  double value(const Chosen& chosen) {
    const auto [known, is_new] = values_.try_emplace(chosen, 0);
    if (!is_new) return known->second;
    std::vector<Option> options = {{0, 0}};
    for (const std::size_t option : chosen) options.push_back(all_[option]);
    const Config config = with_pattern(task_.shape, options);
    const int excess = static_cast<int>(config.levels.size()) - task_.most_levels;
    if (excess > 0) return known->second = -kLevelCost * excess;
    ++scored_;
    const double score = score_(config);
    if (found_.options.empty() || score > found_.score) {
      found_.options = options;
      found_.score = score;
    }
    return known->second = score;
  }

  const PatternTask& task_;
  const PatternScore& score_;
  Random random_;
  std::vector<Option> all_;
  std::map<Chosen, double> values_;  ///< of every pattern seen
  std::int64_t scored_ = 0;
  FoundPattern found_;
};

}  // namespace

std::int64_t reachable_options(const Config& shape) {
  return std::int64_t{shape.depth - 1} * shape.lanes;
}

int least_levels(const Config& shape, int options) {
  return shape.depth < 2 ? 1 : (options - 2) / (shape.depth - 1) + 1;
}

Config with_pattern(Config shape, const std::vector<Option>& options) {
  shape.pattern = "own";
  shape.options = options;
  shape.dropped.clear();
  shape.levels = colour_levels(options, shape.lanes);
  return shape;
}

FoundPattern search_pattern(const PatternTask& task, const PatternScore& score) {
  return Search(task, score).run();
}

}  // namespace td::sim
