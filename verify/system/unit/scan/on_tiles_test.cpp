// SPDX-License-Identifier: Apache-2.0
// The products of a scan on tiles: their cycles beside those of the plain cycle model, product by
// product; networks made here.
#include "sim/system/scan/on_tiles.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <utility>

#include "base/configuration/preset.hpp"
#include "base/support/error.hpp"
#include "sim/system/scan/scan.hpp"
#include "verify/plain/plain_cycles.hpp"

namespace {

using td::job::LinearChain;
using td::job::read_chain;
using td::job::ScanStep;
using td::sim::LayerInfo;
using td::sim::Op;
using td::sim::Operand;
using td::sim::Which;
using DoubleMatrix = td::job::Matrix;
using Numbers = std::vector<std::int64_t>;

/// Linear layers whose tensors are F32.
class FloatOperands : public td::sim::OperandSource {
 public:
  void set(const LayerInfo& layer, Operand operand, const DoubleMatrix& matrix) {
    tensors_[{layer.name, operand}].assign(matrix.values.begin(), matrix.values.end());
  }

  const std::string& path() const override { return name_; }
  std::string identity() const override { return ""; }
  const std::vector<LayerInfo>& layers() const override { return layers_; }
  td::sim::Dtype dtype(const LayerInfo&, Operand) const override { return td::sim::Dtype::f32; }
  const unsigned char* slab(const LayerInfo& layer, Operand operand, std::int64_t index,
                            td::sim::SlabBuffer&) const override {
    const float* tensor = tensors_.at({layer.name, operand}).data();
    return reinterpret_cast<const unsigned char*>(tensor + index * layer.shape(operand)[1]);
  }

 private:
  std::string name_ = "memory";
  std::vector<LayerInfo> layers_;
  std::map<std::pair<std::string, Operand>, std::vector<float>> tensors_;
};

DoubleMatrix turned(const DoubleMatrix& matrix) {
  DoubleMatrix other(matrix.columns, matrix.rows);
  for (std::size_t row = 0; row < matrix.rows; ++row) {
    for (std::size_t i = 0; i < matrix.columns; ++i) other.at(i, row) = matrix.at(row, i);
  }
  return other;
}

LayerInfo linear(const std::string& name, const DoubleMatrix& a, const DoubleMatrix& w) {
  const auto size = [](std::size_t count) { return static_cast<std::int64_t>(count); };
  LayerInfo layer;
  layer.snapshot = "one";
  layer.name = name;
  layer.type = td::sim::LayerType::linear;
  layer.a = {size(a.rows), size(a.columns)};
  layer.w = {size(w.rows), size(w.columns)};
  layer.go = {size(a.rows), size(w.rows)};
  return layer;
}

void set(FloatOperands& operands, const LayerInfo& layer, const DoubleMatrix& a,
         const DoubleMatrix& w, const DoubleMatrix& go) {
  operands.set(layer, Operand::A, a);
  operands.set(layer, Operand::W, w);
  operands.set(layer, Operand::GO, go);
}

/// Layers with weights of which some are zero, and one step through them.
struct Network {
  FloatOperands operands;
  std::vector<LayerInfo> layers;
  std::vector<DoubleMatrix> weights, inputs, gradients;

  Network(std::mt19937& random, std::size_t samples, const std::vector<std::size_t>& widths,
          double zeros) {
    std::normal_distribution<float> value;
    std::bernoulli_distribution zero(zeros);
    DoubleMatrix x(samples, widths[0]);
    for (double& one : x.values) one = value(random);
    for (std::size_t i = 0; i + 1 < widths.size(); ++i) {
      DoubleMatrix w(widths[i + 1], widths[i]);
      for (double& one : w.values) one = zero(random) ? 0 : value(random);
      inputs.push_back(x);
      weights.push_back(w);
      x = td::job::applied_after(turned(w), x);  // x · wᵀ
      for (double& one : x.values) one = static_cast<float>(std::max(one, 0.0));
    }
    for (double& one : x.values) one = value(random);
    gradients.assign(weights.size(), x);
    for (std::size_t i = weights.size() - 1; i > 0; --i) {
      DoubleMatrix back = td::job::applied_after(weights[i], gradients[i]);
      for (std::size_t k = 0; k < back.values.size(); ++k) {
        if (!(inputs[i].values[k] > 0)) back.values[k] = 0;
        back.values[k] = static_cast<float>(back.values[k]);
      }
      gradients[i - 1] = back;
    }
    for (std::size_t i = 0; i < weights.size(); ++i) {
      layers.push_back(linear("layer" + std::to_string(i), inputs[i], weights[i]));
      set(operands, layers[i], inputs[i], weights[i], gradients[i]);
    }
  }
};

std::int64_t zeros_of(const DoubleMatrix& matrix) {
  return std::count(matrix.values.begin(), matrix.values.end(), 0.0);
}

/// Passes dealt to tiles in turn.
struct Dealt {
  Numbers dense, sparse;
  std::size_t next = 0;

