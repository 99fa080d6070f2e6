// SPDX-License-Identifier: Apache-2.0
// Results for tests, worked out by hand.
#pragma once

#include <string>

#include "sim/results/run_result.hpp"

namespace td::unit {

/// Memory traffic of rows of 8 bytes and results' rows of 16; all other numbers differ.
inline sim::MemoryTraffic sparse_traffic() {
  sim::MemoryTraffic traffic;
  traffic.row_bytes = 8;
  traffic.output_row_bytes = 16;
  traffic.first = {{12, 11, 10}, 21};
  traffic.second = {{7, 6, 5}, 9};
  traffic.output_rows = 4;
  traffic.raw = {1, 2, 1200000, 341000, 31, 3, 14, 46};
  traffic.compressed = {3, 4, 700000, 340000, 29, 2, 13, 15};
  traffic.dense_raw_cycles = 47;
  traffic.dense_cycles = 22;
  traffic.cycles = 16;
  return traffic;
}

inline sim::MemoryTraffic gated_traffic() {
  sim::MemoryTraffic traffic;
  traffic.row_bytes = 8;
  traffic.output_row_bytes = 16;
  traffic.first = {{100, 200, 300}, 400};
  traffic.second = {{500, 600, 0}, 700};
  traffic.output_rows = 80;
  traffic.raw = {1, 1, 20000000, 3000000, 900, 120, 130, 140};
  traffic.compressed = {1, 1, 10000000, 2000000, 800, 110, 60, 70};
  traffic.dense_raw_cycles = 150;
  traffic.dense_cycles = 80;
  traffic.cycles = 80;
  return traffic;
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
  operation.traffic = sparse_traffic();
  operation.energy.dense = {3000000, 400000, 500000, 60000, 6900000, 100000};
  operation.energy.zero_gated = {2400000, 400001, 500002, 60003, 6900004, 100000};
  operation.energy.tensordash = {2000000.5, 400001, 500002, 60003, 6920004, 80000};
  operation.zero_free = {16,
                         18,
                         {2500000, 400001, 500002, 60003, 6910004, 90000},
                         {2200000, 400001, 500002, 60003, 6910004, 90000}};
  operation.ungated_cycles = 10;
  operation.ungated_energy_pJ = operation.energy.tensordash.total_pJ();
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
  operation.traffic = gated_traffic();
  operation.energy.dense = {5000000, 6000000, 7000000, 8000000, 8700000, 300000};
  operation.energy.zero_gated = {4500000, 6000000, 7000000, 8000000, 8700000, 300000};
  operation.energy.tensordash = {5000000, 6000000, 7000000, 8000000, 8700000, 300000};
  operation.zero_free = {30, 80, operation.energy.tensordash, operation.energy.zero_gated};
  operation.ungated_cycles = 27;
  operation.ungated_energy_pJ = 35250000;
  return operation;
}

/// A gradient that nothing reaches: no rows, no cycles; its zeros leave the chip nevertheless.
inline sim::OpResult empty_operation() {
  sim::OpResult operation;
  operation.snapshot = "late";
  operation.layer = "conv1";
  operation.op = sim::Op::dgrad;
  operation.scheduled = sim::Operand::W;
  operation.zeros = {{4, 4}, {0, 5}};
  operation.cycles.passes = 0;
  operation.traffic.row_bytes = 8;
  operation.traffic.output_row_bytes = 16;
  operation.traffic.first.scratchpad_read_rows = {0, 0, 0};
  operation.traffic.second.scratchpad_read_rows = {0, 0, 0};
  operation.energy.dense.dram_pJ = 4000;
  operation.energy.zero_gated.dram_pJ = 4000;
  operation.energy.tensordash.dram_pJ = 4000;
  operation.zero_free.energy.dram_pJ = 4000;
  operation.zero_free.zero_gated_energy.dram_pJ = 4000;
  operation.ungated_energy_pJ = 4000;
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
  result.accelerator.dram_channels = 3;
  result.accelerator_hash = "8899aabbccddeeff";
  result.split = "passes dealt in turn";
  result.schedule = "auto";
  result.mapping = "paper";
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

}  // namespace td::unit
