// SPDX-License-Identifier: Apache-2.0
// Descriptors: there and back, and where a few of their fields are.
#include "sim/accelerator/descriptor.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <random>
#include <vector>

#include "sim/accelerator/descriptor_fields.hpp"
#include "sim/accelerator/timing/bus/transfer_clock.hpp"

namespace {

using td::sim::ComputeDescriptor;
using td::sim::Descriptor;
using td::sim::LoadDescriptor;
using td::sim::StoreDescriptor;
using Words = std::vector<std::uint32_t>;

Words words_of(const Descriptor& descriptor) {
  Words words;
  td::sim::encode(descriptor, words);
  return words;
}

/// All bits of a descriptor that mean something, by fields of its description.
Words random_words(std::mt19937& random, unsigned kind, const std::vector<td::sim::Field>& fields) {
  Words words(td::sim::descriptor_bytes(kind) / 4);
  words[0] = kind;
  for (const td::sim::Field& field : fields) {
    if (field.bits == 64) {
      words[field.word] = static_cast<std::uint32_t>(random());
      words[field.word + 1] = static_cast<std::uint32_t>(random());
      continue;
    }
    const std::uint64_t mask = (std::uint64_t{1} << field.bits) - 1;
    words[field.word] |= static_cast<std::uint32_t>((random() & mask) << field.bit);
  }
  return words;
}

std::vector<td::sim::Field> walk_fields(unsigned base) {
  using namespace td::sim::walk;
  std::vector<td::sim::Field> fields = {row,          y,          x,         y_bound,    x_bound,
                                        transpose,    fan,        last_fan,  interleave, blocks,
                                        fan_row_step, fan_y_step, fan_x_step};
  for (unsigned i = 0; i < levels; ++i) {
    for (td::sim::Field field : {level::count, level::y_step, level::x_step, level::row_step}) {
      field.word += level_word + i * level_words;
      fields.push_back(field);
    }
  }
  for (td::sim::Field& field : fields) field.word += base;
  return fields;
}

}  // namespace

TEST_CASE("descriptors: every bit of every field is read and written") {
  using namespace td::sim;
  std::mt19937 random(1);
  const std::vector<Field> head = {descriptor::wait_loads, descriptor::wait_computes,
                                   descriptor::wait_stores};
  std::vector<Field> load_fields = {load::side,   load::interleave,    load::address,
                                    load::row,    load::rows,          load::segments,
                                    load::planes, load::segment_pitch, load::plane_pitch};
  std::vector<Field> store_fields = {
      store::tile,     store::wide,   store::address,       store::word,        store::rows,
      store::segments, store::planes, store::segment_pitch, store::plane_pitch, store::word_pitch};
  std::vector<Field> compute_fields = {
      compute::dense,      compute::lanes_on_b,  compute::accumulate,  compute::across,
      compute::chunk_rows, compute::group_pitch, compute::a_groups,    compute::b_groups,
      compute::a_lines,    compute::b_lines,     compute::result_word, compute::result_pitch};
  for (const unsigned base : {walk::a_word, walk::b_word}) {
    const auto fields = walk_fields(base);
    compute_fields.insert(compute_fields.end(), fields.begin(), fields.end());
  }
  for (auto* fields : {&load_fields, &store_fields, &compute_fields}) {
    fields->insert(fields->end(), head.begin(), head.end());
  }
  for (int i = 0; i < 20; ++i) {
    for (const Words& words : {random_words(random, load::kind, load_fields),
                               random_words(random, compute::kind, compute_fields),
                               random_words(random, store::kind, store_fields)}) {
      CHECK(words_of(decode(words.data())) == words);
    }
  }
}

TEST_CASE("descriptors: where some fields are") {
  LoadDescriptor load;
  load.waits = {1, 2, 3};
  load.side_b = true;
  load.memory.address = 0x123456789abc;
  load.memory.rows = 5;
  load.memory.segments = 6;
  CHECK(words_of(load) ==
        Words{1, 0x20001, 3, 1, 0x56789abc, 0x1234, 0, 0x60005, 1, 0, 0, 0, 0, 0, 0, 0});
  ComputeDescriptor compute;
  compute.across = 3;
  compute.lanes_on_b = true;
  compute.b.levels[5].row_step = -2;
  compute.a.fan = 3;
  compute.a.last_fan = 2;
  compute.a.interleave = 3;
  compute.b.fan_row_step = -3;
  compute.b.fan_x_step = 4;
  const Words words = words_of(compute);
  CHECK(words.size() == 64);
  CHECK(words[0] == 2);
  CHECK(words[3] == 0x32);
  CHECK(words[40 + 4 + 3 * 5 + 2] == 0xfffffffe);
  CHECK(words[16 + 3] == 0x11886);  // one block
  CHECK(words[40 + 22] == 0xfffffffd);
  CHECK(words[40 + 23] == 0x40000);
  StoreDescriptor store;
  store.tile = 7;
  store.wide = true;
  CHECK(words_of(store)[3] == 0x107);
}

TEST_CASE("descriptor: beats are those of the bursts, however segments lie") {
  std::mt19937 random(29);
  const auto upto = [&](std::uint32_t most) {
    return static_cast<std::uint32_t>(random() % (most + 1));
  };
  int alike = 0;
  for (int i = 0; i < 2000; ++i) {
    td::Geometry geometry;
    geometry.lanes = 16;
    geometry.unpack_rows = 4;
    geometry.beat_rows = std::int64_t{1} << upto(2);
    const auto row_bytes = static_cast<std::uint32_t>(geometry.row_bytes());
    LoadDescriptor load;
    StoreDescriptor store;
    load.memory = {std::uint64_t{upto(300)} * row_bytes,
                   static_cast<std::uint16_t>(1 + upto(150)),
                   static_cast<std::uint16_t>(1 + upto(5)),
                   static_cast<std::uint16_t>(1 + upto(3)),
                   upto(200) * row_bytes,
                   upto(900) * row_bytes};
    if (upto(1) == 0) load.packed = static_cast<std::uint8_t>((1 + upto(14)) * 4);
    store.memory = load.memory;
    store.wide = upto(1) == 0;
    alike += load.memory.segment_pitch % (4 * row_bytes) == 0;
    std::int64_t beats[2] = {0, 0};
    for (const auto& burst : td::sim::load_bursts(geometry, load)) beats[0] += burst.beats;
    for (const auto& burst : td::sim::store_bursts(geometry, store)) beats[1] += burst.beats;
    CHECK(beats_of(geometry, load) == beats[0]);
    CHECK(beats_of(geometry, store) == beats[1]);
  }
  CHECK(alike > 200);
}
