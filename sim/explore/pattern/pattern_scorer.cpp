// SPDX-License-Identifier: Apache-2.0
#include "sim/explore/pattern/pattern_scorer.hpp"

#include <algorithm>

#include "sim/cycles/operand_choice.hpp"

namespace td::sim {
namespace {

/// Streams dealt by time would be dealt anew for every pattern. Density stands for it.
std::vector<Dealing> scored_dealings(DealingMode mode) {
  if (mode == DealingMode::time) return {Dealing::density};
  std::vector<Dealing> scored = dealings(mode);
  scored.erase(std::remove(scored.begin(), scored.end(), Dealing::time), scored.end());
  return scored;
}

}  // namespace

PatternScorer::PatternScorer(const Config& shape, const std::vector<const OperandSource*>& networks,
                             DealingMode dealing, std::int64_t most_groups)
    : networks_(networks.size()) {
  std::vector<ScoredOp> ops;
  for (std::size_t n = 0; n < networks.size(); ++n) {
    for (const LayerInfo& layer : networks[n]->layers()) {
      const LayerZeros zeros = count_zeros(*networks[n], layer, shape.format);
      for (const Op op : operations(layer)) {
        const Which scheduled = zero_shares(layer, op, zeros).scheduled();
        const Mapping mapping(layer, op, shape.lanes);
        ops.push_back({*networks[n], layer, op, scheduled});
        weights_.push_back(
            {n, static_cast<double>(dense_cycles(mapping, shape.rows, shape.columns, scheduled))});
      }
    }
  }
  for (const Dealing one : scored_dealings(dealing))
    planes_.emplace_back(shape, ops, one, most_groups);
}

std::vector<SampledCycles> PatternScorer::cycles(const Config& config) const {
  std::vector<SampledCycles> best = planes_.front().run(config);
  if (planes_.size() == 1) return best;
  const std::vector<SampledCycles> other = planes_.back().run(config);
  for (std::size_t i = 0; i < best.size(); ++i) {
    // Samples of the two are of different streams: their dense cycles are alike, not the same.
    const double one = static_cast<double>(best[i].taken) * static_cast<double>(other[i].dense);
    const double two = static_cast<double>(other[i].taken) * static_cast<double>(best[i].dense);
    if (two < one) best[i] = other[i];
  }
  return best;
}

std::vector<double> PatternScorer::speedups(const Config& config) const {
  std::vector<double> dense(networks_);
  std::vector<double> taken(networks_);
  const std::vector<SampledCycles> sampled = cycles(config);
  for (std::size_t i = 0; i < sampled.size(); ++i) {
    if (sampled[i].dense == 0) continue;  // outputs that are zero in no cycles
    const Weight& weight = weights_[i];
    dense[weight.network] += weight.dense_cycles;
    taken[weight.network] += weight.dense_cycles * static_cast<double>(sampled[i].taken) /
                             static_cast<double>(sampled[i].dense);
  }
  for (std::size_t n = 0; n < networks_; ++n) dense[n] /= taken[n];
  return dense;
}

std::int64_t PatternScorer::groups() const { return planes_.front().groups(); }

}  // namespace td::sim
