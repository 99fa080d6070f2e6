// SPDX-License-Identifier: Apache-2.0
// What the functional model refuses, with which code, and for which descriptor.
#include <doctest/doctest.h>

#include <cstdint>
#include <cstring>
#include <vector>

#include "sim/accelerator/model/functional_model.hpp"
#include "verify/unit/configuration/random_config.hpp"

namespace {

using td::sim::ComputeDescriptor;
using td::sim::Descriptor;
using td::sim::ErrorCode;
using td::sim::JobEnd;
using td::sim::LoadDescriptor;
using td::sim::StoreDescriptor;
using td::sim::Waits;

constexpr std::uint64_t kBase = 0x1000;
constexpr std::uint64_t kTensors = 0x2000;
constexpr std::uint64_t kEnd = 0x3000;

/// A load of each side, a compute and a store, all legal; and a memory for them.
struct HandMadeJob {
  HandMadeJob() {
    load.memory.address = kTensors;
    load.memory.rows = 4;
    other = load;
    other.side_b = true;
    compute.waits.loads = 2;
    compute.a_groups = 2;
    compute.a.blocks = 3;  // a row, one of zeros, and two of zeros
    compute.b.blocks = 2;
    compute.result_pitch = 2;
    store.waits.computes = 1;
    store.memory.address = kTensors + 0x800;
    store.memory.segments = 2;
    store.memory.segment_pitch = 8;
    store.word_pitch = 2;
    memory.base = kBase;
    memory.bytes.resize(kEnd - kBase);
  }

  JobEnd run() {
    std::vector<std::uint32_t> words;
    for (const Descriptor& one : std::vector<Descriptor>{load, other, compute, store}) {
      td::sim::encode(one, words);
    }
    if (first_word >= 0) words[0] = static_cast<std::uint32_t>(first_word);
    std::memcpy(memory.bytes.data(), words.data(), words.size() * 4);
    td::sim::FunctionalModel model(config, memory);
    model.set_window(window_begin, window_end);
    return model.run(address, count);
  }

  ErrorCode error(std::size_t descriptor) {
    const JobEnd end = run();
    CHECK(end.descriptor == descriptor);
    return end.error;
  }

  td::Config config = td::unit::config_of(
      "[tile]\nlanes = 4\nrows = 2\ncolumns = 2\n[accelerator]\ntiles = 2\n"
      "fill_rows = 2\n[accelerator.sram]\nbanks = 1\nbank_bytes = 512\n"
      "[accelerator.scratchpad]\nbank_bytes = 512\n");  // 128 rows, 64 words, 32 bank rows
  LoadDescriptor load, other;
  ComputeDescriptor compute;
  StoreDescriptor store;
  td::sim::MemoryImage memory;
  std::uint64_t window_begin = kBase, window_end = kEnd, address = kBase;
  std::uint32_t count = 4;
  std::int64_t first_word = -1;
};

template <class Spoil>
ErrorCode error_of(std::size_t descriptor, Spoil spoil) {
  HandMadeJob job;
  spoil(job);
  return job.error(descriptor);
}

}  // namespace

TEST_CASE("accelerator model: a legal job") { CHECK(HandMadeJob().run().error == ErrorCode::none); }

TEST_CASE("accelerator model: jobs that cannot be read") {
  CHECK(error_of(0, [](HandMadeJob& job) { job.first_word = 4; }) == ErrorCode::kind);
  CHECK(error_of(0, [](HandMadeJob& job) { job.first_word = 0; }) == ErrorCode::kind);
  CHECK(error_of(0, [](HandMadeJob& job) { job.count = 0; }) == ErrorCode::field);
  CHECK(error_of(0, [](HandMadeJob& job) { job.address = kBase + 32; }) == ErrorCode::alignment);
  CHECK(error_of(0, [](HandMadeJob& job) { job.address = kEnd; }) == ErrorCode::window);
  CHECK(error_of(0, [](HandMadeJob& job) {
          job.address = kEnd;
          job.window_end = kEnd + 64;
        }) == ErrorCode::read);
  CHECK(error_of(2, [](HandMadeJob& job) {
          job.compute.waits = Waits{3, 0, 0};
        }) == ErrorCode::wait);
  CHECK(error_of(2, [](HandMadeJob& job) {
          job.compute.waits = Waits{0, 1, 0};
        }) == ErrorCode::wait);
  CHECK(error_of(2, [](HandMadeJob& job) { job.compute.keep = 2; }) == ErrorCode::wait);
  CHECK(error_of(0, [](HandMadeJob& job) { job.load.waits = Waits{0, 0, 1}; }) == ErrorCode::wait);
}

