// SPDX-License-Identifier: Apache-2.0
// Synthetic operands: the same bytes in any order and on any thread, other bytes for anything else,
// an identity, and the laws that a sparsity gives to layers.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "base/support/error.hpp"
#include "base/support/hash.hpp"
#include "sim/network/embedded.hpp"
#include "sim/network/synthetic_operands.hpp"

namespace {

using td::sim::LayerInfo;
using td::sim::Operand;
using td::sim::SlabBuffer;
using td::sim::SyntheticOperands;
using td::sim::ZeroLaw;
using Bytes = std::vector<unsigned char>;

const std::string network_text =
    "name = 'toy'\ninput = [3, 9, 9]\nlayers = [\n"
    "{ name = 'one', type = 'conv2d', in = 3, out = 8, kernel = 3, size = 9, "
    "needs_input_grad = false },\n"
    "{ name = 'two.a', type = 'conv2d', in = 8, out = 8, kernel = 3, size = 7 },\n"
    "{ name = 'two.b', type = 'conv2d', in = 8, out = 8, kernel = 3, size = 7 },\n"
    "{ name = 'last', type = 'linear', in = 130, out = 130 }]";

const std::string sparsity_text =
    "A = { zeros = 0.6, run = 2.5, spread = 0.5 }\nW = { zeros = 0.4 }\nGO = { zeros = 0.7 }\n";

SyntheticOperands operands_of(std::int64_t batch, std::uint64_t seed,
                              const std::string& sparsity = sparsity_text,
                              const std::string& network = network_text) {
  return SyntheticOperands(td::sim::parse_network({"n.toml", network}, batch),
                           td::sim::parse_sparsity({"s.toml", sparsity}), seed);
}

struct Request {
  std::size_t layer;
  Operand operand;
  std::int64_t index;
};

std::vector<Request> all_slabs(const SyntheticOperands& operands) {
  std::vector<Request> requests;
  for (std::size_t layer = 0; layer < operands.layers().size(); ++layer) {
    for (const Operand operand : {Operand::A, Operand::W, Operand::GO}) {
      const std::int64_t slabs = operands.layers()[layer].shape(operand)[0];
      for (std::int64_t i = 0; i < slabs; ++i) requests.push_back({layer, operand, i});
    }
  }
  return requests;
}

Bytes slab(const SyntheticOperands& operands, const Request& request, SlabBuffer& buffer) {
  const LayerInfo& layer = operands.layers()[request.layer];
  const unsigned char* data = operands.slab(layer, request.operand, request.index, buffer);
  const auto elements = static_cast<std::size_t>(td::sim::count(layer.shape(request.operand)) /
                                                 layer.shape(request.operand)[0]);
  return Bytes(data, data + 2 * elements);
}

std::vector<Bytes> slabs(const SyntheticOperands& operands, const std::vector<Request>& requests) {
  SlabBuffer buffer;
  std::vector<Bytes> result;
  for (const Request& request : requests) result.push_back(slab(operands, request, buffer));
  return result;
}

std::uint64_t hash_of(const std::vector<Bytes>& slabs) {
  std::uint64_t hash = td::kEmptyHash;
  for (const Bytes& bytes : slabs) {
    hash = td::fnv1a({reinterpret_cast<const char*>(bytes.data()), bytes.size()}, hash);
  }
  return hash;
}

/// zeros/run/spread.
void check_law(const td::sim::Sparsity& sparsity, const LayerInfo& layer, Operand operand,
               const ZeroLaw& expected) {
  const ZeroLaw law = sparsity.law(layer, operand);
  CAPTURE(layer.name);
  CHECK(law.zeros == expected.zeros);
  CHECK(law.run == expected.run);
  CHECK(law.spread == expected.spread);
}

}  // namespace

TEST_CASE("synthetic: slabs do not depend on what was asked for before") {
  const SyntheticOperands operands = operands_of(5, 7);
  std::vector<Request> requests = all_slabs(operands);
  std::vector<Bytes> forward = slabs(operands, requests);
  std::reverse(requests.begin(), requests.end());
  std::reverse(forward.begin(), forward.end());
  CHECK(slabs(operands, requests) == forward);
  CHECK(slabs(operands_of(5, 7), requests) == forward);
}

TEST_CASE("synthetic: slabs do not depend on the thread") {
  const SyntheticOperands operands = operands_of(16, 7);
  const std::vector<Request> requests = all_slabs(operands);
  const std::vector<Bytes> expected = slabs(operands, requests);
  std::vector<Bytes> found(requests.size());
  constexpr std::size_t threads = 4;
  std::vector<std::thread> running;
  for (std::size_t thread = 0; thread < threads; ++thread) {
    running.emplace_back([&, thread] {
      SlabBuffer buffer;
      for (std::size_t i = thread; i < requests.size(); i += threads) {
        found[i] = slab(operands, requests[i], buffer);
      }
    });
  }
  for (std::thread& thread : running) thread.join();
  CHECK(found == expected);
}

TEST_CASE("synthetic: every slab of every operand has bytes of its own") {
  // Of one law, and of some tensors with one shape.
  const std::string half = "A = { zeros = 0.5 }\nW = { zeros = 0.5 }\nGO = { zeros = 0.5 }";
  const SyntheticOperands operands = operands_of(5, 7, half);
  std::vector<Bytes> found = slabs(operands, all_slabs(operands));
  std::vector<Bytes> other = slabs(operands_of(5, 8, half), all_slabs(operands));
  std::move(other.begin(), other.end(), std::back_inserter(found));
  std::sort(found.begin(), found.end());
  CHECK(std::adjacent_find(found.begin(), found.end()) == found.end());
}

