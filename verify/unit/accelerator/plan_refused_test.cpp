// SPDX-License-Identifier: Apache-2.0
// What cannot be planned: one line that names what, its value, and what would be legal.
#include <doctest/doctest.h>

#include <string>

#include "sim/accelerator/plan/placement.hpp"
#include "verify/unit/accelerator/operation_case.hpp"
#include "verify/unit/base/refusal.hpp"

namespace {

using td::sim::Op;
using td::sim::Operation;
using td::unit::conv_layer;
using td::unit::linear_layer;
using td::unit::message_of;

td::Config config_with(int tiles, int sram, int scratchpad) {
  return td::unit::config_of(
      fmt::format("[tile]\nlanes = 16\nrows = 2\ncolumns = 2\n[accelerator]\ntiles = {}\n"
                  "[accelerator.sram]\nbanks = 1\nbank_bytes = {}\n"
                  "[accelerator.scratchpad]\nbank_bytes = {}\n",
                  tiles, sram, scratchpad));
}

std::string cut_message(const td::Config& config, const td::sim::LayerInfo& layer, Op op) {
  const td::Geometry geometry = geometry_of(config);
  return message_of([&] {
    choose_cuts(Operation(layer, op, geometry, false), geometry, {}, {}, "s/l/op", {}, 1);
  });
}

const std::string refused_part = "; legal: memories that hold a smallest part of it";

}  // namespace

TEST_CASE("plan: operations that do not fit are refused") {
  // A block of 16 channels takes 16 filters, as rows: a quarter of 64 rows of 32 bytes.
  const auto layer = linear_layer(20, 16, 16);
  CHECK(cut_message(config_with(1, 512, 512), layer, Op::dgrad) == "(accepted)");
  // A line of a scratchpad has 8 groups of 2 streams: 16 lanes.
  CHECK(cut_message(config_with(1, 2048, 512), layer, Op::fwd) == "(accepted)");
  // Lanes of 64 channels, and one block of rows: results of 2 streams take 8 words.
  const auto wide = td::unit::config_of(
      "[tile]\nlanes = 16\nrows = 2\ncolumns = 2\n[tile.numerics]\nformat = \"fp32\"\n"
      "[accelerator]\ntiles = 1\n[accelerator.sram]\nbanks = 1\nbank_bytes = 512\n"
      "[accelerator.scratchpad]\nbank_bytes = 512\n");
  CHECK(
      cut_message(wide, layer, Op::fwd) ==
      "accelerator: s/l/op = operand memories of 8 rows, result memories of 64 words, scratchpads "
      "of 4 rows is illegal" +
          refused_part);
}

TEST_CASE("plan: positions and sizes beyond 16 bits are refused") {
  const td::Geometry geometry = geometry_of(config_with(1, 4096, 1024));
  const auto operation = [&](const td::sim::LayerInfo& layer) {
    return message_of([&] { Operation(layer, Op::fwd, geometry, false); });
  };
  CHECK(operation(linear_layer(32768, 1, 1)) == "(accepted)");
  CHECK(operation(linear_layer(1, 1, 32753)) == "(accepted)");
  td::sim::Conv conv;
  CHECK(operation(conv_layer({1, 1, 32768, 1}, {1, 1, 1, 1}, conv)) ==
        "accelerator: s/l/fwd = 0..32768 is illegal; legal: positions of -32767..32767");
  conv.padding[0] = 40000;
  CHECK(operation(conv_layer({1, 1, 3, 3}, {1, 1, 3, 3}, conv)) ==
        "accelerator: s/l/fwd = -40000..40003 is illegal; legal: positions of -32767..32767");
  // What lies between two images has 32 bits; a linear layer's batch is one image.
  const auto images = [&](std::int64_t count) {
    return operation(conv_layer({count, 1, 20000, 20000}, {1, 1, 1, 1}, {}));
  };
  CHECK(images(1) == "(accepted)");
  CHECK(images(2) ==
        "accelerator: s/l/fwd = 12800000000 is illegal; legal: images and filters of up to "
        "4294967295 bytes");
  CHECK(operation(linear_layer(65536, 768, 50257)) == "(accepted)");
}

TEST_CASE("plan: tensors that lie badly are refused") {
  const td::Geometry geometry = geometry_of(config_with(1, 4096, 1024));
  const Operation operation(linear_layer(4, 16, 16), Op::fwd, geometry, false);
  // A and O take 128 bytes, W 512.
  const auto placed = [&](std::uint64_t a, std::uint64_t w, std::uint64_t result) {
    td::sim::Placement placement;
    placement.operands[0] = a;
    placement.operands[1] = w;
    placement.result = result;
    return message_of([&] { check_placement(operation, placement, {0x1000, 0x2000}, "s/l/fwd"); });
  };
  CHECK(placed(0x1000, 0x1080, 0x1280) == "(accepted)");
  CHECK(placed(0x1000, 0x1080, 0x1f80) == "(accepted)");
  CHECK(placed(0x1010, 0x1080, 0x1280) ==
        "accelerator: s/l/fwd/A = 0x1010 is illegal; legal: a multiple of 32 bytes");
  CHECK(placed(0x1000, 0xfe0, 0x1280) ==
        "accelerator: s/l/fwd/W = 0xfe0 is illegal; legal: 512 bytes within 0x1000..0x2000");
  CHECK(placed(0x1000, 0x1080, 0x1fa0) ==
        "accelerator: s/l/fwd/result = 0x1fa0 is illegal; legal: 128 bytes within 0x1000..0x2000");
  CHECK(
      placed(0x1000, 0x1080, 0x1260) ==
      "accelerator: s/l/fwd/result = 0x1260 is illegal; legal: 128 bytes that W at 0x1080 has none "
      "of");
  CHECK(
      placed(0x1000, 0x1060, 0x1280) ==
      "accelerator: s/l/fwd/W = 0x1060 is illegal; legal: 512 bytes that A at 0x1000 has none of");
}