TEST_CASE("accelerator model: loads") {
  const auto refused = [](auto spoil) {
    return error_of(0, [&](HandMadeJob& job) { spoil(job.load); });
  };
  CHECK(refused([](auto& load) { load.memory.rows = 0; }) == ErrorCode::field);
  CHECK(refused([](auto& load) { load.memory.segments = 0; }) == ErrorCode::field);
  CHECK(refused([](auto& load) { load.memory.planes = 0; }) == ErrorCode::field);
  CHECK(refused([](auto& load) { load.row = 125; }) == ErrorCode::field);
  CHECK(refused([](auto& load) { load.interleave = 6; }) == ErrorCode::none);
  CHECK(refused([](auto& load) { load.interleave = 7; }) == ErrorCode::field);
  CHECK(refused([](auto& load) { load.memory.address += 4; }) == ErrorCode::alignment);
  CHECK(refused([](auto& load) { load.memory.segment_pitch = 4; }) == ErrorCode::alignment);
  CHECK(refused([](auto& load) { load.memory.address = kEnd - 24; }) == ErrorCode::window);
  CHECK(refused([](auto& load) { load.memory.address = kBase - 8; }) == ErrorCode::window);
  CHECK(refused([](auto& load) { load.memory.address = ~std::uint64_t{7}; }) == ErrorCode::window);
  CHECK(refused([](auto& load) { load.memory.address = kEnd - 32; }) == ErrorCode::none);
  CHECK(error_of(0, [](HandMadeJob& job) {
          job.window_end = kEnd + 64;
          job.load.memory.address = kEnd;
        }) == ErrorCode::read);
}

TEST_CASE("accelerator model: loads on a bus whose beats have two rows: the window is in beats") {
  const auto at = [](std::uint64_t address, std::uint64_t begin, std::uint64_t end) {
    return error_of(0, [&](HandMadeJob& job) {
      job.config.accelerator.fill_rows = 4;
      job.config.accelerator.beat_rows = 2;
      job.count = 1;
      job.window_begin = begin;
      job.window_end = end;
      job.load.memory.address = address;
    });
  };
  CHECK(at(kEnd - 32, kBase, kEnd) == ErrorCode::none);
  CHECK(at(kEnd - 40, kBase, kEnd) == ErrorCode::none);  // half a beat at each end
  CHECK(at(kEnd - 40, kBase, kEnd - 8) == ErrorCode::window);
  CHECK(at(kEnd - 48, kBase, kEnd - 8) == ErrorCode::none);
}

TEST_CASE("accelerator model: computes") {
  const auto refused = [](auto spoil) {
    return error_of(2, [&](HandMadeJob& job) { spoil(job.compute); });
  };
  CHECK(refused([](auto& compute) { compute.chunk_rows = 0; }) == ErrorCode::field);
  CHECK(refused([](auto& compute) { compute.a_groups = 0; }) == ErrorCode::field);
  CHECK(refused([](auto& compute) { compute.b_lines = 0; }) == ErrorCode::field);
  CHECK(refused([](auto& compute) { compute.across = 2; }) == ErrorCode::field);
  CHECK(refused([](auto& compute) { compute.a_lines = 2; }) == ErrorCode::field);
  CHECK(refused([](auto& compute) { compute.b_lines = 3; }) == ErrorCode::field);
  CHECK(refused([](auto& compute) { compute.chunk_rows = 4; }) == ErrorCode::field);
  CHECK(refused([](auto& compute) { compute.group_pitch = 32; }) == ErrorCode::field);
  CHECK(refused([](auto& compute) { compute.result_word = 61; }) == ErrorCode::field);
  CHECK(refused([](auto& compute) { compute.result_pitch = 63; }) == ErrorCode::field);
  // Result rows lie apart: side A's two groups are beside each other, or side B's one.
  CHECK(refused([](auto& compute) { compute.result_pitch = 0; }) == ErrorCode::field);
  CHECK(refused([](auto& compute) { compute.result_pitch = 1; }) == ErrorCode::field);
  const auto refused_on_b = [&](std::uint16_t pitch) {
    return refused([&](auto& compute) {
      compute.lanes_on_b = true;
      compute.result_pitch = pitch;
    });
  };
  CHECK(refused_on_b(0) == ErrorCode::field);
  CHECK(error_of(0, [](HandMadeJob& job) {
          job.compute.lanes_on_b = true;
          job.compute.result_pitch = 1;
        }) == ErrorCode::none);
  CHECK(refused([](auto& compute) { compute.a.levels[2].count = 0; }) == ErrorCode::field);
  CHECK(refused([](auto& compute) { compute.b.row = 128; }) == ErrorCode::field);
  CHECK(refused([](auto& compute) { compute.a.fan = 3; }) == ErrorCode::field);
  CHECK(refused([](auto& compute) { compute.a.last_fan = 2; }) == ErrorCode::field);
  CHECK(refused([](auto& compute) { compute.a.blocks = 2; }) == ErrorCode::field);
  CHECK(refused([](auto& compute) { compute.b.blocks = 3; }) == ErrorCode::field);
  CHECK(refused([](auto& compute) { compute.b.interleave = 7; }) == ErrorCode::field);
}

TEST_CASE("accelerator model: stores") {
  const auto refused = [](auto spoil) {
    return error_of(3, [&](HandMadeJob& job) { spoil(job.store); });
  };
  CHECK(refused([](auto& store) { store.memory.rows = 0; }) == ErrorCode::field);
  CHECK(refused([](auto& store) { store.tile = 2; }) == ErrorCode::field);
  CHECK(refused([](auto& store) { store.word = 61; }) == ErrorCode::field);
  CHECK(refused([](auto& store) { store.memory.address += 2; }) == ErrorCode::alignment);
  CHECK(refused([](auto& store) { store.memory.plane_pitch = 12; }) == ErrorCode::alignment);
  CHECK(refused([](auto& store) { store.memory.address = kEnd - 8; }) == ErrorCode::window);
  CHECK(error_of(3, [](HandMadeJob& job) {
          job.window_end = kEnd + 64;
          job.store.memory.address = kEnd;
        }) == ErrorCode::write);
}
