// SPDX-License-Identifier: Apache-2.0
#include "sim/network/redrawn_operands.hpp"

#include <fmt/format.h>

#include "base/support/hash.hpp"
#include "sim/network/draws.hpp"
#include "sim/network/law_fit.hpp"

namespace td::sim {
namespace {

std::string tensor(const LayerInfo& layer, Operand operand) {
  return path(layer) + "/" + to_string(operand);
}

}  // namespace

RedrawnOperands::RedrawnOperands(const Trace& trace, ZeroOrigin origin, std::uint64_t seed)
    : TraceOperands(trace), origin_(origin), seed_(seed) {
  for (const LayerInfo& layer : trace.layers()) {
    for (const Operand operand : {Operand::A, Operand::W, Operand::GO}) {
      LawFit fit;
      fit.add(layer.shape(operand), load_bits(trace.tensor(layer, operand), Format::fp32));
      ZeroLaw law = fit.law();
      if (origin == ZeroOrigin::random) law = {law.zeros, 1, 0};
      const std::string name = tensor(layer, operand);
      generators_.emplace(
          name, SlabGenerator(law, layer.shape(operand), mix_bits(fnv1a(name) ^ mix_bits(seed))));
    }
  }
}

std::string RedrawnOperands::identity() const {
  return hash_text(
      fnv1a(fmt::format("{} {}", to_string(origin_), seed_), fnv1a(TraceOperands::identity())));
}

const unsigned char* RedrawnOperands::slab(const LayerInfo& layer, Operand operand,
                                           std::int64_t index, SlabBuffer& buffer) const {
  const SlabGenerator& generator = generators_.at(tensor(layer, operand));
  unsigned char* drawn =
      buffer.bytes(static_cast<std::size_t>(generator.elements() * bytes(Dtype::bf16)));
  generator.generate(index, drawn);
  return drawn;
}

}  // namespace td::sim
