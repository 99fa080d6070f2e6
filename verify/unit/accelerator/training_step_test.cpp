// SPDX-License-Identifier: Apache-2.0
// A training step of a trace, memory to memory, beside plain loops.
#include "sim/accelerator/driver/training_step.hpp"

#include <doctest/doctest.h>

#include <string>

#include "sim/accelerator/driver/model_port.hpp"
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
      const td::Geometry geometry = geometry_of(config);
      const TrainingStep step(geometry, trace, {}, options);
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
        CHECK(step.read_result(port, operation) ==
              expected(config, trace, operation, wide ? Format::fp32 : config.format));
      }
    }
  }
}

TEST_CASE("training step: a memory that is too small, and no such layer") {
  const td::unit::Folder folder;
  const td::sim::Trace trace(write(folder, td::unit::good()));
  const td::Geometry geometry = geometry_of(td::unit::config_of(tile));
  StepOptions options;
  td::sim::LayerSelection fc;
  fc.layer = "fc";
  const auto refusal = [&](const td::sim::LayerSelection& selection) {
    return td::unit::message_of([&] { TrainingStep(geometry, trace, selection, options); });
  };
  options.bytes = TrainingStep(geometry, trace, fc, options).memory().end;
  CHECK(refusal(fc) == "(accepted)");
  --options.bytes;
  CHECK(refusal(fc).find("accelerator: descriptors = ") == 0);
  options.bytes = 40;
  CHECK(refusal(fc) ==
        "accelerator: early/fc = 48 bytes is illegal; legal: what is left of 40 bytes of memory");
  fc.layer = "fd";
  CHECK(refusal(fc).find("fd") != std::string::npos);
}
