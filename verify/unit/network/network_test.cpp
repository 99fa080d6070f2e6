// SPDX-License-Identifier: Apache-2.0
// The carried networks: every layer follows from the papers' construction rules, and the totals are
// the published ones.
#include "sim/network/network.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "sim/network/embedded.hpp"

namespace {

using td::sim::LayerInfo;
using td::sim::LayerType;
using td::sim::Network;
using td::sim::Shape;

/// A and W of one sample, as the rules below work them out.
struct Expected {
  Shape a;
  Shape w;
  std::int64_t stride = 1;
  std::int64_t padding = 0;
  std::int64_t groups = 1;
};

/// Attention's products of one sample: each head multiplies by its own activations.
bool is_product(const LayerInfo& layer) {
  return layer.type == LayerType::conv2d && layer.a[3] == 1 && layer.conv.groups > 1;
}

/// A feature map on its way through a network; square, like everything here.
class Walk {
 public:
  explicit Walk(std::int64_t channels, std::int64_t size) : channels_(channels), size_(size) {}

  Walk& conv(std::int64_t out, std::int64_t kernel, std::int64_t stride = 1,
             std::int64_t padding = 0) {
    layers.push_back(
        {{1, channels_, size_, size_}, {out, channels_, kernel, kernel}, stride, padding});
    channels_ = out;
    size_ = (size_ + 2 * padding - kernel) / stride + 1;
    return *this;
  }

  /// `ceil`: the last window may reach outside.
  Walk& pool(std::int64_t kernel, std::int64_t stride, std::int64_t padding = 0,
             bool ceil = false) {
    size_ = (size_ + 2 * padding - kernel + (ceil ? stride - 1 : 0)) / stride + 1;
    return *this;
  }

  Walk& linear(std::int64_t out) {
    const std::int64_t in = channels_ * size_ * size_;
    layers.push_back({{1, in}, {out, in}});
    channels_ = out;
    size_ = 1;
    return *this;
  }

  std::int64_t channels() const { return channels_; }
  void set_channels(std::int64_t channels) { channels_ = channels; }
  void average() { size_ = 1; }

  std::vector<Expected> layers;

