// SPDX-License-Identifier: Apache-2.0
// Plans that are chosen by trials of their begin, beside what all of their jobs take.
#include "sim/accelerator/driver/plan_trial.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <utility>
#include <variant>

#include "base/configuration/preset.hpp"
#include "sim/accelerator/plan/planner/planner.hpp"
#include "sim/accelerator/timing/timeline.hpp"
#include "verify/unit/mapping/layers.hpp"

namespace {

/// Of the whole operation on dense tiles.
std::int64_t dense_clocks(const td::Config& config, const td::sim::Operation& operation,
                          const td::sim::Cut& cut, const td::sim::MemoryTiming& memory) {
  td::sim::Planner planner(geometry_of(config));
  td::sim::Timeline timeline(config, memory, false);
  for (const td::sim::Job& job : planner.add(operation, cut, {})) {
    timeline.begin_job();
    for (const td::sim::Descriptor& descriptor : job) {
      td::sim::PassSteps steps;
      if (const auto* compute = std::get_if<td::sim::ComputeDescriptor>(&descriptor)) {
        steps.groups.assign(std::size_t{compute->b_lines} * compute->b_groups, compute->chunk_rows);
        steps.behind.assign(compute->b_lines, 1);
      }
      timeline.add(descriptor, std::move(steps));
    }
    timeline.end_job();
  }
  return timeline.clocks();
}

}  // namespace

// All operands of a super fill a memory here: cuts whose loads wait for the computes before, and
// seldom, seem to be the fastest in their begin.
TEST_CASE("plan trial: no cut that drops pairs would serve dense tiles much better") {
  const td::Config config = td::find_config("accel_paper_bf16");
  const td::Geometry geometry = geometry_of(config);
  const td::sim::MemoryTiming memory;
  const td::sim::LayerInfo layer = td::unit::conv_layer({64, 64, 56, 56}, {256, 64, 1, 1}, {});
  const td::sim::Operation operation(layer, td::sim::Op::dgrad, geometry, false, memory);
  td::sim::PlanOptions options;
  options.zeros = 0.67;
  const td::sim::Plans plans = best_plans(operation, config, options, "s/l/dgrad", {}, {}, memory);
  options.dense = true;
  options.memory = memory;
  const auto other =
      cut_with(operation, geometry, plans.dropping, options, td::sim::ExpectedSteps());
  REQUIRE(other);
  const std::int64_t found = dense_clocks(config, operation, plans.dense, memory);
  CHECK(static_cast<double>(found) <
        1.05 * static_cast<double>(dense_clocks(config, operation, *other, memory)));
}
