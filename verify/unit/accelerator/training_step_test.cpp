// SPDX-License-Identifier: Apache-2.0
// A training step of a trace, memory to memory, beside plain loops.
#include "sim/accelerator/driver/training_step.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <set>
#include <string>
#include <variant>

#include "sim/accelerator/driver/model_port.hpp"
#include "sim/accelerator/driver/step_model.hpp"
#include "sim/accelerator/plan/planner/planner.hpp"
#include "sim/accelerator/steps/operation_counts.hpp"
#include "sim/arithmetic/arith.hpp"
#include "verify/plain/plain_accelerator.hpp"
#include "verify/unit/base/refusal.hpp"
#include "verify/unit/configuration/random_config.hpp"
#include "verify/unit/trace/trace_draft.hpp"

namespace {

using td::Format;
using td::sim::Op;
using td::sim::Operand;
using td::sim::StepOptions;
using td::sim::TrainingStep;
using Bits = std::vector<std::uint32_t>;

const std::string tile =
    "[tile]\nlanes = 4\nrows = 2\ncolumns = 2\n[accelerator]\ntiles = 2\n"
    "[accelerator.sram]\nbanks = 1\nbank_bytes = 1024\n";

Bits expected(const td::Config& config, const td::sim::Trace& trace,
              const td::sim::StepOperation& operation, Format format) {
  const auto bits = [&](td::sim::Which which) {
    return load_bits(trace.tensor(*operation.layer, td::sim::operand(operation.op, which)),
                     config.format);
  };
  Bits results =
      td::verify::plain_accelerator(config, *operation.layer, operation.op, operation.cut,
                                    bits(td::sim::Which::first), bits(td::sim::Which::second));
  for (std::uint32_t& result : results) {
    result = td::sim::narrow(format, td::sim::widen(Format::fp32, result));
  }
  return results;
}

}  // namespace

TEST_CASE("training step: every operation of a trace, memory to memory") {
  const td::unit::Folder folder;
  const td::sim::Trace trace(write(folder, td::unit::good()));
  for (const std::string format : {"bf16", "fp32"}) {
    const td::Config config =
        td::unit::config_of("[tile.numerics]\nformat = \"" + format + "\"\n" + tile);
    for (const bool wide : {false, true}) {
      StepOptions options;
      options.base = 0x1000;
      options.wide = wide;
      options.dense = wide;
      options.drops_anyway = true;
      const td::Geometry geometry = geometry_of(config);
      const TrainingStep step(config, trace, {}, options);
      td::sim::MemoryImage memory{options.base, {}};
      memory.bytes.resize(step.memory().end - options.base, 0xa5);
      td::sim::ModelPort port(config, memory);
      td::sim::Driver driver(port, geometry);
      driver.set_window(step.memory());
      step.write_operands(port);
      REQUIRE(step.operations().size() == 5);  // conv1 needs no dgrad
      for (const td::sim::StepOperation& operation : step.operations()) {
        CHECK(step.run(driver, operation).error == td::sim::ErrorCode::none);
        CHECK(operation.cut.options.dense == wide);
      }
      for (const td::sim::StepOperation& operation : step.operations()) {
        CHECK(TrainingStep::read_result(port, operation) ==
              expected(config, trace, operation, wide ? Format::fp32 : config.format));
      }
    }
  }
}

TEST_CASE("training step: what operations take, with and without numbers") {
  const td::unit::Folder folder;
  const td::sim::Trace trace(write(folder, td::unit::good()));
  const td::Config config = td::unit::config_of(tile);
  const td::sim::MemoryTiming memory;
  for (const bool dense : {false, true}) {
    StepOptions options;
    options.dense = dense;
    const TrainingStep step(config, trace, {}, options);
    td::sim::StepModel model(config, step, memory);
    td::sim::OperationCounts sums[2];
    td::sim::ClockUse parts;
    for (const td::sim::StepOperation& operation : step.operations()) {
      const td::sim::OperationCounts run = model.run(operation);
      const td::sim::OperationCounts counted = td::sim::count_operation(
          config, td::sim::TraceOperands(trace), operation, options.wide, memory);
      CHECK(run.tile_steps == counted.tile_steps);
      CHECK(run.clocks == counted.clocks);
      sums[0].add(run);
      sums[1].add(counted);
      add(parts, counted.use);
    }
    std::int64_t clocks = 0;
    for (const td::sim::ClockPart& part : td::sim::kClockParts) {
      CAPTURE(part.name);
      CHECK(sums[0].use.*part.clocks == parts.*part.clocks);
      CHECK(sums[1].use.*part.clocks == parts.*part.clocks);
      CHECK(parts.*part.clocks > 0);
      clocks += parts.*part.clocks;
    }
    CHECK(clocks == sums[1].clocks);
  }
}

