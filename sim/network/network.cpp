// SPDX-License-Identifier: Apache-2.0
#include "sim/network/network.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/readers/toml_document.hpp"
#include "base/readers/toml_table.hpp"
#include "base/support/error.hpp"
#include "sim/network/embedded.hpp"

namespace td::sim {

namespace {

constexpr std::int64_t largest = 2147483647;

/// Elements of an image or filter, which is drawn as a whole.
constexpr std::int64_t largest_slab = std::int64_t{1} << 28;

class NetworkReader {
 public:
  NetworkReader(const Document& document, std::int64_t batch)
      : parsed_(parse_toml(document.text, document.file)), root_(parsed_, document.file, "") {
    network_.document = document;
    network_.batch = batch;
  }

  Network read() {
    root_.allow_only({"name", "input", "positions", "layers"});
    network_.name = root_.name("name");
    if (root_.has("positions")) positions_ = root_.integer("positions", 1, largest);
    std::set<std::string> names;
    for (const TomlTable& table : root_.tables("layers")) {
      LayerInfo layer = read_layer(table);
      if (!names.insert(layer.name).second) table.fail("name", "a name that no other layer has");
      check_layer(layer, network_.document.file);
      check_slabs(layer);
      network_.layers.push_back(std::move(layer));
      read_links(table);
    }
    check_input();
    return std::move(network_);
  }

 private:
  LayerInfo read_layer(const TomlTable& table) const {
    LayerInfo layer;
    layer.snapshot = network_.name;
    layer.name = table.name("name");
    const std::string type = table.name("type");
    if (type == to_string(LayerType::conv2d)) {
      read_conv(table, layer);
    } else if (type == to_string(LayerType::linear)) {
      read_linear(table, layer);
    } else if (type == "matmul") {
      read_matmul(table, layer);
    } else {
      table.fail("type", "conv2d, linear or matmul");
    }
    if (table.has("needs_input_grad")) layer.needs_input_grad = table.boolean("needs_input_grad");
    return layer;
  }

  void read_conv(const TomlTable& table, LayerInfo& layer) const {
    table.allow_only({"name", "type", "in", "out", "kernel", "stride", "padding", "dilation",
                      "groups", "size", "needs_input_grad", "from", "relu"});
    const std::int64_t in = table.integer("in", 1, largest);
    const std::int64_t out = table.integer("out", 1, largest);
    std::int64_t kernel[2];
    std::int64_t size[2];
    table.pair("kernel", 1, largest, kernel);
    table.pair("size", 1, largest, size);
    Conv& conv = layer.conv;
    if (table.has("stride")) table.pair("stride", 1, largest, conv.stride);
    if (table.has("padding")) table.pair("padding", 0, largest, conv.padding);
    if (table.has("dilation")) table.pair("dilation", 1, largest, conv.dilation);
    if (table.has("groups")) conv.groups = table.integer("groups", 1, largest);
    if (in % conv.groups != 0 || out % conv.groups != 0) {
      table.fail("groups", fmt::format("a divisor of in = {} and of out = {}", in, out));
    }
    layer.a = {network_.batch, in, size[0], size[1]};
    layer.w = {out, in / conv.groups, kernel[0], kernel[1]};
    layer.go = {network_.batch, out, output_size(layer, 0), output_size(layer, 1)};
  }

  /// Of the layer that was read last.
  void read_links(const TomlTable& table) {
    LayerLink& link = network_.links.emplace_back();
    if (table.has("relu")) link.relu = table.boolean("relu");
    if (!table.has("from")) return;
    if (table.has("relu")) table.fail("relu", "left out beside from, which says it");
    link.relu = true;
    const std::vector<LayerInfo>& layers = network_.layers;
    for (const std::string& name : table.names("from")) {
      const auto found = std::find_if(layers.begin(), layers.end() - 1,
                                      [&](const LayerInfo& one) { return one.name == name; });
      if (found == layers.end() - 1) table.fail("from", "names of layers that stand before");
      link.from.push_back(static_cast<std::size_t>(found - layers.begin()));
    }
    const std::string legal = link_obstacle(layers, network_.links);
    if (!legal.empty()) table.fail("from", legal);
  }

  static std::int64_t output_size(const LayerInfo& layer, std::size_t axis) {
    const Conv& conv = layer.conv;
    const std::int64_t padded = layer.a[2 + axis] + 2 * conv.padding[axis];
    const std::int64_t reach = conv.dilation[axis] * (layer.w[2 + axis] - 1) + 1;
    // A kernel that reaches too far is for check_layer to refuse, which says so.
    return std::max<std::int64_t>(0, padded - reach) / conv.stride[axis] + 1;
  }

  void read_linear(const TomlTable& table, LayerInfo& layer) const {
    table.allow_only(
        {"name", "type", "in", "out", "positions", "needs_input_grad", "from", "relu"});
    layer.type = LayerType::linear;
    const std::int64_t in = table.integer("in", 1, largest);
    const std::int64_t out = table.integer("out", 1, largest);
    const std::int64_t positions =
        table.has("positions") ? table.integer("positions", 1, largest) : positions_;
    layer.a = {network_.batch * positions, in};
    layer.w = {out, in};
    layer.go = {network_.batch * positions, out};
  }

  /// A product of two activations, in traces as here the 1x1 convolution of one image with a group
  /// for each sample and head.
  void read_matmul(const TomlTable& table, LayerInfo& layer) const {
    table.allow_only({"name", "type", "heads", "rows", "in", "out", "needs_input_grad"});
    const std::int64_t heads = table.integer("heads", 1, largest);
    const std::int64_t rows = table.integer("rows", 1, largest);
    const std::int64_t in = table.integer("in", 1, largest);
    const std::int64_t out = table.integer("out", 1, largest);
    if (heads > largest / network_.batch / std::max(in, out)) {
      table.fail("heads", fmt::format("at most {} with a batch of {}, in = {} and out = {}",
                                      largest / network_.batch / std::max(in, out), network_.batch,
                                      in, out));
    }
    layer.conv.groups = network_.batch * heads;
    layer.a = {1, layer.conv.groups * in, rows, 1};
    layer.w = {layer.conv.groups * out, in, 1, 1};
    layer.go = {1, layer.conv.groups * out, rows, 1};
  }

  void check_slabs(const LayerInfo& layer) const {
    for (const Operand operand : {Operand::A, Operand::W, Operand::GO}) {
      const Shape& shape = layer.shape(operand);
      if (count(shape) / shape[0] <= largest_slab) continue;
      throw UserError(network_.document.file,
                      fmt::format("{}/{} shape", path(layer), to_string(operand)), to_string(shape),
                      fmt::format("at most {} elements to a sample or filter", largest_slab));
    }
  }

  void check_input() const {
    const LayerInfo& first = network_.layers.front();
    const Shape taken(first.a.begin() + 1, first.a.end());
    if (root_.integers("input", 1, largest) != taken) {
      root_.fail("input", fmt::format("{}, what the first layer takes", to_string(taken)));
    }
  }

  const toml::table parsed_;
  const TomlTable root_;
  std::int64_t positions_ = 1;
  Network network_;
};

}  // namespace

Network parse_network(const Document& document, std::int64_t batch) {
  if (batch < 1 || batch > largest) {
    throw UserError("command line", "--batch", fmt::format("{}", batch),
                    fmt::format("1..{}", largest));
  }
  return NetworkReader(document, batch).read();
}

Network load_network(const std::string& name, std::int64_t batch) {
  return parse_network(find_document(name, "--network", networks()), batch);
}

}  // namespace td::sim
