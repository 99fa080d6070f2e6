// SPDX-License-Identifier: Apache-2.0
// Results for tests, worked out by hand.
#pragma once

#include <cstdint>
#include <string>

#include "sim/results/run_result.hpp"

namespace td::unit {

/// A level's bytes that follow each other, from the bytes read off chip on.
inline sim::LevelBytes levels_from(std::int64_t first) {
  return {
      {first, first + 1}, {first + 2, first + 3}, {first + 4, first + 5}, {first + 6, first + 7}};
}

/// Of a sparse operation: 44 clocks of dense tiles, 32 of TensorDash, 40 had it no zeros.
inline sim::MachineUse sparse_machine() {
  sim::MachineUse machine;
  machine.dense_plan = 0x1234567890abcdef;
  machine.tensordash_plan = 0xfedcba0987654321;
  machine.plan_drops = true;
  machine.dense.clocks = 44;
  machine.dense.use = {20, 10, 4, 5, 3, 2};
  machine.dense.bound = 40;
  machine.dense.port = 42;
  machine.dense.tile_steps = {20, 16};
  machine.dense.levels = levels_from(1000);
  machine.dense.beats = {26, 6};
  machine.tensordash.clocks = 32;
  machine.tensordash.use = {10, 12, 4, 3, 2, 1};
  machine.tensordash.bound = 25;
  machine.tensordash.port = 30;
  machine.tensordash.tile_steps = {7, 10};
  machine.tensordash.levels = levels_from(700000);
  machine.tensordash.beats = {25, 5};
  machine.zero_free_clocks = 40;
  machine.energy.dense = {3000000, 400000, 500000, 6900000, 100000};
  machine.energy.zero_gated = {2400000, 400001, 500002, 6900004, 100003};
  machine.energy.tensordash = {2000000.5, 400003, 500004, 6920004, 80000};
  return machine;
}

/// ... and of a gated one, which takes the dense tiles' clocks.
inline sim::MachineUse gated_machine() {
  sim::MachineUse machine;
  machine.dense_plan = machine.tensordash_plan = 0x33;
  machine.dense.clocks = 90;
  machine.dense.use = {31, 40, 9, 5, 3, 2};
  machine.dense.bound = 80;
  machine.dense.port = 84;
  machine.dense.tile_steps = {30, 31};
  machine.dense.levels = levels_from(20000000);
  machine.dense.beats = {71, 22};
  machine.tensordash = machine.dense;
  machine.zero_free_clocks = 90;
  machine.energy.dense = {5000000, 6000000, 7000000, 8700000, 300000};
  machine.energy.zero_gated = {4500000, 6000000, 7000000, 8700000, 300000};
  machine.energy.tensordash = {5250000, 6000000, 7000000, 8700000, 300000};
  return machine;
}

/// ... and of one without steps, whose results are written nevertheless.
inline sim::MachineUse empty_machine() {
  sim::MachineUse machine;
  machine.dense_plan = machine.tensordash_plan = 0x44;
  machine.dense.clocks = 12;
  machine.dense.use = {0, 3, 2, 4, 2, 1};
  machine.dense.bound = 8;
  machine.dense.port = 10;
  machine.dense.tile_steps = {0, 0};
  machine.dense.levels.off_chip = {64, 128};
  machine.dense.beats = {2, 8};
  machine.tensordash = machine.dense;
  machine.zero_free_clocks = 12;
  machine.energy.dense.dram_pJ = 4000;
  machine.energy.zero_gated.dram_pJ = 4000;
  machine.energy.tensordash.dram_pJ = 4000;
  return machine;
}

/// Ten cycles of 16 multipliers, 18 of both tiles; 20 dense ones.
inline sim::OpResult sparse_operation() {
  sim::OpResult operation;
  operation.snapshot = "early";
  operation.layer = "conv1";
  operation.op = sim::Op::fwd;
  operation.scheduled = sim::Operand::A;
  operation.zeros = {{3, 8}, {0, 5}};
  operation.first_tensor = {2, 7};
  operation.second_tensor = {1, 6};
  operation.useful_macs = 77;
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
  operation.energy = {3000000, 2400000, 2000000.5};
  operation.zero_free = {16, 2500000, 2200000};
  operation.ungated_cycles = 10;
  operation.ungated_pJ = 2000000.5;
  operation.machine = sparse_machine();
  return operation;
}

/// 30 cycles, all of both tiles, with the sparse path off; 27 if it were on.
inline sim::OpResult gated_operation() {
  sim::OpResult operation;
  operation.snapshot = "early";
  operation.layer = "conv1";
  operation.op = sim::Op::wgrad;
  operation.scheduled = sim::Operand::GO;
  operation.zeros = {{3, 8}, {1, 40}};
  operation.first_tensor = {1, 3};
  operation.second_tensor = {2, 39};
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
  operation.energy = {5000000, 4500000, 5250000};
  operation.zero_free = {30, 5000000, 4500000};
  operation.ungated_cycles = 27;
  operation.ungated_pJ = 5500000;
  operation.machine = gated_machine();
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
  operation.machine = empty_machine();
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
  result.options = {{0, 0}, {1, -1}};
  result.format = "bf16";
  result.output = "fp32";
  result.array = {2, 1, 2, 4};
  result.accelerator.tiles = 2;
  result.accelerator.scratchpad_bank_bytes = 2048;
  result.accelerator.fill_rows = 4;
  result.accelerator.beat_rows = 2;
  result.accelerator.unpack_rows = 4;
  result.accelerator.collect_words = 2;
  result.accelerator.outstanding = 16;
  result.accelerator_hash = "8899aabbccddeeff";
  result.split = "passes dealt in turn";
  result.schedule = "auto";
  result.latency = 20;
  result.packed = true;
  result.bandwidth = 51200;
  result.objective = "energy";
  result.technology = "paper_90nm";
  result.technology_hash = "00112233445566aa";
  result.clock_MHz = 450;
  result.compute = {{12.5, {}, {}, {}, {}}, 0.25, "constants of paper_90nm"};
  result.source_path = "t.safetensors";
  result.source_identity = "fedcba9876543210";
  result.model = "toy";
  result.dataset = "none";
  result.conversion = "F32 rounded to bf16";
  result.notes = {"no dgrad of early/conv1: its input needs no gradient"};
  result.operations = {sparse_operation(), gated_operation(), empty_operation()};
  return result;
}

/// The same without what the machine takes.
inline sim::RunResult compute_alone_draft() {
  sim::RunResult result = result_draft();
  result.latency.reset();
  result.objective.reset();
  for (sim::OpResult& operation : result.operations) operation.machine.reset();
  return result;
}

}  // namespace td::unit