TEST_CASE("training step: a plan's hash is what its jobs do, wherever the tensors lie") {
  const td::unit::Folder folder;
  const td::sim::Trace trace(write(folder, td::unit::good()));
  const td::Config config = td::unit::config_of(tile);
  const td::Geometry geometry = geometry_of(config);
  StepOptions options;
  const TrainingStep step(config, trace, {}, options);
  options.base = 0x123400;
  const TrainingStep elsewhere(config, trace, {}, options);
  std::set<std::uint64_t> hashes;
  int others = 0;  // cuts
  for (std::size_t i = 0; i < step.operations().size(); ++i) {
    const td::sim::StepOperation& operation = step.operations()[i];
    CHECK(operation.plan_hash() == elsewhere.operations()[i].plan_hash());
    hashes.insert(operation.plan_hash());
    td::sim::StepOperation other = operation;
    for (td::sim::Descriptor& descriptor : other.jobs.at(0)) {
      auto* compute = std::get_if<td::sim::ComputeDescriptor>(&descriptor);
      if (compute != nullptr) compute->dense = !compute->dense;
    }
    hashes.insert(other.plan_hash());
    other.jobs = operation.jobs;
    // The second row of what is loaded first.
    for (td::sim::Descriptor& descriptor : other.jobs.at(0)) {
      auto* load = std::get_if<td::sim::LoadDescriptor>(&descriptor);
      if (load == nullptr) continue;
      load->memory.address += static_cast<std::uint64_t>(geometry.row_bytes());
      break;
    }
    hashes.insert(other.plan_hash());
    other.jobs = operation.jobs;
    other.jobs.emplace_back();
    hashes.insert(other.plan_hash());
    // By itself, as it is cut and cut smaller.
    const auto by_itself = [&](const td::sim::Cut& cut) {
      other.jobs = td::sim::Planner(geometry).add(
          td::sim::Operation(*operation.layer, operation.op, geometry, false), cut,
          operation.placement);
      return other.plan_hash();
    };
    td::sim::Cut cut = operation.cut;
    cut.lane_super = cut.lane_sub;
    cut.row_sub = {1, 1, 1};
    cut.row_super = {1, 1, 1};
    const bool same = cut.row_super == operation.cut.row_super;
    CHECK((by_itself(cut) == by_itself(operation.cut)) == same);
    others += same ? 0 : 1;
  }
  CHECK(others > 0);
  CHECK(hashes.size() == 4 * step.operations().size());
}

TEST_CASE("training step: a memory that is too small, and no such layer") {
  const td::unit::Folder folder;
  const td::sim::Trace trace(write(folder, td::unit::good()));
  const td::Config config = td::unit::config_of(tile);
  StepOptions options;
  td::sim::LayerSelection fc;
  fc.layer = "fc";
  const auto refusal = [&](const td::sim::LayerSelection& selection) {
    return td::unit::message_of([&] { TrainingStep(config, trace, selection, options); });
  };
  options.bytes = TrainingStep(config, trace, fc, options).memory().end;
  CHECK(refusal(fc) == "(accepted)");
  --options.bytes;
  CHECK(refusal(fc).find("accelerator: descriptors = ") == 0);
  options.bytes = 40;
  CHECK(refusal(fc) ==
        "accelerator: early/fc = 48 bytes is illegal; legal: what is left of 40 bytes of memory");
  fc.layer = "fd";
  CHECK(refusal(fc).find("fd") != std::string::npos);
}
