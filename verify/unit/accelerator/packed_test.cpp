// SPDX-License-Identifier: Apache-2.0
// Packed blocks of tensors.
#include "sim/accelerator/packed.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

#include "verify/unit/accelerator/operation_case.hpp"

namespace {

using td::Geometry;
using td::sim::block_bytes;
using td::sim::block_rows;
using td::sim::BlockRows;
using td::sim::pack_blocks;
using td::sim::PackedBlocks;
using td::sim::unpack_block;
using td::unit::pick;

Geometry geometry_with(int lanes, td::Format format, int beat_rows) {
  Geometry geometry;
  geometry.lanes = lanes;
  geometry.format = format;
  geometry.beat_rows = beat_rows;
  geometry.unpack_rows = beat_rows;
  return geometry;
}

std::vector<std::uint8_t> random_tensor(std::mt19937& random, const Geometry& geometry, int rows,
                                        double zeros) {
  const int bytes = td::width(geometry.format) / 8;
  std::vector<std::uint8_t> tensor(static_cast<std::size_t>(rows * geometry.row_bytes()));
  for (std::size_t i = 0; i < tensor.size(); i += static_cast<std::size_t>(bytes)) {
    if (std::bernoulli_distribution(zeros)(random)) continue;
    tensor[i + static_cast<std::size_t>(pick(random, 0, bytes - 1))] =
        static_cast<std::uint8_t>(pick(random, 1, 255));
  }
  return tensor;
}

}  // namespace

TEST_CASE("packed: a block by hand") {
  const Geometry geometry = geometry_with(4, td::Format::bf16, 1);
  // Rows {0, 0x3f80, 0, 0x8000} and {0x0001, 0, 0, 0}: -0 is kept.
  const std::vector<std::uint8_t> tensor = {0, 0, 0x80, 0x3f, 0, 0, 0, 0x80,
                                            1, 0, 0,    0,    0, 0, 0, 0};
  CHECK(geometry.mask_rows() == 4);
  CHECK(block_rows(geometry, tensor) == BlockRows{5});
  std::vector<std::uint8_t> expected(64 * 8);
  expected[0] = 0x1a;
  const std::uint8_t values[] = {0x80, 0x3f, 0, 0x80, 1, 0};
  std::copy(std::begin(values), std::end(values), expected.begin() + 32);
  CHECK(pack_blocks(geometry, tensor) == expected);
}

TEST_CASE("packed: rows of a block from how many elements it keeps") {
  Geometry geometry = geometry_with(16, td::Format::bf16, 2);
  const std::vector<std::int64_t> kept = {0, 1, 32, 33, 58 * 16};
  CHECK(block_rows(geometry, kept) == BlockRows{4, 6, 6, 8, 62});
  CHECK(block_rows(geometry, std::vector<std::int64_t>{0, 58 * 16 + 1})
            .empty());  // no shorter than raw
  for (const int rows : {0, 4, 6, 62}) CHECK(td::sim::is_packed_rows(geometry, rows));
  for (const int rows : {1, 2, 3, 5, 63, 64, 255}) CHECK(!td::sim::is_packed_rows(geometry, rows));
  geometry.unpack_rows = 0;
  CHECK(block_rows(geometry, kept).empty());
  CHECK(!td::sim::is_packed_rows(geometry, 4));
  geometry = geometry_with(16, td::Format::fp32, 1);
  CHECK(geometry.mask_rows() == 2);
  CHECK(block_rows(geometry, std::vector<std::int64_t>{17}) == BlockRows{4});
}

TEST_CASE("packed: what blocks of a load take, about, and of some rows exactly") {
  const Geometry geometry = geometry_with(4, td::Format::bf16, 2);
  const BlockRows blocks = {6, 20, 8, 10, 12};
  // The mean of the most of any four behind each other.
  CHECK(PackedBlocks(geometry, blocks).usual == 20);
  CHECK(PackedBlocks(geometry, {6, 8, 8, 8, 12}).usual == 10);
  CHECK(PackedBlocks(geometry, {6, 8, 8, 8, 10}).usual == 10);  // whole beats
  CHECK(PackedBlocks(geometry, {6, 8}).usual == 8);
  CHECK(PackedBlocks(geometry, {}).usual == 0);
  td::sim::TensorLayout layout(td::unit::linear_layer(300, 4, 4), td::sim::Operand::A, geometry);
  CHECK(layout.packed() == 0);
  layout.set_packed(PackedBlocks(geometry, blocks));
  CHECK(layout.packed_in(0, 64) == 6);
  CHECK(layout.packed_in(63, 65) == 20);
  CHECK(layout.packed_in(128, 192) == 8);
  CHECK(layout.packed_in(191, 300) == 12);
  CHECK(layout.stored_bytes() == 5 * 64 * 8);
  CHECK(!layout.packed_alike());
  layout.set_packed(PackedBlocks(14));
  CHECK(layout.packed_alike());
}

TEST_CASE("packed: unpacked, all blocks are as they were") {
  std::mt19937 random(7);
  int packed_tensors = 0;
  for (int i = 0; i < 200; ++i) {
    CAPTURE(i);
    const Geometry geometry = geometry_with(
        1 << pick(random, 1, 5), pick(random, 0, 1) == 0 ? td::Format::bf16 : td::Format::fp32,
        1 << pick(random, 0, 1));
    const int rows = pick(random, 1, 200);
    auto tensor = random_tensor(random, geometry, rows, pick(random, 0, 9) / 10.0);
    const BlockRows taken = block_rows(geometry, tensor);
    if (taken.empty()) continue;
    ++packed_tensors;
    std::vector<std::uint8_t> blocks = pack_blocks(geometry, tensor);
    const auto block = static_cast<std::size_t>(block_bytes(geometry));
    tensor.resize((tensor.size() + block - 1) / block * block);
    REQUIRE(blocks.size() == tensor.size());
    for (std::size_t begin = 0; begin < blocks.size(); begin += block) {
      std::vector<std::uint8_t> unpacked(block);
      CHECK(unpack_block(geometry, &blocks[begin], taken[begin / block], 64, unpacked.data()));
      CHECK(std::equal(unpacked.begin(), unpacked.end(), &tensor[begin]));
    }
    // One element more than it has room for, in the last row.
    const std::int64_t packed = taken[0];
    const std::int64_t room = (packed - geometry.mask_rows()) * geometry.lanes;
    for (std::int64_t bit = 0; bit < 64 * geometry.lanes; ++bit) {
      const bool set = bit < room || bit == 64 * geometry.lanes - 1;
      const auto at = static_cast<std::size_t>(bit / 8);
      const int mask = 1 << bit % 8;
      blocks[at] = static_cast<std::uint8_t>(set ? blocks[at] | mask : blocks[at] & ~mask);
    }
    std::vector<std::uint8_t> unpacked(block);
    CHECK(unpack_block(geometry, blocks.data(), packed, 63, unpacked.data()));
    CHECK(!unpack_block(geometry, blocks.data(), packed, 64, unpacked.data()));
  }
  CHECK(packed_tensors > 100);
}
