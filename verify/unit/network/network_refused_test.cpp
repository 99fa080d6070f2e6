// SPDX-License-Identifier: Apache-2.0
// Refusal of bad networks and zero shares: the message names file, field, value and what is legal.
#include <doctest/doctest.h>
#include <sys/stat.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>

#include "sim/network/network.hpp"
#include "sim/network/sparsity.hpp"
#include "sim/network/synthetic_operands.hpp"
#include "verify/unit/base/refusal.hpp"
#include "verify/unit/trace/trace_draft.hpp"

namespace {

using td::unit::message_of;

void check_message(const std::string& said, const std::string& start, const std::string& legal) {
  CAPTURE(said);
  CAPTURE(start);
  CAPTURE(legal);
  CHECK(said.rfind(start, 0) == 0);
  CHECK(said.find(" is illegal; legal: " + legal) != std::string::npos);
  CHECK(said.find('\n') == std::string::npos);
}

constexpr const char* conv =
    "{ name = 'c', type = 'conv2d', in = 4, out = 6, kernel = 3, size = 8 }";

std::string network_of(const std::string& layers) {
  return "name = 'n'\ninput = [4, 8, 8]\nlayers = [" + layers + "]";
}

/// `said` of a network must begin with "n.toml: `field` = `value`" and name what is legal.
void check_network(const std::string& text, const std::string& field, const std::string& value,
                   const std::string& legal) {
  check_message(message_of([&] {
                  td::sim::parse_network({"n.toml", text}, 2);
                }),
                "n.toml: " + field + " = " + value, legal);
}

/// A convolution with `from` replaced by `to`.
void check_conv(const std::string& from, const std::string& to, const std::string& field,
                const std::string& value, const std::string& legal) {
  std::string layer = conv;
  const std::size_t at = layer.find(from);
  REQUIRE(at != std::string::npos);
  layer.replace(at, from.size(), to);
  check_network(network_of(layer), field, value, legal);
}

void check_sparsity(const std::string& text, const std::string& field, const std::string& value,
                    const std::string& legal) {
  check_message(message_of([&] {
                  td::sim::parse_sparsity({"s.toml", text});
                }),
                "s.toml: " + field + " = " + value, legal);
}

constexpr const char* good_sparsity = "A = { zeros = 0 }\nW = { zeros = 0 }\nGO = { zeros = 0 }\n";

}  // namespace

TEST_CASE("network: the one that the refusals spoil is accepted") {
  CHECK_NOTHROW(td::sim::parse_network({"n.toml", network_of(conv)}, 2));
}

TEST_CASE("network: bad keys of the network are refused") {
  const std::string layers = std::string("layers = [") + conv + "]";
  const std::string legal_name = "text of 1..200 characters";
  check_network("input = [4, 8, 8]\n" + layers, "name", "(absent)", legal_name);
  check_network("name = ''\n" + layers, "name", "''", legal_name);
  check_network("name = 3\n" + layers, "name", "3", legal_name);
  check_network("name = \"a\\nb\"\n" + layers, "name", "", legal_name);
  check_network("name = '" + std::string(201, 'x') + "'\n" + layers, "name", "'xxx", legal_name);
  check_network("name = 'n'\n" + layers, "input", "(absent)", "an array of integers");
  check_network("name = 'n'\ninput = []\n" + layers, "input", "[]", "an array of integers");
  check_network("name = 'n'\ninput = [4.0]\n" + layers, "input", "[ 4.0 ]", "an array of integers");
  check_network("name = 'n'\ninput = [4, 8, 9]\n" + layers, "input", "[ 4, 8, 9 ]",
                "[4, 8, 8], what the first layer takes");
  check_network("name = 'n'\ninput = [4, 8, 8]\npositions = 0\n" + layers, "positions", "0",
                "1..2147483647");
  check_network("name = 'n'\ninput = [4, 8, 8]\nbatch = 4\n" + layers, "batch", "4",
                "no such key; known: name, input, positions, layers");
  check_network("name = 'n'\n", "layers", "(absent)", "an array of at least one table");
  check_network("name = 'n'\nlayers = []", "layers", "[]", "an array of at least one table");
  check_network("name = 'n'\nlayers = { name = 'c' }", "layers", "{ name = 'c' }", "an array");
  check_network("name = 'n'\nlayers = [3]", "layers[0]", "3", "a table");
  check_network(network_of(std::string(conv) + ", " + conv), "layers[1].name", "'c'",
                "a name that no other layer has");
}

