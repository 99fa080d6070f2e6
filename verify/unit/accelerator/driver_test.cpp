// SPDX-License-Identifier: Apache-2.0
// The driver over the functional model's registers: many jobs, errors, what it refuses.
#include "sim/accelerator/driver/driver.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <vector>

#include "sim/accelerator/driver/model_port.hpp"
#include "sim/accelerator/registers.hpp"
#include "verify/unit/base/refusal.hpp"
#include "verify/unit/configuration/random_config.hpp"

namespace {

using td::sim::Driver;
using td::sim::ErrorCode;
using td::sim::Job;
using td::sim::LoadDescriptor;
using td::sim::MemorySpan;
using td::sim::ModelPort;
using td::unit::message_of;

constexpr MemorySpan kList = {0x1000, 0x1800};
constexpr MemorySpan kAll = {0x1000, 0x2000};

td::Config config_with(int tiles) {
  return td::unit::config_of(
      fmt::format("[tile]\nlanes = 4\nrows = 2\ncolumns = 2\n[accelerator]\ntiles = {}\n"
                  "[accelerator.sram]\nbanks = 1\nbank_bytes = 512\n",
                  tiles));
}

/// Hardware as a model, and a driver that knows it.
struct Bench {
  Bench() : memory{kAll.begin, std::vector<std::uint8_t>(kAll.end - kAll.begin)} {
    driver.set_window(kAll);
  }

  td::Config config = config_with(1);
  td::sim::MemoryImage memory;
  ModelPort port{config, memory};
  Driver driver{port, geometry_of(config)};
};

LoadDescriptor load_at(std::uint64_t address) {
  LoadDescriptor load;
  load.memory.address = address;
  return load;
}

/// Jobs of two loads each.
std::vector<Job> jobs_of(std::size_t count) {
  return std::vector<Job>(count, Job{load_at(0x1800), load_at(0x1800)});
}

}  // namespace

TEST_CASE("accelerator driver: more jobs than the queue holds") {
  Bench bench;
  for (int turn = 1; turn <= 2; ++turn) {
    const auto end = bench.driver.run(jobs_of(11), kList);
    CHECK(end.error == ErrorCode::none);
    CHECK(end.job == 11);
    CHECK(bench.port.model().counts().jobs == 11 * turn);
    CHECK(bench.driver.read_wide(td::sim::registers::bytes_read_low) ==
          static_cast<std::uint64_t>(11 * turn * (2 * 64 + 2 * 8)));
  }
  CHECK(bench.driver.run({}, kList).job == 0);
}

TEST_CASE("accelerator driver: a job that fails, and jobs after it") {
  for (std::size_t bad = 0; bad < 9; ++bad) {
    Bench bench;
    REQUIRE(bench.driver.run(jobs_of(3), kList).error == ErrorCode::none);
    std::vector<Job> jobs = jobs_of(9);
    jobs[bad][1] = load_at(kAll.end);
    for (int turn = 0; turn < 2; ++turn) {
      const auto end = bench.driver.run(jobs, kList);
      CHECK(end.error == ErrorCode::window);
      CHECK(end.job == bad);
      CHECK(end.descriptor == 1);
    }
    CHECK(bench.driver.run(jobs_of(9), kList).error == ErrorCode::none);
  }
}

TEST_CASE("accelerator driver: other hardware is refused") {
  Bench bench;
  const auto refusal = [&](const td::Geometry& geometry) {
    return message_of([&] { Driver(bench.port, geometry); });
  };
  td::Geometry geometry = geometry_of(bench.config);
  CHECK(refusal(geometry) == "(accepted)");
  CHECK(refusal(geometry_of(config_with(2))) ==
        "accelerator: SIZES.tiles = 1 is illegal; legal: 2");
  geometry.bank_rows = 5;
  CHECK(refusal(geometry) == "accelerator: BANK_ROWS = 64 is illegal; legal: 5");
  geometry = geometry_of(bench.config);
  geometry.depth = 2;
  CHECK(refusal(geometry) == "accelerator: SHAPE.depth = 3 is illegal; legal: 2");
}

TEST_CASE("accelerator driver: no room for descriptors") {
  Bench bench;
  const auto refusal = [&](const MemorySpan& list) {
    return message_of([&] { bench.driver.run(jobs_of(2), list); });
  };
  CHECK(refusal({0x1000, 0x1100}) == "(accepted)");
  CHECK(refusal({0x1000, 0x10ff}) ==
        "accelerator: descriptors = 0x1000..0x10ff is illegal; legal: 256 bytes from a multiple of "
        "64 on");
  CHECK(refusal({0x1020, 0x1800}) ==
        "accelerator: descriptors = 0x1020..0x1800 is illegal; legal: 256 bytes from a multiple of "
        "64 on");
  CHECK(bench.port.model().counts().jobs == 2);
}

TEST_CASE("accelerator model's registers: what is refused while jobs wait, and a full queue") {
  using namespace td::sim::registers;
  Bench bench;
  CHECK_FALSE(bench.port.write_register(id, 1));
  CHECK(bench.port.write_register(job_address_low, 0x1020));  // which will be an error
  for (int i = 0; i < 4; ++i) CHECK(bench.port.write_register(job_descriptors, 1));
  CHECK_FALSE(bench.port.write_register(job_descriptors, 1));
  CHECK(bench.port.read_register(status) == 0x409);  // busy, queue_full, four wait
  CHECK(bench.port.write_register(status, 8));
  CHECK(bench.port.read_register(status) == 0x401);
  const std::string message = message_of([&] { bench.driver.set_window(kList); });
  CHECK(
      message ==
      "accelerator: memory window = 0x1000..0x1800 is illegal; legal: addresses of its bus, while "
      "no job runs");
  bench.port.wait_for_interrupt();
  CHECK(bench.port.read_register(interrupt) == 2);
  CHECK(bench.port.read_register(error_code) == 3);
  CHECK(bench.port.read_register(error_job) == 0);
  CHECK(bench.port.read_register(status) == 2);
  CHECK_FALSE(bench.port.write_register(job_descriptors, 1));
  CHECK(bench.port.write_register(control, 2));
  CHECK(bench.port.read_register(status) == 0);
  CHECK(bench.port.write_register(job_descriptors, 1));
}
