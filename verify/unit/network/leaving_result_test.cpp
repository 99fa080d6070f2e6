// SPDX-License-Identifier: Apache-2.0
// What leaves the chip of results whose readers are known.
#include "sim/network/leaving_result.hpp"

#include <doctest/doctest.h>

#include <string>

#include "gen/base/error.hpp"
#include "sim/network/network.hpp"
#include "verify/unit/configuration/random_config.hpp"

namespace {

using td::sim::LayerInfo;
using td::sim::Network;
using td::sim::Op;

/// A layer that two read, whose results a third has side by side, and a linear one behind it.
Network fire(const std::string& third_from = R"(["left", "right"])") {
  return td::sim::parse_network({"fire.toml", R"(
name = "fire"
input = [3, 8, 8]
layers = [
  { name = "first", type = "conv2d", in = 3, out = 4, kernel = 1, size = 8 },
  { name = "left", type = "conv2d", in = 4, out = 5, kernel = 1, size = 4, from = ["first"] },
  { name = "right", type = "conv2d", in = 4, out = 3, kernel = 3, padding = 1, size = 4, from = ["first"] },
  { name = "third", type = "conv2d", in = 8, out = 2, kernel = 1, size = 4, from = )" +
                                                  third_from +
                                                  R"( },
  { name = "last", type = "linear", in = 32, out = 7, from = ["third"] },
])"},
                                2);
}

/// Every fourth activation is not zero; of `last`, every one.
td::sim::ZeroCount zeros(const LayerInfo& layer) {
  td::sim::ZeroCount counted;
  counted.elements = td::sim::count(layer.a);
  counted.zeros = layer.name == "last" ? 0 : counted.elements * 3 / 4;
  return counted;
}

void check_refused(const std::string& from, const std::string& message) {
  try {
    fire(from);
    FAIL("accepted");
  } catch (const td::UserError& error) {
    CHECK(std::string(error.what()).find(message) != std::string::npos);
  }
}

}  // namespace

TEST_CASE("leaving results: outputs leave as the activations that they become") {
  const Network network = fire();
  td::Config config = td::unit::config_of("");
  config.format = td::Format::fp32;
  config.output = td::Format::fp32;
  const auto leaves = [&](std::size_t layer, Op op) {
    return leaving_result(network.layers, network.links, network.layers[layer], op, config, zeros);
  };
  // Pooled to [2, 4, 4, 4]: 128 elements in 16 bytes, and 32 that are not zero.
  CHECK(leaves(0, Op::fwd)->written_bytes == 16 + 32 * 4);
  CHECK(leaves(0, Op::fwd)->mask_bytes == 0);
  // [2, 8, 4, 4]: 256 elements, 32 + 64 * 4 = 288 bytes for 5 and 3 channels.
  CHECK(leaves(1, Op::fwd)->written_bytes == 180);
  CHECK(leaves(2, Op::fwd)->written_bytes == 108);
  // No zeros to leave out.
  CHECK_FALSE(leaves(3, Op::fwd).has_value());
  CHECK_FALSE(leaves(4, Op::dgrad).has_value());
  // Nobody reads the last; a gradient of weights is what it is.
  CHECK_FALSE(leaves(4, Op::fwd).has_value());
  CHECK_FALSE(leaves(1, Op::wgrad).has_value());
  // Gradients of activations, and the bits of which of these are zero.
  CHECK(leaves(3, Op::dgrad)->written_bytes == 288);
  CHECK(leaves(3, Op::dgrad)->mask_bytes == 32);
  CHECK_FALSE(leaves(0, Op::dgrad).has_value());
  // Half as wide.
  config.output = td::Format::bf16;
  CHECK(leaves(1, Op::fwd)->written_bytes + leaves(2, Op::fwd)->written_bytes == 32 + 64 * 2);
  CHECK_FALSE(leaving_result(network.layers, {}, network.layers[1], Op::fwd, config, zeros));
}

TEST_CASE("leaving results: behind batch normalisation only gradients leave without zeros") {
  const auto leaves = [](const std::string& key, Op op) {
    const std::string layer = R"(type = "conv2d", in = 8, out = 8, kernel = 1, size = 4)" + key;
    const Network network = td::sim::parse_network({"normalised.toml", R"(name = "normalised"
input = [8, 4, 4]
layers = [{ name = "one", )" + layer + R"( }, { name = "two", )" + layer + " }]"},
                                                   2);
    td::Config config = td::unit::config_of("");
    config.output = td::Format::fp32;
    return leaving_result(network.layers, network.links, network.layers[1], op, config, zeros);
  };
  // A [2, 8, 4, 4]: 256 elements, of which 64 are not zero.
  REQUIRE(leaves(", relu = true", Op::dgrad).has_value());
  CHECK(leaves(", relu = true", Op::dgrad)->written_bytes == 32 + 64 * 4);
  CHECK(leaves(", relu = true", Op::dgrad)->mask_bytes == 32);
  CHECK_FALSE(leaves(", relu = true", Op::fwd).has_value());
  CHECK_FALSE(leaves(", relu = false", Op::dgrad).has_value());
  CHECK_FALSE(leaves("", Op::dgrad).has_value());
}

TEST_CASE("leaving results: links that cannot be are refused") {
  check_refused(R"(["left"])", "layers whose outputs make the 8 inputs, not 5");
  check_refused(R"(["left", "last"])", "names of layers that stand before");
  check_refused(R"(["first", "first"])", "all that left has, whose input then is the same");
  check_refused(R"("left")", "an array of texts");
  check_refused(R"(["left", "right"], relu = true)", "left out beside from, which says it");
}