TEST_CASE("network: bad keys of a layer are refused") {
  check_conv("name = 'c', ", "", "layers[0].name", "(absent)", "text of");
  check_conv("'conv2d'", "'conv1d'", "layers[0].type", "'conv1d'", "conv2d, linear or matmul");
  check_conv("in = 4", "in = 0", "layers[0].in", "0", "1..2147483647");
  check_conv("in = 4", "in = 2147483648", "layers[0].in", "2147483648", "1..2147483647");
  check_conv("in = 4", "in = '4'", "layers[0].in", "'4'", "1..");
  check_conv("out = 6", "out = 6.0", "layers[0].out", "6.0", "1..");
  check_conv("out = 6, ", "", "layers[0].out", "(absent)", "1..");
  check_conv("kernel = 3, ", "", "layers[0].kernel", "(absent)", "an integer of 1..2147483647, or");
  check_conv("kernel = 3", "kernel = [3]", "layers[0].kernel", "[ 3 ]", "an integer of 1..");
  check_conv("kernel = 3", "kernel = [3, 0]", "layers[0].kernel", "[ 3, 0 ]", "an integer of 1..");
  check_conv("kernel = 3", "kernel = [3, 3, 3]", "layers[0].kernel", "[ 3, 3, 3 ]", "an integer");
  check_conv("size = 8", "size = true", "layers[0].size", "true", "an integer of 1..");
  check_conv("size = 8", "size = 8, stride = 0", "layers[0].stride", "0", "an integer of 1..");
  check_conv("size = 8", "size = 8, padding = -1", "layers[0].padding", "-1", "an integer of 0..");
  check_conv("size = 8", "size = 8, dilation = 0", "layers[0].dilation", "0", "an integer of 1..");
  check_conv("size = 8", "size = 8, groups = 0", "layers[0].groups", "0", "1..");
  check_conv("size = 8", "size = 8, groups = 4", "layers[0].groups", "4",
             "a divisor of in = 4 and of out = 6");
  check_conv("size = 8", "size = 8, needs_input_grad = 1", "layers[0].needs_input_grad", "1",
             "true or false");
  check_conv("size = 8", "size = 8, strides = 1", "layers[0].strides", "1",
             "no such key; did you mean stride? known: name, type, in, out, kernel");
  check_network("name = 'n'\nlayers = [{ name = 'l', type = 'linear', in = 2, out = 2, size = 8 }]",
                "layers[0].size", "8", "no such key; known: name, type, in, out, positions");
  check_network(
      "name = 'n'\nlayers = [{ name = 'l', type = 'linear', in = 2, out = 2, positions = 0 }]",
      "layers[0].positions", "0", "1..");
  const std::string product =
      "name = 'n'\nlayers = [{ name = 'p', type = 'matmul', rows = 2, in = 2";
  check_network(product + ", out = 65536, heads = 65536 }]", "layers[0].heads", "65536",
                "at most 16383 with a batch of 2, in = 2 and out = 65536");
  check_network(product + ", out = 2, heads = 1, size = 2 }]", "layers[0].size", "2",
                "no such key");
}

