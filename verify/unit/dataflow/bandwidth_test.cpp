// SPDX-License-Identifier: Apache-2.0
// Time of the large memories, with numbers that are easy to follow.
#include "sim/dataflow/bandwidth.hpp"

#include <doctest/doctest.h>

#include "verify/unit/configuration/random_config.hpp"

namespace {

/// 2 tiles of 2 banks for each kind; rows of 16 operands of 32 bits.
td::Config machine() {
  td::Config config = td::unit::config_of("");
  config.lanes = 16;
  config.accelerator.tiles = 2;
  config.accelerator.sram_banks = 2;
  return config;
}

td::sim::MemoryTraffic traffic(std::int64_t output_rows) {
  td::sim::MemoryTraffic traffic;
  traffic.row_bytes = 64;
  traffic.output_row_bytes = 32;
  traffic.output_rows = output_rows;
  return traffic;
}

}  // namespace

TEST_CASE(
    "bandwidth: the busiest memories decide, and rows wider than a port take several clocks") {
  const td::Config config = machine();
  td::sim::Technology technology;
  CHECK(sram_cycles(config, technology, {81, 40, 0}, traffic(0)) == 21);
  CHECK(sram_cycles(config, technology, {40, 81, 0}, traffic(0)) == 21);
  // Sums and results in and out: 2 * (10 + 9) accesses.
  CHECK(sram_cycles(config, technology, {4, 4, 10}, traffic(9)) == 10);
  technology.memories = td::sim::MemoryChoice{"a table", 45, "a type", 256};
  CHECK(sram_cycles(config, technology, {81, 40, 0}, traffic(0)) == 41);
  // Sums of 512 bits take 2 accesses each way, results of 256 bits one.
  CHECK(sram_cycles(config, technology, {4, 4, 10}, traffic(9)) == 15);
  technology.memories->port_bits = 200;
  CHECK(sram_cycles(config, technology, {4, 4, 10}, traffic(9)) == 24);
  CHECK(sram_cycles(config, technology, {0, 0, 0}, traffic(0)) == 0);
}
