// SPDX-License-Identifier: Apache-2.0
#include "sim/explore/area_fit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <stdexcept>

#include "gen/readers/json_document.hpp"

namespace td::sim {
namespace {

constexpr const char* kFitFormat = "tensordash-fit-2";

/// A factor of a product of the fit's terms; nothing for a word that is none.
std::optional<double> factor(const Config& config, const std::string& word) {
  if (word == "1") return 1;
  if (word == "bits") return traits(config.format).bits();
  if (word == "lanes") return config.lanes;
  if (word == "depth") return config.depth;
  if (word == "options") return static_cast<double>(config.options.size());
  if (word == "rows") return config.rows;
  if (word == "columns") return config.columns;
  return std::nullopt;
}

/// `lanes*bits*depth` of a configuration; nothing where a word is unknown.
std::optional<double> product(const Config& config, const std::string& text) {
  double value = 1;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find('*', begin), text.size());
    const std::optional<double> one = factor(config, text.substr(begin, end - begin));
    if (!one) return std::nullopt;
    value *= *one;
    begin = end + 1;
  }
  return value;
}

/// `rows+rows+columns`: a sum of products.
std::optional<double> sum_of_products(const Config& config, const std::string& text) {
  double value = 0;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find('+', begin), text.size());
    const std::optional<double> one = product(config, text.substr(begin, end - begin));
    if (!one) return std::nullopt;
    value += *one;
    begin = end + 1;
  }
  return value;
}

double number(const JsonValue& value) {
  const std::optional<double> found = value.number_or_null();
  if (!found) value.fail("a number");
  return *found;
}

}  // namespace

AreaFit::AreaFit(const std::string& text, const std::string& file) {
  const JsonDocument document(text, file, "fit");
  const JsonValue root = document.root();
  const auto member = [&root](const std::string& key) { return root.member(key, key); };
  if (member("format").text() != kFitFormat) member("format").fail(kFitFormat);
  source_ = fmt::format("{}, {}, {} ns, pre-layout", member("library").name(),
                        member("corner").name(), number(member("clock_ns")));
  const JsonValue whole = member("whole").member("left_out_error", "whole.left_out_error");
  error_percent_ = number(whole.member("max_percent", "whole.left_out_error.max_percent"));
  const JsonValue blocks = member("blocks");
  const std::size_t count = blocks.size("an array of blocks");
  for (std::size_t i = 0; i < count; ++i) {
    const std::string field = fmt::format("blocks[{}]", i);
    const JsonValue one = blocks.element(i, field);
    Block block;
    block.format = one.member("format", field + ".format").name();
    const JsonValue instances = one.member("instances", field + ".instances");
    block.instances = instances.name();
    if (!sum_of_products({}, block.instances)) instances.fail("a sum of products of parameters");
    const JsonValue terms = one.member("um2", field + ".um2");
    for (const std::string& term : terms.keys()) {
      const JsonValue value = terms.member(term, field + ".um2." + term);
      if (!product({}, term)) value.fail("the factor of a product of parameters");
      block.terms[term] = number(value);
    }
    blocks_.push_back(std::move(block));
  }
}

bool AreaFit::knows(const Config& config) const {
  const std::string format = traits(config.format).name;
  return config.scheduling == Scheduling::one_sided && config.sum == Sum::tree &&
         std::any_of(blocks_.begin(), blocks_.end(),
                     [&](const Block& block) { return block.format == format; });
}

double AreaFit::um2(const Config& config) const {
  if (!knows(config)) throw std::logic_error("area fit: a tile that it does not know");
  const std::string format = traits(config.format).name;
  double sum = 0;
  for (const Block& block : blocks_) {
    if (block.format != "all" && block.format != format) continue;
    double one = 0;
    for (const auto& [term, um2] : block.terms) one += um2 * *product(config, term);
    sum += one * *sum_of_products(config, block.instances);
  }
  return sum;
}

}  // namespace td::sim
