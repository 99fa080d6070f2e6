// SPDX-License-Identifier: Apache-2.0
#include "sim/accelerator/plan/packing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <string>

#include "sim/accelerator/plan/expected_steps.hpp"

namespace td::sim {

namespace {

/// What operations cost by the estimates of their best cuts.
class Costs {
 public:
  Costs(const Config& config, const Aim& aim, const MemoryTiming& memory)
      : config_(config), geometry_(geometry_of(config)), aim_(aim), memory_(memory) {}

  /// Of all hardware: dense tiles, and TensorDash, which takes what costs less.
  double operator()(const Operation& operation, const PlanOptions& asked,
                    const std::string& field) const {
    PlanOptions options = asked;
    options.memory = memory_;
    options.dense = true;
    const double dense = least(operation, options, ExpectedSteps(), field);
    if (config_.is_dense()) return dense;
    options.dense = false;
    const ExpectedSteps steps = expected_steps(config_, operation, options);
    return dense + std::min(dense, least(operation, options, steps, field));
  }

 private:
  double least(const Operation& operation, const PlanOptions& options, const ExpectedSteps& steps,
               const std::string& field) const {
    const Cut cut = choose_cuts(operation, geometry_, options, steps, field, aim_, 1).front();
    return score_of(operation, geometry_, steps, aim_, cut, cut.estimate.total);
  }

  const Config& config_;
  Geometry geometry_;
  const Aim& aim_;
  MemoryTiming memory_;
};

}  // namespace

BoxBlocks blocks_of(const BoxSize& box, const TensorLayout& tensor) {
  const std::int64_t sizes[] = {box.blocks, box.y, box.x, box.outer};
  const std::int64_t pitches[] = {1, tensor.y_pitch(), tensor.x_pitch(), tensor.outer_pitch()};
  if (box.rows() == 0) return {0, 0};
  std::int64_t run = 1;
  for (std::size_t i = 0; i < 4 && pitches[i] == run; ++i) run *= sizes[i];
  const std::int64_t runs = box.rows() / run;
  const bool aligned = run == tensor.rows();
  return {runs, aligned ? ceil_div(run, kBlockRows) : runs + runs * (run - 1) / kBlockRows};
}

std::array<std::int64_t, 3> worth_packing(const Config& config, const LayerInfo& layer,
                                          const std::vector<AskedOf>& ops, const Aim& aim,
                                          const MemoryTiming& memory,
                                          std::array<std::int64_t, 3> packed) {
  const Costs cost(config, aim, memory);
  std::array<double, 3> saved = {0, 0, 0};
  for (const auto& [op, options] : ops) {
    Operation operation(layer, op, geometry_of(config), false, memory);
    const std::string field = fmt::format("{}/{}", path(layer), to_string(op));
    const double raw = cost(operation, options, field);
    for (const Operand operand : {operation.rows_operand(), operation.lanes_operand()}) {
      const auto number = static_cast<std::size_t>(operand);
      if (packed[number] == 0) continue;
      operation.set_packed(operand, PackedBlocks(packed[number]));
      saved[number] += raw - cost(operation, options, field);
      operation.set_packed(operand, PackedBlocks());
    }
  }
  for (std::size_t i = 0; i < 3; ++i) {
    if (saved[i] <= 0) packed[i] = 0;
  }
  return packed;
}

}  // namespace td::sim
