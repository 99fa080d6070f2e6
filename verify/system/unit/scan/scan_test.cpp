// SPDX-License-Identifier: Apache-2.0
// The truncated scan: its values beside a serial product, and a network's gradients beside
// back-propagation.
#include "sim/system/scan/scan.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <random>

namespace {

using td::job::count_products;
using td::job::exclusive_scan;
using td::job::scan_levels;

using Small = std::array<std::uint32_t, 4>;  ///< 2x2, of integers modulo 2^32

Small product(const Small& a, const Small& b) {
  return {a[0] * b[0] + a[1] * b[2], a[0] * b[1] + a[1] * b[3], a[2] * b[0] + a[3] * b[2],
          a[2] * b[1] + a[3] * b[3]};
}

/// Rows x columns, in binary32.
struct Matrix {
  std::size_t rows = 0, columns = 0;
  std::vector<float> values;

  Matrix(std::size_t r, std::size_t c) : rows(r), columns(c), values(r * c) {}
  float& at(std::size_t row, std::size_t column) { return values[row * columns + column]; }
  float at(std::size_t row, std::size_t column) const { return values[row * columns + column]; }
};

Matrix times(const Matrix& a, const Matrix& b) {
  Matrix c(a.rows, b.columns);
  for (std::size_t i = 0; i < a.rows; ++i) {
    for (std::size_t k = 0; k < a.columns; ++k) {
      for (std::size_t j = 0; j < b.columns; ++j) c.at(i, j) += a.at(i, k) * b.at(k, j);
    }
  }
  return c;
}

/// A chain of linear layers with ReLU: for each layer its weights, and which results were positive.
struct Layer {
  Matrix weights;
  std::vector<bool> positive;
};

std::vector<Layer> network(std::mt19937& random, const std::vector<std::size_t>& widths) {
  std::normal_distribution<float> value;
  std::vector<Layer> layers;
  Matrix x(widths[0], 1);
  for (float& one : x.values) one = value(random);
  for (std::size_t i = 0; i + 1 < widths.size(); ++i) {
    Layer layer{Matrix(widths[i + 1], widths[i]), {}};
    for (float& one : layer.weights.values) {
      one = value(random) * std::sqrt(2.0F / static_cast<float>(widths[i]));
    }
    x = times(layer.weights, x);
    for (float& one : x.values) {
      layer.positive.push_back(one > 0);
      one = std::max(one, 0.0F);
    }
    layers.push_back(std::move(layer));
  }
  return layers;
}

/// The transposed Jacobian of a layer: Wᵀ with the columns of idle results zero.
Matrix jacobian(const Layer& layer) {
  Matrix j(layer.weights.columns, layer.weights.rows);
  for (std::size_t in = 0; in < j.rows; ++in) {
    for (std::size_t out = 0; out < j.columns; ++out) {
      j.at(in, out) = layer.positive[out] ? layer.weights.at(out, in) : 0.0F;
    }
  }
  return j;
}

/// Gradients with respect to each layer's results, the last layer's first, layer by layer.
std::vector<Matrix> back_propagate(const std::vector<Layer>& layers, const Matrix& gradient) {
  std::vector<Matrix> all = {gradient};
  for (std::size_t i = layers.size(); i-- > 1;) {
    const Layer& layer = layers[i];
    Matrix next(layer.weights.columns, 1);
    for (std::size_t out = 0; out < layer.weights.rows; ++out) {
      if (!layer.positive[out]) continue;
      for (std::size_t in = 0; in < next.rows; ++in) {
        next.at(in, 0) += layer.weights.at(out, in) * all.back().at(out, 0);
      }
    }
    all.push_back(next);
  }
  return all;
}

}  // namespace

TEST_CASE("scan: prefixes are those of a serial product, at every length and truncation") {
  std::mt19937 random(1);
  for (std::size_t size = 2; size < 70; ++size) {
    std::vector<std::optional<Small>> chain(size);
    for (auto& one : chain) {
      one = Small{static_cast<std::uint32_t>(random()), static_cast<std::uint32_t>(random()),
                  static_cast<std::uint32_t>(random()), static_cast<std::uint32_t>(random())};
    }
    for (std::size_t most = 0; most <= 7; ++most) {
      auto scanned = chain;
      const auto products = exclusive_scan(scanned, scan_levels(size, most), product);
      CHECK(products.all() == count_products(size, most).all());
      CHECK(!scanned[0].has_value());
      Small running = *chain[0];
      for (std::size_t i = 1; i < size; ++i) {
        REQUIRE(scanned[i].has_value());
        CHECK(*scanned[i] == running);
        running = product(running, *chain[i]);
      }
    }
  }
}

TEST_CASE("scan: a network's gradients are those of back-propagation") {
  std::mt19937 random(2);
  const auto layers = network(random, {13, 17, 11, 19, 16, 12, 18, 10, 14, 15, 9, 7});
  Matrix gradient(7, 1);
  std::normal_distribution<float> value;
  for (float& one : gradient.values) one = value(random);
  const auto expected = back_propagate(layers, gradient);
  for (const std::size_t levels :
       {std::size_t{0}, std::size_t{1}, std::size_t{2}, std::size_t{3}}) {
    std::vector<std::optional<Matrix>> chain = {gradient};
    for (std::size_t i = layers.size(); i-- > 0;) chain.push_back(jacobian(layers[i]));
    // The first is applied first: it stands on the right.
    exclusive_scan(chain, scan_levels(chain.size(), levels),
                   [](const Matrix& first, const Matrix& second) { return times(second, first); });
    for (std::size_t i = 0; i < expected.size(); ++i) {
      float largest = 0;
      for (const float one : expected[i].values) largest = std::max(largest, std::abs(one));
      CHECK(largest > 0);
      for (std::size_t row = 0; row < expected[i].rows; ++row) {
        CHECK(std::abs(chain[i + 1]->at(row, 0) - expected[i].at(row, 0)) <= 1e-5F * largest);
      }
    }
  }
}

TEST_CASE("scan: steps with workers") {
  const auto products = count_products(1000, std::nullopt);
  CHECK(products.steps_with(1) == products.all());
  CHECK(products.steps_with(1000) == products.steps());
  for (std::size_t workers = 1; workers < 40; ++workers) {
    CHECK(products.steps_with(workers + 1) <= products.steps_with(workers));
  }
}