TEST_CASE("network: layers that contradict themselves are refused") {
  check_conv("kernel = 3", "kernel = 9", "n/c/W shape", "[6, 4, 9, 9]",
             "a kernel that reaches at most 8 along y (now 9)");
  check_conv("size = 8", "size = [8, 4], dilation = 2", "n/c/W shape", "[6, 4, 3, 3]",
             "a kernel that reaches at most 4 along x (now 5)");
  const std::string wide = "{ name = 'l', type = 'linear', in = 2, out = 2, positions = ";
  check_network("name = 'n'\ninput = [2]\nlayers = [" + wide + "2147483647 }]", "n/l/A shape",
                "[4294967294, 2]", "dimensions of 1..2147483647");
  const std::string legal = "at most 268435456 elements to a sample or filter";
  check_conv("size = 8", "size = 8194", "n/c/A shape", "[2, 4, 8194, 8194]", legal);
  check_conv("out = 6", "out = 7456541", "n/c/GO shape", "[2, 7456541, 6, 6]", legal);
}

TEST_CASE("network: a bad batch is refused") {
  for (const std::int64_t batch : {-1L, 0L, 2147483648L}) {
    check_message(message_of([&] { td::sim::load_network("alexnet", batch); }),
                  "command line: --batch = " + std::to_string(batch), "1..2147483647");
  }
}

TEST_CASE("network: files that cannot be one") {
  const td::unit::Folder folder;
  const auto said = [&](const std::string& name) {
    return message_of([&] { td::sim::load_network(name, 1); });
  };
  check_message(said("resnet51"), "command line: --network = resnet51",
                "a TOML file, or one of alexnet, bert_base, densenet121, gpt2_small, ptb_lstm, "
                "resnet50, squeezenet, vgg16");
  check_message(said(folder.file("")), "command line: --network = ", "a TOML file, or one of");
  const std::string path = folder.file("n.toml");
  std::ofstream(path) << "name = 'n'\nlayers = [\n{ name = }]";
  CHECK(said(path).rfind(path + ": line 3: ", 0) == 0);
  std::ofstream(path) << "";
  check_message(said(path), path + ": file = (empty or unreadable)", "a readable TOML file");
  std::ofstream(path) << "\n";
  check_message(said(path), path + ": name = (absent)", "text");
  std::ofstream(path) << network_of(conv) << '\n' << std::string(1 << 20, '#');
  check_message(said(path), path + ": size = more", "at most 1048576 bytes");
  std::filesystem::resize_file(path, 1 << 20);
  CHECK(said(path) == "(accepted)");
  std::ofstream(path) << network_of(conv);
  CHECK(td::sim::load_network(path, 3).document.text == network_of(conv));
}

TEST_CASE("sparsity: bad files are refused") {
  CHECK_NOTHROW(td::sim::parse_sparsity({"s.toml", good_sparsity}));
  check_sparsity("W = { zeros = 0 }\nGO = { zeros = 0 }", "A", "(absent)", "a table");
  check_sparsity("A = 0.5", "A", "0.5", "a table");
  check_sparsity("A = { run = 2 }", "A.zeros", "(absent)", "a number of 0..1");
  check_sparsity("A = { zeros = 1.01 }", "A.zeros", "1.01", "a number of 0..1");
  check_sparsity("A = { zeros = -0.01 }", "A.zeros", "-0.01", "a number of 0..1");
  check_sparsity("A = { zeros = nan }", "A.zeros", "nan", "a number of 0..1");
  check_sparsity("A = { zeros = '0' }", "A.zeros", "'0'", "a number of 0..1");
  check_sparsity("A = { zeros = 0, run = 0.9 }", "A.run", "0.9", "a number of 1..1000000");
  check_sparsity("A = { zeros = 0, run = inf }", "A.run", "inf", "a number of 1..1000000");
  check_sparsity("A = { zeros = 0, spread = 2 }", "A.spread", "2", "a number of 0..1");
  check_sparsity("A = { zeros = 0, runs = 2 }", "A.runs", "2",
                 "no such key; did you mean run? known: zeros, run, spread");
  const std::string good = good_sparsity;
  check_sparsity(good + "B = 1", "B", "1", "no such key; known: A, W, GO, input, epochs, layers");
  check_sparsity(good + "input = 0", "input", "0", "a table");
  check_sparsity(good + "input = { zeros = 2 }", "input.zeros", "2", "a number of 0..1");
  check_sparsity(good + "layers = { name = 'c' }", "layers", "{ name = 'c' }", "an array");
  check_sparsity(good + "layers = [{ A = { zeros = 0 } }]", "layers[0].name", "(absent)", "text");
  check_sparsity(good + "layers = [{ name = 'c', zeros = 0 }]", "layers[0].zeros", "0",
                 "no such key; known: name, A, W, GO");
  check_sparsity(good + "layers = [{ name = 'c', GO = { zeros = 2 } }]", "layers[0].GO.zeros", "2",
                 "a number of 0..1");
  check_message(message_of([] { td::sim::load_sparsity("third"); }),
                "command line: --sparsity = third",
                "a TOML file, or one of half, imagenet_resnet50, pruned, relu, relu_vgg16");
}

