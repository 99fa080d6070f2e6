// SPDX-License-Identifier: Apache-2.0
// Rows that kernel positions share: the same elements in the same order, but for what filled rows
// up.
#include "sim/trace/shared_rows.hpp"

#include <doctest/doctest.h>

#include <cstring>
#include <random>
#include <vector>

#include "sim/mapping/mapping.hpp"
#include "verify/unit/mapping/layers.hpp"
#include "verify/unit/memory/memory_operands.hpp"

namespace {

using td::sim::Block;
using td::sim::LayerInfo;
using td::sim::Mapping;
using td::sim::Op;
using td::sim::Operand;
using td::sim::OperandSource;
using td::sim::Which;
using td::unit::pick;
using Numbers = std::vector<std::int64_t>;

/// A tensor as 16 bits that tell elements apart, wherever its source keeps them.
Numbers elements(const OperandSource& source, const LayerInfo& layer, Operand operand) {
  Numbers all;
  const td::sim::Shape& shape = layer.shape(operand);
  const bool wide = source.dtype(layer, operand) == td::sim::Dtype::f32;
  for (std::int64_t slab = 0; slab < shape[0]; ++slab) {
    std::vector<unsigned char> buffer;
    const unsigned char* data = source.slab(layer, operand, slab, buffer);
    for (std::int64_t i = 0; i < td::sim::count(shape) / shape[0]; ++i) {
      std::uint16_t bits;
      std::memcpy(&bits, data + (wide ? 4 * i + 2 : 2 * i), sizeof bits);
      all.push_back(bits);
    }
  }
  return all;
}

/// What a stream is made of; `rows` of the lanes' elements each, without those behind `used`.
Numbers stream(const Mapping& mapping, const Block& block, Which which, std::int64_t number,
               const Numbers& tensor, std::int64_t used) {
  const auto lanes = static_cast<std::int64_t>(mapping.lanes());
  std::vector<std::int64_t> indices(static_cast<std::size_t>(block.rows() * lanes));
  mapping.gather_indices(block, which, number, indices.data());
  const std::int64_t padded = td::sim::ceil_div(used, lanes) * lanes;
  Numbers values;
  for (std::size_t i = 0; i < indices.size(); ++i) {
    if (static_cast<std::int64_t>(i) % padded >= used) {
      CHECK(indices[i] == -1);
      continue;
    }
    values.push_back(indices[i] < 0 ? 0 : tensor[static_cast<std::size_t>(indices[i])]);
  }
  return values;
}

void set_all_different(td::unit::MemoryOperands& source, const LayerInfo& layer) {
  for (const Operand operand : {Operand::A, Operand::W, Operand::GO}) {
    std::vector<std::uint32_t> bits;
    for (std::int64_t i = 0; i < td::sim::count(layer.shape(operand)); ++i) {
      bits.push_back(static_cast<std::uint32_t>(i % 65535 + 1) << 16);
    }
    source.set(layer, operand, bits);
  }
}

}  // namespace

TEST_CASE("shared rows: streams have the elements that they had, in their order, in fewer rows") {
  std::mt19937 random(301);
  int shared_layers = 0;
  int grouped = 0;
  for (int i = 0; i < 200; ++i) {
    CAPTURE(i);
    const LayerInfo layer = td::unit::random_conv(random);
    const int lanes = pick(random, 2, 16);
    if (!can_share_rows(layer, Op::fwd, lanes)) continue;
    td::unit::MemoryOperands source(i % 2 == 0 ? td::sim::Dtype::f32 : td::sim::Dtype::bf16);
    source.add(layer, random, 0, 0, 0);
    set_all_different(source, layer);
    const td::sim::SharedRowOperands shared(source, layer);
    check_layer(shared.layer(), "shared");
    const Mapping before(layer, Op::fwd, lanes);
    const Mapping after(shared.layer(), Op::fwd, lanes);
    REQUIRE(before.blocks().size() == after.blocks().size());
    CHECK(before.output_shape() == after.output_shape());
    for (const Which which : {Which::first, Which::second}) {
      const Operand operand = td::sim::operand(Op::fwd, which);
      const Numbers old_tensor = elements(source, layer, operand);
      const Numbers new_tensor = elements(shared, shared.layer(), operand);
      for (std::size_t b = 0; b < before.blocks().size(); ++b) {
        const Block old_block = before.blocks()[b];
        const Block new_block = after.blocks()[b];
        CHECK(new_block.rows() < old_block.rows());
        const std::int64_t streams =
            which == Which::first ? old_block.first_streams : old_block.second_streams;
        // Windows are walked along y first, as before.
        const std::int64_t one = pick(random, 0, static_cast<int>(streams) - 1);
        CHECK(before.output_index(old_block, which == Which::first ? one : 0,
                                  which == Which::first ? 0 : one) ==
              after.output_index(new_block, which == Which::first ? one : 0,
                                 which == Which::first ? 0 : one));
        CHECK(stream(before, old_block, which, one, old_tensor, layer.w[1]) ==
              stream(after, new_block, which, one, new_tensor, shared.layer().w[1]));
      }
    }
    ++shared_layers;
    grouped += layer.conv.groups > 1 ? 1 : 0;
  }
  CHECK(shared_layers > 100);
  CHECK(grouped > 40);
}

TEST_CASE("shared rows: only where it saves rows of a forward convolution") {
  const LayerInfo first = td::unit::conv_layer({1, 3, 9, 9}, {4, 3, 3, 3}, {});
  CHECK(can_share_rows(first, Op::fwd, 16));       // 27 elements: 2 rows for 9
  CHECK_FALSE(can_share_rows(first, Op::fwd, 3));  // full rows
  CHECK_FALSE(can_share_rows(first, Op::dgrad, 16));
  CHECK_FALSE(can_share_rows(first, Op::wgrad, 16));
  const LayerInfo one = td::unit::conv_layer({1, 3, 9, 9}, {4, 3, 1, 1}, {});
  CHECK_FALSE(can_share_rows(one, Op::fwd, 16));
  CHECK_FALSE(can_share_rows(td::unit::linear_layer(4, 3, 5), Op::fwd, 16));
  const LayerInfo large = td::unit::conv_layer({1, 3, 2048, 2048}, {4, 3, 3, 3}, {});
  CHECK_FALSE(can_share_rows(large, Op::fwd, 16));  // 27 * 2046 * 2046 elements
}
