// SPDX-License-Identifier: Apache-2.0
// results_check: the accelerator's results of a traced training step beside those that PyTorch gave
// for the same operands, within a bound from the format and the number of terms. For the test of
// this test it can be told to compute something else.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <variant>
#include <vector>

#include "base/configuration/preset.hpp"
#include "base/support/program.hpp"
#include "sim/accelerator/driver/model_port.hpp"
#include "sim/accelerator/driver/training_step.hpp"
#include "verify/unit/accelerator/expected_results.hpp"

namespace td::verify {
namespace {

using sim::Operand;
using unit::Bits;

/// Kernels turned by half a turn, or filters and channels changed over.
Bits injected_weights(const sim::LayerInfo& layer, const Bits& bits, const std::string& injected) {
  Bits result = bits;
  const std::int64_t filters = layer.w[0], channels = layer.w[1];
  const auto positions = static_cast<std::int64_t>(bits.size()) / (filters * channels);
  if (injected == "weights" && filters != channels) return result;
  for (std::int64_t k = 0; k < filters; ++k) {
    for (std::int64_t c = 0; c < channels; ++c) {
      for (std::int64_t i = 0; i < positions; ++i) {
        const std::int64_t from = injected == "weights"
                                      ? (c * filters + k) * positions + i
                                      : (k * channels + c + 1) * positions - 1 - i;
        result[static_cast<std::size_t>((k * channels + c) * positions + i)] =
            bits[static_cast<std::size_t>(from)];
      }
    }
  }
  return result;
}

/// The next position along y is read one row further.
void inject_stride(sim::StepOperation& operation) {
  const std::size_t level = operation.op == sim::Op::wgrad ? 0 : 3;
  for (sim::Job& job : operation.jobs) {
    for (sim::Descriptor& descriptor : job) {
      auto* compute = std::get_if<sim::ComputeDescriptor>(&descriptor);
      if (compute == nullptr) continue;
      for (sim::OperandWalk* walk : {&compute->a, &compute->b}) {
        if (walk->y_bound <= 1 || walk->levels[level].count == 1) continue;
        ++walk->levels[level].row_step;
      }
    }
  }
}

class ResultsCheck {
 public:
  ResultsCheck(const sim::Trace& trace, std::string injected)
      : trace_(trace), injected_(std::move(injected)), config_(find_config("accel_tiny")) {}

  /// Whether there was something to compare, and all of it was right.
  bool run() {
    sim::StepOptions options;
    options.wide = true;
    options.drops_anyway = true;
    const Geometry geometry = geometry_of(config_);
    const sim::TrainingStep step(config_, trace_, {}, options);
    sim::MemoryImage memory{0, std::vector<std::uint8_t>(step.memory().end)};
    sim::ModelPort port(config_, memory);
    sim::Driver driver(port, geometry);
    driver.set_window(step.memory());
    step.write_operands(port);
    // An operation's jobs load for the next one, and its results may leave with that one's.
    std::vector<sim::StepOperation> operations = step.operations();
    for (sim::StepOperation& operation : operations) inject(geometry, port, operation);
    for (const sim::StepOperation& operation : operations) {
      if (step.run(driver, operation).error != sim::ErrorCode::none) {
        throw std::runtime_error("the model has found an error in a plan");
      }
    }
    for (const sim::StepOperation& operation : operations) {
      compare(operation, sim::TrainingStep::read_result(port, operation));
    }
    fmt::print("{} results, {} beyond their bounds\n", checked_, wrong_);
    return checked_ > 0 && wrong_ == 0;
  }

 private:
  void inject(const Geometry& geometry, sim::Port& port, sim::StepOperation& operation) const {
    if (injected_ == "stride") inject_stride(operation);
    if (injected_ != "kernel" && injected_ != "weights") return;
    const Bits bits = load_bits(trace_.tensor(*operation.layer, Operand::W), geometry.format);
    const auto bytes = sim::TensorLayout(*operation.layer, Operand::W, geometry)
                           .pack(injected_weights(*operation.layer, bits, injected_));
    port.write_memory(operation.placement.operands[static_cast<std::size_t>(Operand::W)],
                      bytes.data(), bytes.size());
  }

  void compare(const sim::StepOperation& operation, const Bits& results) {
    const sim::TensorView* stored = trace_.result(*operation.layer, operation.op);
    if (stored == nullptr) return;
    unit::OperationCase what;
    what.config = config_;
    what.layer = *operation.layer;
    what.op = operation.op;
    what.wide = true;
    for (const Operand operand : {Operand::A, Operand::W, Operand::GO}) {
      what.operands[static_cast<std::size_t>(operand)] =
          load_bits(trace_.tensor(what.layer, operand), config_.format);
    }
    const unit::Exact exact = unit::exact(what);
    const Bits pytorch = load_bits(*stored, Format::fp32);
    std::int64_t wrong = 0;
    double worst = 0;
    for (std::size_t i = 0; i < results.size(); ++i) {
      const double right = sim::widen(Format::fp32, pytorch[i]);
      // What is stored is rounded once.
      const double bound = exact.bounds[i] + std::abs(right) * 0x1p-24;
      const double error = std::abs(sim::widen(Format::fp32, results[i]) - right);
      if (!(error <= bound)) ++wrong;
      if (bound > 0) worst = std::max(worst, error / bound);
    }
    fmt::print("{:<12} {:<6} {:>8} results, {:>8} beyond their bounds, the worst at {:.3f} of it\n",
               operation.layer->name, sim::to_string(operation.op), results.size(), wrong, worst);
    checked_ += static_cast<std::int64_t>(results.size());
    wrong_ += wrong;
  }

  const sim::Trace& trace_;
  std::string injected_;
  Config config_;
  std::int64_t checked_ = 0;
  std::int64_t wrong_ = 0;
};

}  // namespace
}  // namespace td::verify

int main(int argc, char** argv) {
  return td::run_program("results_check", [&] {
    if (argc < 2) throw td::UserError("results_check: give a trace, and what is to be injected");
    const td::sim::Trace trace(argv[1]);
    return td::verify::ResultsCheck(trace, argc > 2 ? argv[2] : "").run() ? td::kExitPass
                                                                          : td::kExitCheckFailed;
  });
}