 private:
  std::int64_t channels_;
  std::int64_t size_;
};

std::vector<Expected> alexnet() {
  Walk walk(3, 224);
  walk.conv(64, 11, 4, 2).pool(3, 2).conv(192, 5, 1, 2).pool(3, 2);
  walk.conv(384, 3, 1, 1).conv(256, 3, 1, 1).conv(256, 3, 1, 1).pool(3, 2);
  return walk.linear(4096).linear(4096).linear(1000).layers;
}

std::vector<Expected> vgg16() {
  Walk walk(3, 224);
  const std::int64_t widths[] = {64, 128, 256, 512, 512};
  for (int block = 0; block < 5; ++block) {
    for (int i = 0; i < (block < 2 ? 2 : 3); ++i) walk.conv(widths[block], 3, 1, 1);
    walk.pool(2, 2);
  }
  return walk.linear(4096).linear(4096).linear(1000).layers;
}

std::vector<Expected> squeezenet() {
  Walk walk(3, 224);
  const auto fire = [&](std::int64_t squeeze) {
    walk.conv(squeeze, 1);
    Walk wide = walk;
    wide.conv(4 * squeeze, 3, 1, 1);
    walk.conv(4 * squeeze, 1);  // both read the squeezed map; their outputs are joined
    walk.layers.push_back(wide.layers.back());
    walk.set_channels(8 * squeeze);
  };
  walk.conv(96, 7, 2).pool(3, 2, 0, true);
  for (const std::int64_t squeeze : {16, 16, 32}) fire(squeeze);
  walk.pool(3, 2, 0, true);
  for (const std::int64_t squeeze : {32, 48, 48, 64}) fire(squeeze);
  walk.pool(3, 2, 0, true);
  fire(64);
  return walk.conv(1000, 1).layers;
}

std::vector<Expected> resnet50() {
  Walk walk(3, 224);
  walk.conv(64, 7, 2, 3).pool(3, 2, 1);
  const int blocks[] = {3, 4, 6, 3};
  std::int64_t width = 64;
  for (int stage = 0; stage < 4; ++stage, width *= 2) {
    for (int block = 0; block < blocks[stage]; ++block) {
      const std::int64_t stride = stage > 0 && block == 0 ? 2 : 1;
      Walk shortcut = walk;
      walk.conv(width, 1).conv(width, 3, stride, 1).conv(4 * width, 1);
      if (block == 0) walk.layers.push_back(shortcut.conv(4 * width, 1, stride).layers.back());
    }
  }
  walk.average();
  return walk.linear(1000).layers;
}

std::vector<Expected> densenet121() {
  constexpr std::int64_t growth = 32;
  Walk walk(3, 224);
  walk.conv(64, 7, 2, 3).pool(3, 2, 1);
  const int blocks[] = {6, 12, 24, 16};
  for (int block = 0; block < 4; ++block) {
    for (int i = 0; i < blocks[block]; ++i) {
      const std::int64_t channels = walk.channels();
      walk.conv(4 * growth, 1).conv(growth, 3, 1, 1);
      walk.set_channels(channels + growth);
    }
    if (block < 3) walk.conv(walk.channels() / 2, 1).pool(2, 2);
  }
  walk.average();
  return walk.linear(1000).layers;
}

std::vector<Expected> bert_base() {
  constexpr std::int64_t tokens = 128;
  constexpr std::int64_t hidden = 768;
  std::vector<Expected> layers;
  for (int block = 0; block < 12; ++block) {
    for (int i = 0; i < 4; ++i) layers.push_back({{tokens, hidden}, {hidden, hidden}});
    layers.push_back({{tokens, hidden}, {4 * hidden, hidden}});
    layers.push_back({{tokens, 4 * hidden}, {hidden, 4 * hidden}});
  }
  layers.push_back({{1, hidden}, {hidden, hidden}});
  return layers;
}

std::vector<Expected> gpt2_small() {
  constexpr std::int64_t tokens = 1024;
  constexpr std::int64_t hidden = 768;
  constexpr std::int64_t heads = 12;
  std::vector<Expected> layers;
  for (int block = 0; block < 12; ++block) {
    layers.push_back({{tokens, hidden}, {3 * hidden, hidden}});
    layers.push_back({{1, hidden, tokens, 1}, {heads * tokens, hidden / heads, 1, 1}, 1, 0, heads});
    layers.push_back({{1, heads * tokens, tokens, 1}, {hidden, tokens, 1, 1}, 1, 0, heads});
    layers.push_back({{tokens, hidden}, {hidden, hidden}});
    layers.push_back({{tokens, hidden}, {4 * hidden, hidden}});
    layers.push_back({{tokens, 4 * hidden}, {hidden, 4 * hidden}});
  }
  layers.push_back({{tokens, hidden}, {50257, hidden}});
  return layers;
}

std::vector<Expected> ptb_lstm() {
  constexpr std::int64_t steps = 35;
  constexpr std::int64_t units = 1500;
  std::vector<Expected> layers(4, {{steps, units}, {4 * units, units}});
  layers.push_back({{steps, units}, {10000, units}});
  return layers;
}

/// Checks A, W, stride and padding of every layer; GO follows from them (check_layer).
void check_layers(const std::string& name, const std::vector<Expected>& expected) {
  CAPTURE(name);
  const Network network = td::sim::load_network(name, 1);
  CHECK(network.name == name);
  REQUIRE(network.layers.size() == expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const LayerInfo& layer = network.layers[i];
    CAPTURE(layer.name);
    CHECK(layer.snapshot == name);
    CHECK(layer.type == (expected[i].a.size() == 4 ? LayerType::conv2d : LayerType::linear));
    CHECK(layer.a == expected[i].a);
    CHECK(layer.w == expected[i].w);
    CHECK(layer.conv.groups == expected[i].groups);
    for (int axis = 0; axis < 2; ++axis) {
      CHECK(layer.conv.stride[axis] == expected[i].stride);
      CHECK(layer.conv.padding[axis] == expected[i].padding);
      CHECK(layer.conv.dilation[axis] == 1);
    }
    // Embeddings, which come before BERT's first layer, are trained too.
    CHECK(layer.needs_input_grad == (i > 0 || layer.type == LayerType::linear));
  }
}

std::int64_t weights(const Network& network) {
  std::int64_t sum = 0;
  for (const LayerInfo& layer : network.layers)
    sum += is_product(layer) ? 0 : td::sim::count(layer.w);
  return sum;
}

/// Every output takes one filter's weights.
std::int64_t multiply_accumulates(const Network& network) {
  std::int64_t sum = 0;
  for (const LayerInfo& layer : network.layers) {
    sum += td::sim::count(layer.go) * (td::sim::count(layer.w) / layer.w[0]);
  }
  return sum;
}

/// What torchvision and transformers publish: parameters, and for torchvision's networks
/// multiply-accumulates, rounded to millions (0: not published).
struct Published {
  const char* name;
  std::int64_t parameters;
  std::int64_t without_weights;  ///< embeddings, normalisation, biases
  std::int64_t millions;
  std::int64_t exact;  ///< multiply-accumulates, from torchvision's models layer by layer
};

const Published published[] = {
    {"alexnet", 61100840, 10344, 714, 714188480},
    {"bert_base", 109482240, 23837184 + 36864 + 83712, 0, 84934656LL * 128 + 768 * 768},
    {"densenet121", 7978856, 83648 + 1000, 2834, 2834161664},
    {"gpt2_small", 124439808, 786432 + 38400 + 82944, 0, 145824153600},
    {"ptb_lstm", 66034000, 15000000 + 34000, 0, 1785000000},
    {"resnet50", 25557032, 53120 + 1000, 4089, 4089184256},
    {"squeezenet", 1248424, 3976, 819, 818924576},
    {"vgg16", 138357544, 13416, 15470, 15470264320},
};

}  // namespace

