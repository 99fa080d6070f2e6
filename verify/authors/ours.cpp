// SPDX-License-Identifier: Apache-2.0
// Hands one layer's operands to the simulator.
#include "verify/authors/ours.hpp"

#include <fmt/format.h>

#include "base/configuration/config.hpp"
#include "sim/cycles/op_simulator.hpp"
#include "sim/cycles/operand_choice.hpp"

namespace td::authors {
namespace {

Config tile_config(const Tile& tile) {
  return parse_config(fmt::format("name = \"authors\"\n[tile]\nlanes = 16\nrows = {}\n"
                                  "columns = {}\n[tile.interconnect]\ndepth = 3\n"
                                  "pattern = \"step_first\"\n[accelerator]\ntiles = 1\n",
                                  tile.rows, tile.columns),
                      "authors");
}

/// One layer as a source of operands.
class LayerOperands : public sim::OperandSource {
 public:
  explicit LayerOperands(const Layer& layer) : layer_(layer), layers_{layer.info} {}

  const std::string& path() const override { return layer_.info.name; }
  std::string identity() const override { return std::string(16, '0'); }
  const std::vector<sim::LayerInfo>& layers() const override { return layers_; }
  sim::Dtype dtype(const sim::LayerInfo&, sim::Operand) const override { return sim::Dtype::bf16; }

  const unsigned char* slab(const sim::LayerInfo& info, sim::Operand operand, std::int64_t index,
                            sim::SlabBuffer& buffer) const override {
    const std::vector<std::uint32_t>& bits = layer_.bits(operand);
    const std::size_t elements = bits.size() / static_cast<std::size_t>(info.shape(operand)[0]);
    unsigned char* bytes = buffer.bytes(2 * elements);
    for (std::size_t i = 0; i < elements; ++i) {
      const std::uint32_t value = bits[static_cast<std::size_t>(index) * elements + i];
      bytes[2 * i] = static_cast<unsigned char>(value);
      bytes[2 * i + 1] = static_cast<unsigned char>(value >> 8);
    }
    return bytes;
  }

 private:
  const Layer& layer_;
  std::vector<sim::LayerInfo> layers_;
};

}  // namespace

Cost tdsim_cost(const Layer& layer, sim::Op op, const Tile& tile) {
  const LayerOperands operands(layer);
  const sim::LayerZeros zeros = sim::count_zeros(operands, layer.info, kFormat);
  const sim::Which scheduled = sim::zero_shares(layer.info, op, zeros).scheduled();
  const sim::OpCycles result =
      sim::OpSimulator(tile_config(tile)).run(operands, layer.info, op, scheduled);
  const bool first = scheduled == sim::Which::first;
  return {first, !first, result.dense_cycles, result.cycles};
}

}  // namespace td::authors
