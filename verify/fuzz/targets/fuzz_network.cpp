// SPDX-License-Identifier: Apache-2.0
// Fuzz target: any bytes as a network, and what must hold for one that is accepted.
#include <set>
#include <string>
#include <string_view>

#include "sim/mapping/mapping.hpp"
#include "sim/network/network.hpp"
#include "verify/fuzz/target.hpp"
#include "verify/fuzz/targets/mapping_check.hpp"

namespace td::verify {

namespace {

using sim::LayerInfo;
using sim::Operand;

constexpr int kLanes = 16;

/// Whether a walk takes little time and memory: it visits every block, and has a stream's indices.
bool is_small(const sim::Mapping& mapping) {
  if (mapping.blocks().size() > 256) return false;
  std::int64_t rows = 0;
  for (const sim::Block& block : mapping.blocks()) rows += block.rows();
  return rows < 1 << 16;
}

/// Written apart from the reader: what fits into the padded input of one axis.
std::int64_t positions(const LayerInfo& layer, std::size_t axis) {
  const std::int64_t reach = (layer.w[2 + axis] - 1) * layer.conv.dilation[axis];
  const std::int64_t last = layer.a[2 + axis] + 2 * layer.conv.padding[axis] - 1 - reach;
  must(last >= 0, "the kernel fits into the padded input");
  return last / layer.conv.stride[axis] + 1;
}

void check_shapes(const LayerInfo& layer, std::int64_t batch) {
  for (const Operand operand : {Operand::A, Operand::W, Operand::GO}) {
    const sim::Shape& shape = layer.shape(operand);
    must(sim::count(shape) > 0, "shapes have elements");
    must(sim::count(shape) / shape[0] <= std::int64_t{1} << 28, "slabs fit into memory");
  }
  must(layer.a[0] % batch == 0 && layer.go[0] == layer.a[0], "samples are the batch's");
  must(layer.go[1] == layer.w[0], "every filter makes a channel");
  must(layer.w[1] * layer.conv.groups == layer.a[1], "filters see the channels of their group");
  if (layer.type == sim::LayerType::linear) return;
  must(layer.go[2] == positions(layer, 0) && layer.go[3] == positions(layer, 1),
       "outputs are where the kernel fits");
}

void check(std::string_view text, std::int64_t batch) {
  const sim::Network network = sim::parse_network({kInputName, std::string(text)}, batch);
  check_printable(network.name, "the name of a network");
  must(!network.layers.empty() && network.batch == batch, "there are layers, at that batch");
  std::set<std::string> names;
  for (const LayerInfo& layer : network.layers) {
    check_printable(layer.name, "the name of a layer");
    must(names.insert(layer.name).second, "layers differ in name");
    must(layer.snapshot == network.name, "layers are the network's");
    check_shapes(layer, batch);
    for (const sim::Op op : sim::operations(layer)) {
      if (is_small(sim::Mapping(layer, op, kLanes))) check_mapping(layer, op, kLanes);
    }
  }
}

}  // namespace

}  // namespace td::verify

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  for (const std::int64_t batch : {3, 2147483647}) {
    td::verify::judge([&] { td::verify::check(td::verify::text_of(data, size), batch); });
  }
  return 0;
}
