// SPDX-License-Identifier: Apache-2.0
// Results for tests, worked out by hand.
#pragma once

#include <string>

#include "sim/run_result.hpp"

namespace td::unit {

/// Ten cycles of 16 multipliers, 18 of both tiles; 20 dense ones.
inline sim::OpResult sparse_operation() {
  sim::OpResult operation;
  operation.snapshot = "early";
  operation.layer = "conv1";
  operation.op = sim::Op::fwd;
  operation.scheduled = sim::Operand::A;
  operation.zeros = {{3, 8}, {0, 5}};
  sim::OpCycles& cycles = operation.cycles;
  cycles.scheduled = sim::Which::first;
  cycles.passes = 4;
  cycles.rows = 36;
  cycles.dense_cycles = 20;
  cycles.cycles = 10;
  cycles.tile_cycles = 18;
  cycles.multipliers.effectual = 96;
  cycles.multipliers.array_edge = 4;
  cycles.multipliers.channel_padding = 8;
  cycles.multipliers.lane_conflicts = 12;
  cycles.multipliers.stream_tail = 5;
  cycles.multipliers.row_imbalance = 2;
  cycles.multipliers.depth_limit = 17;
  cycles.multipliers.tile_imbalance = 16;
  return operation;
}

/// 30 cycles, all of both tiles, with the sparse path off.
inline sim::OpResult gated_operation() {
  sim::OpResult operation;
  operation.snapshot = "early";
  operation.layer = "conv1";
  operation.op = sim::Op::wgrad;
  operation.scheduled = sim::Operand::GO;
  operation.zeros = {{3, 8}, {1, 40}};
  operation.gated = true;
  sim::OpCycles& cycles = operation.cycles;
  cycles.scheduled = sim::Which::second;
  cycles.passes = 2;
  cycles.rows = 60;
  cycles.dense_cycles = 30;
  cycles.cycles = 30;
  cycles.tile_cycles = 60;
  cycles.multipliers.effectual = 400;
  cycles.multipliers.ineffectual = 80;
  return operation;
}

/// A gradient that nothing reaches: no rows, no cycles.
inline sim::OpResult empty_operation() {
  sim::OpResult operation;
  operation.snapshot = "late";
  operation.layer = "conv1";
  operation.op = sim::Op::dgrad;
  operation.scheduled = sim::Operand::W;
  operation.zeros = {{4, 4}, {0, 5}};
  operation.cycles.passes = 0;
  return operation;
}

/// Two tiles of 1x2 PEs of 4 lanes.
inline sim::RunResult result_draft() {
  sim::RunResult result;
  result.program = "tdsim 0.0.0";
  result.configuration = "small";
  result.configuration_hash = "0123456789abcdef";
  result.scheduling = "one_sided";
  result.depth = 3;
  result.pattern = "step_first";
  result.array = {2, 1, 2, 4};
  result.split = "passes dealt in turn";
  result.schedule = "auto";
  result.source_path = "t.safetensors";
  result.source_identity = "fedcba9876543210";
  result.model = "toy";
  result.dataset = "none";
  result.conversion = "F32 rounded to bf16";
  result.notes = {"no dgrad of early/conv1: its input needs no gradient"};
  result.operations = {sparse_operation(), gated_operation(), empty_operation()};
  return result;
}

}  // namespace td::unit