TEST_CASE("synthetic: the batch adds slabs and changes none") {
  const SyntheticOperands few = operands_of(2, 7);
  const std::vector<Request> requests = all_slabs(few);
  CHECK(slabs(operands_of(9, 7), requests) == slabs(few, requests));
}

TEST_CASE("synthetic: the bytes stay what they were") {
  const SyntheticOperands operands = operands_of(2, 1);
  CHECK(hash_of(slabs(operands, all_slabs(operands))) == 0xc4ea7be03b9750e5u);
}

TEST_CASE("synthetic: a slab has the size that the layer's shape says") {
  const SyntheticOperands operands = operands_of(2, 1);
  SlabBuffer buffer;
  for (const Request& request : all_slabs(operands)) {
    const LayerInfo& layer = operands.layers()[request.layer];
    CHECK(operands.dtype(layer, request.operand) == td::sim::Dtype::bf16);
    const unsigned char* data = operands.slab(layer, request.operand, request.index, buffer);
    const td::sim::Shape& shape = layer.shape(request.operand);
    CHECK(data == buffer.bytes(static_cast<std::size_t>(2 * td::sim::count(shape) / shape[0])));
  }
}

TEST_CASE("synthetic: a layer that the network does not have is refused") {
  const SyntheticOperands operands = operands_of(2, 1);
  LayerInfo stranger = operands.layers()[0];
  stranger.name = "three";
  SlabBuffer buffer;
  CHECK_THROWS_WITH_AS(operands.slab(stranger, Operand::A, 0, buffer), "n.toml: has no layer three",
                       td::UserError);
}

TEST_CASE("synthetic: the identity is that of both texts, batch and seed") {
  const std::string identity = operands_of(2, 1).identity();
  CHECK(identity.size() == 16);
  CHECK(identity.find_first_not_of("0123456789abcdef") == std::string::npos);
  CHECK(operands_of(2, 1).identity() == identity);
  CHECK(operands_of(2, 1).path() == "n.toml");
  std::vector<std::string> identities = {
      identity,
      operands_of(3, 1).identity(),
      operands_of(2, 2).identity(),
      operands_of(1, 21).identity(),
      operands_of(12, 1).identity(),
      operands_of(2, 1, sparsity_text + "# more").identity(),
      operands_of(2, 1, sparsity_text, network_text + "# more").identity(),
  };
  std::sort(identities.begin(), identities.end());
  CHECK(std::adjacent_find(identities.begin(), identities.end()) == identities.end());
}

TEST_CASE("sparsity: defaults, the network's input, and exceptions by name: later ones win") {
  const auto layers = td::sim::parse_network({"n.toml", network_text}, 1).layers;
  const td::sim::Sparsity sparsity = td::sim::parse_sparsity(
      {"s.toml", sparsity_text +
                     "input = { zeros = 0, spread = 0.25 }\nlayers = [\n"
                     "{ name = 'two.*', A = { zeros = 0.8 }, W = { spread = 1 } },\n"
                     "{ name = '?wo.b', A = { run = 4 }, GO = { zeros = 0.9, run = 3 } },\n"
                     "{ name = '*', GO = { spread = 0.125 } }]"});
  check_law(sparsity, layers[0], Operand::A, {0, 2.5, 0.25});
  check_law(sparsity, layers[0], Operand::W, {0.4, 1, 0});
  check_law(sparsity, layers[0], Operand::GO, {0.7, 1, 0.125});
  check_law(sparsity, layers[1], Operand::A, {0.8, 2.5, 0.5});
  check_law(sparsity, layers[1], Operand::W, {0.4, 1, 1});
  check_law(sparsity, layers[2], Operand::A, {0.8, 4, 0.5});
  check_law(sparsity, layers[2], Operand::GO, {0.9, 3, 0.125});
  check_law(sparsity, layers[3], Operand::A, {0.6, 2.5, 0.5});
}

TEST_CASE("sparsity: operands follow the law of their layer") {
  const std::string text = sparsity_text +
                           "input = { zeros = 0 }\nlayers = [\n"
                           "{ name = 'two.b', W = { zeros = 1 } }]";
  const SyntheticOperands operands = operands_of(3, 1, text);
  SlabBuffer buffer;
  for (const Request& request : all_slabs(operands)) {
    const Bytes bytes = slab(operands, request, buffer);
    const auto zeros = std::count(bytes.begin(), bytes.end(), 0);
    const auto size = static_cast<std::ptrdiff_t>(bytes.size());
    if (request.layer == 0 && request.operand == Operand::A) {
      CHECK(zeros == 0);
    } else if (request.layer == 2 && request.operand == Operand::W) {
      CHECK(zeros == size);
    } else {
      CHECK(zeros > 0);
      CHECK(zeros < size);
    }
  }
}

TEST_CASE("sparsity: the carried ones fit the carried networks") {
  for (const td::EmbeddedFile& network : td::sim::networks()) {
    for (const std::string name : {"half", "relu", "pruned"}) {
      CAPTURE(network.name);
      CAPTURE(name);
      CHECK_NOTHROW(SyntheticOperands(td::sim::load_network(std::string(network.name), 1),
                                      td::sim::load_sparsity(name), 1));
    }
  }
  CHECK_NOTHROW(SyntheticOperands(td::sim::load_network("vgg16", 1),
                                  td::sim::load_sparsity("relu_vgg16"), 1));
  const td::sim::Network resnet = td::sim::load_network("resnet50", 1);
  const td::sim::Sparsity measured = td::sim::load_sparsity("imagenet_resnet50", 45);
  CHECK(measured.entries.size() == resnet.layers.size());
  CHECK_NOTHROW(SyntheticOperands(resnet, measured, 1));
  CHECK(SyntheticOperands(resnet, measured, 1).identity() !=
        SyntheticOperands(resnet, td::sim::load_sparsity("imagenet_resnet50", 5), 1).identity());
}
