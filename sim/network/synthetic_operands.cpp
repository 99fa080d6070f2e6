// SPDX-License-Identifier: Apache-2.0
#include "sim/network/synthetic_operands.hpp"

#include <fmt/format.h>

#include <cassert>
#include <cstddef>
#include <utility>

#include "base/support/error.hpp"
#include "base/support/hash.hpp"
#include "sim/network/draws.hpp"

namespace td::sim {

namespace {

std::string identity_of(const Network& network, const Sparsity& sparsity, std::uint64_t seed) {
  const std::uint64_t texts = fnv1a(sparsity.document.text, fnv1a(network.document.text));
  std::string drawn = fmt::format("\nbatch {} seed {}", network.batch, seed);
  if (sparsity.epoch) drawn += fmt::format(" epoch {}", *sparsity.epoch);
  return hash_text(fnv1a(drawn, texts));
}

}  // namespace

SyntheticOperands::SyntheticOperands(Network network, const Sparsity& sparsity, std::uint64_t seed)
    : network_(std::move(network)), identity_(identity_of(network_, sparsity, seed)) {
  sparsity.check_names(network_.layers);
  for (const LayerInfo& layer : network_.layers) {
    std::vector<SlabGenerator>& generators = generators_[layer.name];
    for (const Operand operand : {Operand::A, Operand::W, Operand::GO}) {
      const std::string tensor = sim::path(layer) + "/" + to_string(operand);
      generators.emplace_back(sparsity.law(layer, operand), layer.shape(operand),
                              mix_bits(fnv1a(tensor) ^ mix_bits(seed)));
    }
  }
}

const unsigned char* SyntheticOperands::slab(const LayerInfo& layer, Operand operand,
                                             std::int64_t index, SlabBuffer& buffer) const {
  const auto found = generators_.find(layer.name);
  if (found == generators_.end()) throw UserError(path() + ": has no layer " + layer.name);
  assert(index >= 0 && index < layer.shape(operand).front());
  const SlabGenerator& generator = found->second[static_cast<std::size_t>(operand)];
  unsigned char* drawn =
      buffer.bytes(static_cast<std::size_t>(generator.elements() * bytes(Dtype::bf16)));
  generator.generate(index, drawn);
  return drawn;
}

}  // namespace td::sim