  explicit Dealt(std::size_t tiles) : dense(tiles), sparse(tiles) {}
  void add(std::int64_t rows, std::int64_t cycles) {
    dense[next] += rows;
    sparse[next] += cycles;
    next = (next + 1) % dense.size();
  }
};

/// The passes of second · first by the plain model, on one tile.
void deal(Dealt& tiles, const td::Config& config, const DoubleMatrix& first,
          const DoubleMatrix& second) {
  const DoubleMatrix columns = turned(first);
  const LayerInfo layer = linear("product", columns, second);
  FloatOperands operands;
  set(operands, layer, columns, second, DoubleMatrix(columns.rows, second.rows));
  const bool is_first = zeros_of(first) * static_cast<std::int64_t>(second.values.size()) >
                        zeros_of(second) * static_cast<std::int64_t>(first.values.size());
  const auto plain = td::verify::plain_cycles(config, 1, operands, layer, Op::fwd,
                                              is_first ? Which::first : Which::second);
  const auto lanes = static_cast<std::size_t>(config.lanes);
  const auto rows = static_cast<std::int64_t>((first.rows + lanes - 1) / lanes);
  for (const std::int64_t cycles : plain.pass_cycles) tiles.add(rows, cycles);
}

/// By the name of a step: what the same products take, scanned and dealt here.
std::map<std::string, Dealt> dealt_steps(const LinearChain& chain, std::size_t levels,
                                         const td::Config& config) {
  const auto tiles = static_cast<std::size_t>(config.accelerator.tiles);
  std::map<std::string, Dealt> steps;
  for (std::size_t sample = 0; sample < chain.samples(); ++sample) {
    auto elements = jacobians(chain, sample);
    const auto counts = td::job::count_products(elements.size(), levels);
    std::vector<std::string> names;
    for (std::size_t i = 0; i < counts.up.size(); ++i) {
      names.insert(names.end(), counts.up[i], "up " + std::to_string(i));
    }
    for (std::size_t i = 0; i < counts.middle; ++i) names.push_back("middle" + std::to_string(i));
    for (std::size_t i = 0; i < counts.down.size(); ++i) {
      names.insert(names.end(), counts.down[i],
                   "down " + std::to_string(counts.down.size() - 1 - i));
    }
    auto name = names.begin();
    exclusive_scan(elements, levels, [&](const DoubleMatrix& first, const DoubleMatrix& second) {
      deal(steps.try_emplace(*name++, tiles).first->second, config, first, second);
      return applied_after(first, second);
    });
  }
  return steps;
}

td::Config on(std::int64_t tiles) {
  td::Config config = td::find_config("paper_bf16");
  config.accelerator.tiles = tiles;
  return config;
}

const std::vector<std::size_t> kWidths = {21, 70, 33, 64, 40, 18, 50, 35, 9};

}  // namespace

