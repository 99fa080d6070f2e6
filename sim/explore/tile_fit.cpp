// SPDX-License-Identifier: Apache-2.0
#include "sim/explore/area_fit.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <stdexcept>

#include "base/configuration/parameters.hpp"
#include "base/readers/json_document.hpp"

namespace td::sim {
namespace {

constexpr const char* kFitFormat = "tensordash-fit-3";
constexpr const char* kAllFormats = "all";
constexpr const char* kFormatField = "tile.numerics.format";

/// A word of the fit's terms, and how a user names the size.
struct SizeWord {
  const char* word;
  const char* field;
};
constexpr SizeWord kSizes[] = {{"lanes", "tile.lanes"},
                               {"depth", "tile.interconnect.depth"},
                               {"options", "pattern.options"},
                               {"rows", "tile.rows"},
                               {"columns", "tile.columns"}};

/// Whether all tiles of a fit have the same: of a tile, with a value, and no size.
bool is_common(const Parameter& parameter) {
  const std::string path = parameter.path();
  return parameter.is_of_tile() && parameter.get != nullptr && path != kFormatField &&
         std::none_of(std::begin(kSizes), std::end(kSizes),
                      [&path](const SizeWord& size) { return path == size.field; });
}

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
  source_ = fmt::format("tiles with the registers of {}; {}, {}, {} ns, pre-layout",
                        member("base").name(), member("library").name(), member("corner").name(),
                        number(member("clock_ns")));
  const JsonValue whole = member("whole").member("left_out_error", "whole.left_out_error");
  error_percent_ = number(whole.member("max_percent", "whole.left_out_error.max_percent"));
  read_parameters(member("parameters"));
  read_sizes(member("sizes"));
  read_blocks(member("blocks"));
}

void AreaFit::read_parameters(const JsonValue& object) {
  for (const Parameter& parameter : parameters()) {
    if (!is_common(parameter)) continue;
    const std::string path = parameter.path();
    // One that is newer than the fit is at its default, since older designs do not change.
    const bool is_there = object.has(path) || !parameter.later;
    common_.push_back({&parameter, is_there ? object.member(path, "parameters." + path).raw().dump()
                                            : parameter.value_text({})});
  }
}

void AreaFit::read_sizes(const JsonValue& object) {
  for (const auto& [word, field] : kSizes) {
    const std::string name = fmt::format("sizes.{}", word);
    const JsonValue ends = object.member(word, name);
    if (ends.size("[least, most]") != 2) ends.fail("[least, most]");
    sizes_[word] = {field, number(ends.element(0, name)), number(ends.element(1, name))};
  }
}

void AreaFit::read_blocks(const JsonValue& array) {
  const std::size_t count = array.size("an array of blocks");
  for (std::size_t i = 0; i < count; ++i) {
    const std::string field = fmt::format("blocks[{}]", i);
    const JsonValue one = array.element(i, field);
    Block block;
    block.format = one.member("format", field + ".format").name();
    if (block.format != kAllFormats) formats_.insert(block.format);
    const JsonValue terms = one.member("um2", field + ".um2");
    for (const std::string& term : terms.keys()) {
      const JsonValue value = terms.member(term, field + ".um2." + term);
      if (!product({}, term)) value.fail("the factor of a product of parameters");
      block.terms[term] = number(value);
    }
    blocks_.push_back(std::move(block));
  }
}

std::optional<AreaFit::Misfit> AreaFit::misfit(const Config& config, std::size_t options) const {
  for (const Common& common : common_) {
    const std::string value = common.parameter->value_text(config);
    if (value != common.value) return Misfit{common.parameter->path(), value, common.value};
  }
  for (const auto& [word, range] : sizes_) {
    const double value = word == "options" ? static_cast<double>(options) : *factor(config, word);
    if (value < range.least || value > range.most) {
      return Misfit{range.field, fmt::format("{}", value),
                    fmt::format("{}..{}", range.least, range.most)};
    }
  }
  const std::string format = traits(config.format).name;
  if (formats_.count(format) == 0) {
    return Misfit{kFormatField, format, fmt::format("{}", fmt::join(formats_, ", "))};
  }
  return std::nullopt;
}

double AreaFit::um2(const Config& config) const {
  if (misfit(config, config.options.size())) throw std::logic_error("area fit: a misfit");
  const std::string format = traits(config.format).name;
  double sum = 0;
  for (const Block& block : blocks_) {
    if (block.format != kAllFormats && block.format != format) continue;
    for (const auto& [term, um2] : block.terms) sum += um2 * *product(config, term);
  }
  return sum;
}

}  // namespace td::sim