TEST_CASE("sparsity: epochs") {
  const std::string text =
      "epochs = [5, 10, 30]\nA = { zeros = [0.2, 0.4, 0.8] }\nW = { zeros = 0.25 }\n"
      "GO = { zeros = 0 }\nlayers = [{ name = 'c', GO = { zeros = [0, 1, 0.5] } }]";
  const auto share = [&](double epoch, td::sim::Operand operand) {
    td::sim::LayerInfo layer;
    layer.name = "c";
    return td::sim::parse_sparsity({"s.toml", text}, epoch).law(layer, operand).zeros;
  };
  using td::sim::Operand;
  CHECK(share(5, Operand::A) == 0.2);
  CHECK(share(10, Operand::A) == 0.4);
  CHECK(share(30, Operand::A) == 0.8);
  CHECK(share(15, Operand::A) == doctest::Approx(0.5).epsilon(1e-12));
  CHECK(share(7.5, Operand::GO) == 0.5);
  CHECK(share(25, Operand::GO) == 0.625);
  CHECK(share(25, Operand::W) == 0.25);
  const auto said = [](const std::string& whole, std::optional<double> epoch) {
    return message_of([&] { td::sim::parse_sparsity({"s.toml", whole}, epoch); });
  };
  check_message(said(text, {}), "command line: --epoch = (absent)", "5..30, the epochs of s.toml");
  check_message(said(text, 4.9), "command line: --epoch = 4.9", "5..30, the epochs of s.toml");
  check_message(said(text, NAN), "command line: --epoch = nan", "5..30, the epochs of s.toml");
  check_message(said(good_sparsity, 5), "command line: --epoch = 5",
                "none, as s.toml says no epochs");
  const std::string rest = "W = { zeros = 0 }\nGO = { zeros = 0 }";
  check_message(said("epochs = [1, 2]\nA = { zeros = [0.1] }\n" + rest, 1),
                "s.toml: A.zeros = ", "2 numbers of 0..1, or one");
  check_message(said("epochs = [2, 2]\nA = { zeros = 0 }\n" + rest, 2),
                "s.toml: epochs = ", "epochs in ascending order");
  check_message(said("A = { zeros = [0.1, 0.2] }\n" + rest, {}),
                "s.toml: A.zeros = ", "a number of 0..1");
}

TEST_CASE("sparsity: a name that fits no layer is refused") {
  const auto said = [](const std::string& name) {
    const std::string text = good_sparsity + ("layers = [{ name = 'conv*' }, { name = '" + name) +
                             "', A = { zeros = 0.5 } }]";
    return message_of([&] {
      const td::sim::SyntheticOperands operands(td::sim::load_network("resnet50", 1),
                                                td::sim::parse_sparsity({"s.toml", text}), 1);
    });
  };
  CHECK(said("layer3.*") == "(accepted)");
  check_message(said("layr3.*"), "s.toml: layers[1].name = layr3.*",
                "a pattern (*, ?, [...]) that fits a layer of resnet50, e.g. conv1");
}
