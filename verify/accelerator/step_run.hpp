// SPDX-License-Identifier: Apache-2.0
// A training step of a traced network through a verilated accelerator, from memory to memory, dense
// and with dropped pairs.
#pragma once

#include "base/configuration/config.hpp"
#include "sim/driven/driven_step.hpp"
#include "sim/trace/trace.hpp"
#include "verify/accelerator/accelerator_model.hpp"

namespace td::verify {

/// Throws std::runtime_error at the first byte that differs, and at whatever is wrong on the ports.
sim::StepRunResult run_step(const Config& config, AcceleratorModel& model, const sim::Trace& trace,
                            const sim::StepRun& what, bool progress);

}  // namespace td::verify