TEST_CASE("scan on tiles: each step's cycles are those of its products on the plain model") {
  std::mt19937 random(3);
  const Network network(random, 2, kWidths, 0.6);
  const LinearChain chain = read_chain(network.operands, network.layers);
  for (const std::int64_t tiles : {1, 3, 16}) {
    for (const std::size_t levels : {0U, 1U, 3U}) {
      const td::Config config = on(tiles);
      const auto scan = scan_on_tiles(chain, levels, config);
      const auto expected = dealt_steps(chain, levels, config);
      CHECK(scan.largest_difference < 1e-12);
      CHECK(scan.steps.size() == expected.size());
      std::size_t middle = 0;
      std::int64_t products = 0;
      for (const ScanStep& step : scan.steps) {
        const std::string name =
            step.name == "middle" ? step.name + std::to_string(middle++) : step.name;
        CAPTURE(name);
        const Dealt& dealt = expected.at(name);
        CHECK(step.dense_cycles == *std::max_element(dealt.dense.begin(), dealt.dense.end()));
        CHECK(step.cycles == *std::max_element(dealt.sparse.begin(), dealt.sparse.end()));
        CHECK(step.cycles <= step.dense_cycles);
        products += step.products;
      }
      const auto counts = td::job::count_products(network.layers.size() + 1, levels);
      CHECK(products == 2 * static_cast<std::int64_t>(counts.all()));
    }
  }
}

TEST_CASE("scan on tiles: products of Jacobians are the gradients of the step") {
  std::mt19937 random(6);
  const Network network(random, 3, kWidths, 0.4);
  const LinearChain chain = read_chain(network.operands, network.layers);
  for (std::size_t sample = 0; sample < 3; ++sample) {
    auto elements = jacobians(chain, sample);
    CHECK(elements.size() == network.layers.size() + 1);
    exclusive_scan(elements, td::job::scan_levels(elements.size(), std::nullopt),
                   td::job::applied_after);
    for (std::size_t i = 1; i < elements.size(); ++i) {
      const DoubleMatrix& expected = network.gradients[network.layers.size() - i];
      double largest = 0;
      for (std::size_t k = 0; k < expected.columns; ++k) {
        largest = std::max(largest, std::abs(expected.at(sample, k)));
      }
      REQUIRE(elements[i]->rows == expected.columns);
      for (std::size_t k = 0; k < expected.columns; ++k) {
        CHECK(std::abs(elements[i]->at(k, 0) - expected.at(sample, k)) <= 1e-5 * largest);
      }
    }
  }
}

TEST_CASE("scan on tiles: back-propagation is the layers' own products") {
  std::mt19937 random(4);
  const Network network(random, 5, kWidths, 0.3);
  std::int64_t dense = 0, sparse = 0;
  for (std::size_t i = 1; i < network.layers.size(); ++i) {
    const auto size = [](const DoubleMatrix& one) {
      return static_cast<std::int64_t>(one.values.size());
    };
    const DoubleMatrix &go = network.gradients[i], &w = network.weights[i];
    const bool is_first = zeros_of(go) * size(w) > zeros_of(w) * size(go);
    const auto plain = td::verify::plain_cycles(on(4), 4, network.operands, network.layers[i],
                                                Op::dgrad, is_first ? Which::first : Which::second);
    dense += plain.cycles.dense_cycles;
    sparse += plain.cycles.cycles;
  }
  const ScanStep step = td::job::back_propagation_on_tiles(network.operands, network.layers, on(4));
  CHECK(step.products == static_cast<std::int64_t>(network.layers.size()) - 1);
  CHECK(step.dense_cycles == dense);
  CHECK(step.cycles == sparse);
}

TEST_CASE("scan on tiles: what is no chain is refused") {
  std::mt19937 random(5);
  Network network(random, 2, {8, 12, 10, 6}, 0);
  CHECK(read_chain(network.operands, network.layers).layers.size() == 3);
  const auto swapped = std::vector<LayerInfo>{network.layers[1], network.layers[0]};
  CHECK_THROWS_AS(read_chain(network.operands, swapped), td::UserError);
  // A gradient that is a little off, and one where ReLU lets none through.
  const DoubleMatrix good = network.gradients[0];
  for (std::size_t k = 0; k < good.values.size(); ++k) {
    DoubleMatrix gradient = good;
    gradient.values[k] = gradient.values[k] == 0 ? 1e-3 : gradient.values[k] * (1 + 1e-4);
    set(network.operands, network.layers[0], network.inputs[0], network.weights[0], gradient);
    CHECK_THROWS_AS(read_chain(network.operands, network.layers), td::UserError);
  }
  set(network.operands, network.layers[0], network.inputs[0], network.weights[0], good);
  network.layers[1].type = td::sim::LayerType::conv2d;
  CHECK_THROWS_AS(read_chain(network.operands, network.layers), td::UserError);
}