TEST_CASE("network: every layer follows from the construction rules") {
  check_layers("alexnet", alexnet());
  check_layers("bert_base", bert_base());
  check_layers("densenet121", densenet121());
  check_layers("gpt2_small", gpt2_small());
  check_layers("ptb_lstm", ptb_lstm());
  check_layers("resnet50", resnet50());
  check_layers("squeezenet", squeezenet());
  check_layers("vgg16", vgg16());
}

TEST_CASE("network: weights and multiply-accumulates are the published ones") {
  CHECK(td::sim::networks().size() == std::size(published));
  for (const Published& expected : published) {
    CAPTURE(expected.name);
    const Network network = td::sim::load_network(expected.name, 1);
    CHECK(weights(network) == expected.parameters - expected.without_weights);
    CHECK(multiply_accumulates(network) == expected.exact);
    if (expected.millions != 0) CHECK((expected.exact + 500000) / 1000000 == expected.millions);
  }
}

TEST_CASE("network: the batch multiplies samples, and only them") {
  for (const Published& expected : published) {
    const Network one = td::sim::load_network(expected.name, 1);
    const Network many = td::sim::load_network(expected.name, 16);
    CHECK(many.batch == 16);
    CHECK(weights(many) == weights(one));
    CHECK(multiply_accumulates(many) == 16 * multiply_accumulates(one));
    for (std::size_t i = 0; i < one.layers.size(); ++i) {
      const std::size_t grown = is_product(one.layers[i]) ? 1 : 0;  // groups, not images
      CHECK(many.layers[i].a[grown] == 16 * one.layers[i].a[grown]);
      CHECK(many.layers[i].a[1 - grown] == one.layers[i].a[1 - grown]);
    }
  }
}

TEST_CASE("network: names are those of the frameworks") {
  const Network resnet = td::sim::load_network("resnet50", 1);
  CHECK(path(resnet.layers[0]) == "resnet50/conv1");
  CHECK(resnet.layers[14].name == "layer2.0.downsample.0");
  CHECK(resnet.layers.back().name == "fc");
  const Network bert = td::sim::load_network("bert_base", 1);
  CHECK(bert.layers[70].name == "encoder.layer.11.intermediate.dense");
}

TEST_CASE("network: every key is read") {
  const std::string text =
      "name = 'own'\ninput = [6, 9, 11]\npositions = 5\nlayers = [\n"
      "{ name = 'c', type = 'conv2d', in = 6, out = 4, kernel = [3, 2], stride = [2, 3], "
      "padding = [1, 0], dilation = [1, 2], groups = 2, size = [9, 11], "
      "needs_input_grad = false },\n"
      "{ name = 'd', type = 'conv2d', in = 4, out = 8, kernel = 2, stride = 2, padding = 1, "
      "dilation = 3, size = 10, needs_input_grad = true },\n"
      "{ name = 'l', type = 'linear', in = 60, out = 7 },\n"
      "{ name = 'm', type = 'linear', in = 7, out = 2, positions = 3, needs_input_grad = false },\n"
      "{ name = 'p', type = 'matmul', heads = 3, rows = 4, in = 5, out = 6 },\n"
      "]";
  const std::vector<LayerInfo> layers = td::sim::parse_network({"own.toml", text}, 2).layers;
  REQUIRE(layers.size() == 5);
  CHECK(layers[0].a == Shape{2, 6, 9, 11});
  CHECK(layers[0].w == Shape{4, 3, 3, 2});
  CHECK(layers[0].go == Shape{2, 4, 5, 3});
  CHECK(layers[0].conv.groups == 2);
  CHECK(layers[0].conv.stride[0] == 2);
  CHECK(layers[0].conv.stride[1] == 3);
  CHECK(layers[0].conv.padding[0] == 1);
  CHECK(layers[0].conv.padding[1] == 0);
  CHECK(layers[0].conv.dilation[0] == 1);
  CHECK(layers[0].conv.dilation[1] == 2);
  CHECK_FALSE(layers[0].needs_input_grad);
  CHECK(layers[1].w == Shape{8, 4, 2, 2});
  CHECK(layers[1].go == Shape{2, 8, 5, 5});
  CHECK(layers[1].needs_input_grad);
  CHECK(layers[2].type == LayerType::linear);
  CHECK(layers[2].a == Shape{10, 60});
  CHECK(layers[2].w == Shape{7, 60});
  CHECK(layers[2].go == Shape{10, 7});
  CHECK(layers[2].needs_input_grad);
  CHECK(layers[3].a == Shape{6, 7});
  CHECK_FALSE(layers[3].needs_input_grad);
  CHECK(layers[4].type == LayerType::conv2d);
  CHECK(layers[4].conv.groups == 6);
  CHECK(layers[4].a == Shape{1, 30, 4, 1});
  CHECK(layers[4].w == Shape{36, 5, 1, 1});
  CHECK(layers[4].go == Shape{1, 36, 4, 1});
}
