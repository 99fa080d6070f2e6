// SPDX-License-Identifier: Apache-2.0
#include "sim/accelerator/plan/packing.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <string>

#include "sim/accelerator/plan/expected_steps.hpp"

namespace td::sim {

namespace {

/// What the best cut costs by its estimate, where nothing is dropped.
double least_cost(const Operation& operation, const Geometry& geometry, const Aim& aim,
                  const MemoryTiming& memory, const std::string& field) {
  const ExpectedSteps every;
  PlanOptions options;
  options.dense = true;
  options.memory = memory;
  const Cut cut = choose_cuts(operation, geometry, options, every, field, aim, 1).front();
  return score_of(operation, geometry, every, aim, cut, cut.estimate.total);
}

}  // namespace

BoxBlocks blocks_of(const BoxSize& box, const TensorLayout& tensor) {
  const std::int64_t sizes[] = {box.blocks, box.y, box.x, box.outer};
  const std::int64_t of_tensor[] = {tensor.blocks(), tensor.height(), tensor.width(),
                                    tensor.outer()};
  if (box.rows() == 0) return {0, 0};
  std::int64_t run = 1;
  for (std::size_t i = 0; i < 4; ++i) {
    run *= sizes[i];
    if (sizes[i] < of_tensor[i]) break;
  }
  const std::int64_t runs = box.rows() / run;
  const bool aligned = run == tensor.rows();
  return {runs, aligned ? ceil_div(run, kBlockRows) : runs + runs * (run - 1) / kBlockRows};
}

std::array<std::int64_t, 3> worth_packing(const Geometry& geometry, const LayerInfo& layer,
                                          const std::vector<Op>& ops, const Aim& aim,
                                          const MemoryTiming& memory,
                                          std::array<std::int64_t, 3> packed) {
  std::array<double, 3> saved = {0, 0, 0};
  for (const Op op : ops) {
    Operation operation(layer, op, geometry, false);
    const std::string field = fmt::format("{}/{}", path(layer), to_string(op));
    const double raw = least_cost(operation, geometry, aim, memory, field);
    for (const Operand operand : {operation.rows_operand(), operation.lanes_operand()}) {
      const auto number = static_cast<std::size_t>(operand);
      if (packed[number] == 0) continue;
      operation.set_packed(operand, packed[number]);
      saved[number] += raw - least_cost(operation, geometry, aim, memory, field);
      operation.set_packed(operand, 0);
    }
  }
  for (std::size_t i = 0; i < 3; ++i) {
    if (saved[i] <= 0) packed[i] = 0;
  }
  return packed;
}

}  // namespace td::sim
