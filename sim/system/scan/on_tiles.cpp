// SPDX-License-Identifier: Apache-2.0
#include "sim/system/scan/on_tiles.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sim/cycles/op_simulator.hpp"
#include "sim/cycles/operand_choice.hpp"
#include "sim/cycles/tile_split.hpp"
#include "sim/mapping/mapping.hpp"
#include "sim/system/scan/scan.hpp"

namespace td::job {
namespace {

using sim::LayerInfo;
using sim::Op;
using sim::Operand;
using sim::Which;

/// The operands of second · first as those of a linear layer's forward pass: its inputs are the
/// columns of the first, its weights the rows of the second.
class ProductOperands : public sim::OperandSource {
 public:
  ProductOperands(const Matrix& first, const Matrix& second)
      : layers_(1), inputs_(first.values.size()) {
    const auto size = [](std::size_t count) { return static_cast<std::int64_t>(count); };
    LayerInfo& layer = layers_.front();
    layer.name = "product";
    layer.type = sim::LayerType::linear;
    layer.a = {size(first.columns), size(first.rows)};
    layer.w = {size(second.rows), size(second.columns)};
    layer.go = {size(first.columns), size(second.rows)};
    for (std::size_t row = 0; row < first.rows; ++row) {
      for (std::size_t column = 0; column < first.columns; ++column) {
        inputs_[column * first.rows + row] = static_cast<float>(first.at(row, column));
      }
    }
    weights_.assign(second.values.begin(), second.values.end());
  }

  const std::string& path() const override { return layers_.front().name; }
  std::string identity() const override { return ""; }
  const std::vector<LayerInfo>& layers() const override { return layers_; }
  sim::Dtype dtype(const LayerInfo&, Operand) const override { return sim::Dtype::f32; }
  const unsigned char* slab(const LayerInfo& layer, Operand operand, std::int64_t index,
                            sim::SlabBuffer&) const override {
    const std::vector<float>& tensor = operand == Operand::A ? inputs_ : weights_;
    return reinterpret_cast<const unsigned char*>(tensor.data() + index * layer.shape(operand)[1]);
  }

 private:
  std::vector<LayerInfo> layers_;
  std::vector<float> inputs_, weights_;
};

/// A step on its way: passes dealt to the tiles so far.
class StepOnTiles {
 public:
  StepOnTiles(std::string name, int tiles) : dense_(tiles), sparse_(tiles) {
    step_.name = std::move(name);
  }

  void add(const Matrix& first, const Matrix& second, const Config& config) {
    const ProductOperands operands(first, second);
    const LayerInfo& layer = operands.layers().front();
    const sim::ZeroShares shares =
        zero_shares(layer, Op::fwd, count_zeros(operands, layer, Op::fwd, config.format));
    const Which side_b = shares.scheduled();
    const sim::ZeroCount& zeros = side_b == Which::first ? shares.first : shares.second;
    const std::int64_t rows = sim::Mapping(layer, Op::fwd, config.lanes).blocks().front().rows();
    for (const std::int64_t cycles :
         sim::OpSimulator(config).pass_cycles(operands, layer, Op::fwd, side_b)) {
      dense_.add(passes_, 1, rows);
      sparse_.add(passes_++, 1, cycles);
    }
    ++step_.products;
    if (first.columns > 1) ++step_.matrix_products;
    step_.zeros += zeros.zeros;
    step_.elements += zeros.elements;
  }

  ScanStep done() const {
    ScanStep step = step_;
    step.dense_cycles = dense_.slowest();
    step.cycles = sparse_.slowest();
    return step;
  }

 private:
  ScanStep step_;
  sim::TileSplit dense_, sparse_;
  std::int64_t passes_ = 0;
};

/// The steps of a scan, and for each product in the order in which a scan does them its step.
struct StepList {
  std::vector<StepOnTiles> steps;
  std::vector<std::size_t> of_product;
};

StepList steps_of(const ScanProducts& products, int tiles) {
  StepList list;
  const auto add = [&](std::string name, std::size_t count) {
    list.of_product.insert(list.of_product.end(), count, list.steps.size());
    if (count > 0) list.steps.emplace_back(std::move(name), tiles);
  };
  for (std::size_t i = 0; i < products.up.size(); ++i) {
    add(fmt::format("up {}", i), products.up[i]);
  }
  for (std::size_t i = 0; i < products.middle; ++i) add("middle", 1);
  for (std::size_t i = 0; i < products.down.size(); ++i) {
    add(fmt::format("down {}", products.down.size() - 1 - i), products.down[i]);
  }
  return list;
}

/// How far the prefixes of a scan are from serial products, of the largest of each.
double difference(const std::vector<std::optional<Matrix>>& elements,
                  const std::vector<std::optional<Matrix>>& prefixes) {
  double worst = 0;
  Matrix serial = *elements.front();
  for (std::size_t i = 1; i < elements.size(); ++i) {
    double largest = 0, apart = 0;
    for (std::size_t k = 0; k < serial.values.size(); ++k) {
      largest = std::max(largest, std::abs(serial.values[k]));
      apart = std::max(apart, std::abs(serial.values[k] - prefixes[i]->values[k]));
    }
    if (apart > 0) worst = std::max(worst, apart / largest);
    if (i + 1 < elements.size()) serial = applied_after(serial, *elements[i]);
  }
  return worst;
}

}  // namespace

ScanOnTiles scan_on_tiles(const LinearChain& chain, std::optional<std::size_t> most,
                          const Config& config) {
  const std::size_t length = chain.layers.size() + 1;
  const std::size_t levels = scan_levels(length, most);
  StepList list =
      steps_of(count_products(length, most), static_cast<int>(config.accelerator.tiles));
  ScanOnTiles result;
  for (std::size_t sample = 0; sample < chain.samples(); ++sample) {
    const auto elements = jacobians(chain, sample);
    auto prefixes = elements;
    auto step = list.of_product.begin();
    exclusive_scan(prefixes, levels, [&](const Matrix& first, const Matrix& second) {
      list.steps[*step++].add(first, second, config);
      return applied_after(first, second);
    });
    result.largest_difference = std::max(result.largest_difference, difference(elements, prefixes));
  }
  for (const StepOnTiles& one : list.steps) result.steps.push_back(one.done());
  return result;
}

ScanStep back_propagation_on_tiles(const sim::OperandSource& source,
                                   const std::vector<LayerInfo>& layers, const Config& config) {
  ScanStep sum;
  sum.name = "back-propagation";
  for (std::size_t i = 1; i < layers.size(); ++i) {
    const sim::ZeroShares shares =
        zero_shares(layers[i], Op::dgrad, count_zeros(source, layers[i], Op::dgrad, config.format));
    const Which side_b = shares.scheduled();
    const sim::ZeroCount& zeros = side_b == Which::first ? shares.first : shares.second;
    const sim::OpCycles one = sim::OpSimulator(config).run(source, layers[i], Op::dgrad, side_b);
    ++sum.products;
    if (layers[i].a[0] > 1) ++sum.matrix_products;
    sum.zeros += zeros.zeros;
    sum.elements += zeros.elements;
    sum.dense_cycles += one.dense_cycles;
    sum.cycles += one.cycles;
  }
  return sum;
}

}  // namespace td::job
