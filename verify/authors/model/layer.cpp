// SPDX-License-Identifier: Apache-2.0
// Reads layers from a trace.
#include "verify/authors/model/layer.hpp"

namespace td::authors {

Layer load_layer(const sim::Trace& trace, const sim::LayerInfo& info) {
  const auto load = [&](sim::Operand operand) {
    return sim::load_bits(trace.tensor(info, operand), kFormat);
  };
  return {info, load(sim::Operand::A), load(sim::Operand::W), load(sim::Operand::GO)};
}

}  // namespace td::authors
