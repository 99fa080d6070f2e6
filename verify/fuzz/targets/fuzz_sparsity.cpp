// SPDX-License-Identifier: Apache-2.0
// Fuzz target: any bytes as the zeros of a network, and what must hold for those accepted.
#include <string>
#include <string_view>

#include "sim/network/sparsity.hpp"
#include "verify/fuzz/target.hpp"

namespace td::verify {

namespace {

using sim::LayerInfo;

LayerInfo layer(const std::string& name, bool needs_input_grad) {
  LayerInfo result;
  result.snapshot = "net";
  result.name = name;
  result.needs_input_grad = needs_input_grad;
  return result;
}

void check_law(const sim::ZeroLaw& law) {
  // Written so that a NaN is found.
  must(law.zeros >= 0 && law.zeros <= 1, "a share of zeros is one");
  must(law.run >= 1 && law.run <= 1e6, "a run has a neighbour or more");
  must(law.spread >= 0 && law.spread <= 1, "a spread is a share");
  must(law.is_random() == (law.run == 1 && law.spread == 0), "random is what has no pattern");
}

void check(std::string_view text) {
  const sim::Sparsity sparsity = sim::parse_sparsity({kInputName, std::string(text)});
  const std::vector<LayerInfo> layers = {layer("conv1", false), layer("layer1.0.conv2", true),
                                         layer("fc", true), layer(std::string(200, 'a'), true)};
  for (const LayerInfo& one : layers) {
    for (const sim::Operand operand : {sim::Operand::A, sim::Operand::W, sim::Operand::GO}) {
      check_law(sparsity.law(one, operand));
    }
  }
  for (const sim::SparsityEntry& entry : sparsity.entries) {
    check_printable(entry.pattern, "a pattern of names");
  }
  sparsity.check_names(layers);
}

}  // namespace

}  // namespace td::verify

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return td::verify::judge([&] { td::verify::check(td::verify::text_of(data, size)); });
}
