// SPDX-License-Identifier: Apache-2.0
#include "verify/replay/diagnosis.hpp"

#include <fmt/format.h>

#include <vector>

#include "sim/arith.hpp"

namespace td::verify {
namespace {

/// One PE in one pass: the products that its lanes should have made.
class Suspects {
 public:
  Suspects(const Config& config, const sim::PassData& pass, int tile_row, int column)
      : config_(config), pass_(pass), tile_row_(tile_row), column_(column) {
    sim::TileModel model(config);
    sim::PassResult result;
    model.run(pass, result);
    const auto lanes = static_cast<std::size_t>(config.lanes);
    for (std::int64_t cycle = 0; cycle < result.cycles; ++cycle) {
      std::vector<float> products(lanes, 0.0F);
      std::vector<std::int64_t> elements(lanes, -1);
      for (const auto& pair : model.pairs(cycle, tile_row)) {
        const auto lane = static_cast<std::size_t>(pair.lane);
        elements[lane] = pair.element;
        products[lane] = a_value(pair.element) * pair.b;
      }
      products_.push_back(std::move(products));
      elements_.push_back(std::move(elements));
    }
  }

  std::string find(std::uint32_t actual) {
    for (std::size_t cycle = 0; cycle < products_.size(); ++cycle) {
      for (std::size_t lane = 0; lane < products_[cycle].size(); ++lane) {
        const std::string found = try_lane(cycle, lane, actual);
        if (!found.empty()) return found;
      }
    }
    return "no single lane explains it";
  }

 private:
  float a_value(std::int64_t element) const {
    return operand(pass_.a, element, config_.columns, column_);
  }
  float b_value(std::int64_t element) const {
    return operand(pass_.b, element, config_.rows, tile_row_);
  }

  float operand(const std::vector<std::uint32_t>& bits, std::int64_t element, int lines,
                int line) const {
    const std::int64_t row = element / config_.lanes;
    const std::int64_t at = (row * lines + line) * config_.lanes + element % config_.lanes;
    return sim::widen(config_.format, bits[static_cast<std::size_t>(at)]);
  }

  /// Tries what the lane could have multiplied instead, from one window around its element.
  std::string try_lane(std::size_t cycle, std::size_t lane, std::uint32_t actual) {
    const float right = products_[cycle][lane];
    const std::int64_t element = elements_[cycle][lane];
    std::string found;
    products_[cycle][lane] = 0.0F;
    if (element >= 0 && output() == actual) {
      found = fmt::format("cycle {} lane {}: its product is missing", cycle, lane);
    }
    const std::int64_t last = pass_.rows() * config_.lanes;
    const std::int64_t reach = std::int64_t{config_.depth} * config_.lanes;
    const std::int64_t from = std::max<std::int64_t>(0, element - reach);
    const std::int64_t to = std::min(last, element + reach);
    for (std::int64_t other = from; element >= 0 && found.empty() && other < to; ++other) {
      products_[cycle][lane] = a_value(other) * b_value(element);
      const bool a_only = output() == actual;
      products_[cycle][lane] = a_value(other) * b_value(other);
      if (!a_only && output() != actual) continue;
      found = fmt::format("cycle {} lane {}: took row {} lane {} {} instead of row {} lane {}",
                          cycle, lane, other / config_.lanes, other % config_.lanes,
                          a_only ? "of side A" : "of both sides", element / config_.lanes,
                          element % config_.lanes);
    }
    products_[cycle][lane] = right;
    return found;
  }

  /// The output that the products add up to.
  std::uint32_t output() const {
    const auto partials = static_cast<std::size_t>(config_.accumulators);
    std::vector<float> accumulators(partials, 0.0F);
    for (std::size_t cycle = 0; cycle < products_.size(); ++cycle) {
      accumulators[cycle % partials] += tree(products_[cycle]);
    }
    const float sum = tree(accumulators);
    return config_.output == OutputFormat::bf16 ? sim::to_bf16(sum) : sim::canonical_bits(sum);
  }

  static float tree(std::vector<float> values) {
    while (values.size() > 1) {
      std::vector<float> sums;
      for (std::size_t i = 0; i + 1 < values.size(); i += 2) {
        sums.push_back(values[i] + values[i + 1]);
      }
      if (values.size() % 2 == 1) sums.push_back(values.back());
      values = std::move(sums);
    }
    return values.front();
  }

  const Config& config_;
  const sim::PassData& pass_;
  int tile_row_;
  int column_;
  std::vector<std::vector<float>> products_;         ///< [cycle][lane]
  std::vector<std::vector<std::int64_t>> elements_;  ///< [cycle][lane]; -1: idle
};

}  // namespace

std::string diagnose(const Config& config, const sim::PassData& pass, int tile_row, int column,
                     std::uint32_t actual) {
  return Suspects(config, pass, tile_row, column).find(actual);
}

}  // namespace td::verify
