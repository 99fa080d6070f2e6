// SPDX-License-Identifier: Apache-2.0
// Image by image, phase by phase, pass by pass.
#include "verify/authors/reference.hpp"

#include <algorithm>

#include "verify/authors/model/choice.hpp"
#include "verify/authors/model/schedule.hpp"
#include "verify/authors/model/streams.hpp"

namespace td::authors {
namespace {

/// Consecutive streams; the last group may be short.
std::vector<std::vector<Stream>> groups(const std::vector<Stream>& streams, int size) {
  std::vector<std::vector<Stream>> result;
  for (std::size_t i = 0; i < streams.size(); ++i) {
    if (i % static_cast<std::size_t>(size) == 0) result.emplace_back();
    result.back().push_back(streams[i]);
  }
  return result;
}

/// What an operation does on one image.
class ImageRun {
 public:
  ImageRun(sim::Op op, const Tile& tile, const Rules& rules, bool strided, sim::Which scheduled)
      : tile_(tile),
        rules_(rules),
        first_(scheduled == sim::Which::first),
        promote_(
            !(strided && op == sim::Op::dgrad && !first_ && rules.phase_weights == By::authors)) {}

  void add(const Phase& phase, Cost& cost) const {
    CycleCounter counter(rules_);
    for (const Block& block : phase) add_block(block, counter, cost);
    cost.cycles += counter.cycles();
  }

 private:
  EmptyRows schedule_set(const std::vector<Stream>& set) const {
    return promote_ ? schedule(set, rules_.schedule_start) : empty_rows(set);
  }

  /// One pass for each group of first and of second streams, the second innermost. A set is
  /// scheduled once and its rows are walked in every pass that it takes part in.
  void add_block(const Block& block, CycleCounter& counter, Cost& cost) const {
    const auto firsts = groups(block.first, first_ ? tile_.rows : tile_.columns);
    const auto seconds = groups(block.second, first_ ? tile_.columns : tile_.rows);
    std::vector<EmptyRows> rows;
    for (const auto& set : first_ ? firsts : seconds) rows.push_back(schedule_set(set));
    for (std::size_t f = 0; f < firsts.size(); ++f) {
      for (std::size_t s = 0; s < seconds.size(); ++s) {
        const EmptyRows& pass = rows[first_ ? f : s];
        cost.dense_cycles += static_cast<std::int64_t>(pass.size());
        counter.count_pass(pass);
      }
    }
  }

  Tile tile_;
  Rules rules_;
  bool first_;
  bool promote_;
};

Convolution convolution(const Layer& layer, sim::Op op, const Rules& rules) {
  const Convolution conv = as_convolution(layer);
  if (layer.info.type != sim::LayerType::linear) return conv;
  const By batch = op == sim::Op::wgrad ? rules.linear_wgrad : rules.linear_windows;
  return batch == By::ours ? batch_along_x(conv) : conv;
}

}  // namespace

Cost reference_cost(const Layer& layer, sim::Op op, const Tile& tile, const Rules& rules) {
  const Convolution conv = convolution(layer, op, rules);
  Cost cost;
  for (std::int64_t image = 0; image < conv.a.outer; ++image) {
    const bool apart = rules.operand == By::authors;
    const sim::Which scheduled =
        choose_operand(conv, op, apart ? image : 0, apart ? image + 1 : conv.a.outer);
    (scheduled == sim::Which::first ? cost.first : cost.second) = true;
    const ImageRun run(op, tile, rules, conv.stride > 1, scheduled);
    for (const Phase& phase : make_phases(conv, op, image, rules)) run.add(phase, cost);
  }
  return cost;
}

}  // namespace td::authors
