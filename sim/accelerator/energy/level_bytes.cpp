// SPDX-License-Identifier: Apache-2.0
#include "sim/accelerator/energy/level_bytes.hpp"

namespace td::sim {
namespace {

constexpr MovedBytes LevelBytes::*kLevels[] = {&LevelBytes::off_chip, &LevelBytes::operands,
                                               &LevelBytes::scratchpads, &LevelBytes::results};

void add_times(LevelBytes& sum, const LevelBytes& other, std::int64_t times) {
  for (const auto level : kLevels) {
    (sum.*level).read += times * (other.*level).read;
    (sum.*level).written += times * (other.*level).written;
  }
  sum.transposed += times * other.transposed;
}

}  // namespace

LevelBytes level_bytes(const Geometry& geometry, const ModelCounts& moved,
                       const ComputeCounts& compute) {
  const std::int64_t row = geometry.row_bytes();
  const std::int64_t word = geometry.lines * kResultBytes;
  LevelBytes bytes;
  bytes.off_chip = {moved.bytes_loaded + moved.bytes_fetched, moved.bytes_stored};
  bytes.operands = {compute.operand_rows_read * row, moved.rows_loaded * row};
  bytes.scratchpads = {compute.scratchpad_rows_read * row, compute.scratchpad_rows_written * row};
  bytes.results = {compute.result_words_added_to * word + moved.results * kResultBytes,
                   compute.result_words_written * word};
  bytes.transposed = compute.rows_transposed * row;
  return bytes;
}

BusBeats bus_beats(const Geometry& geometry, const ModelCounts& moved) {
  return {(moved.bytes_loaded + moved.bytes_fetched) / geometry.beat_bytes(), moved.beats_stored};
}

LevelBytes difference(const LevelBytes& after, const LevelBytes& before) {
  LevelBytes bytes = after;
  add_times(bytes, before, -1);
  return bytes;
}

void add(LevelBytes& sum, const LevelBytes& other) { add_times(sum, other, 1); }

}  // namespace td::sim
