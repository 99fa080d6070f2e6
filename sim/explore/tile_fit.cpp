// SPDX-License-Identifier: Apache-2.0
#include "sim/explore/tile_fit.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <stdexcept>

#include "base/configuration/parameters.hpp"
#include "base/readers/json_document.hpp"
#include "base/support/hash.hpp"

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

JsonValue member_of(const JsonValue& object, const std::string& key) {
  return object.member(key, object.field() + "." + key);
}

/// Of a sum of products.
std::map<std::string, double> read_terms(const JsonValue& object) {
  std::map<std::string, double> terms;
  for (const std::string& term : object.keys()) {
    const JsonValue value = member_of(object, term);
    if (!product({}, term)) value.fail("the factor of a product of parameters");
    terms[term] = number(value);
  }
  return terms;
}

double sum_of(const std::map<std::string, double>& terms, const Config& config) {
  double sum = 0;
  for (const auto& [term, each] : terms) sum += each * *product(config, term);
  return sum;
}

/// The largest error of what had been left out.
double unseen_percent(const JsonValue& object) {
  return number(member_of(member_of(object, "left_out_error"), "max_percent"));
}

}  // namespace

TileFit::TileFit(const std::string& text, const std::string& file) {
  const JsonDocument document(text, file, "fit");
  const JsonValue root = document.root();
  const auto member = [&root](const std::string& key) { return root.member(key, key); };
  if (member("format").text() != kFitFormat) member("format").fail(kFitFormat);
  digest_ = hash_text(fnv1a(text));
  source_ = fmt::format("tiles with the registers of {}; {}, {}, {} ns, pre-layout",
                        member("base").name(), member("library").name(), member("corner").name(),
                        number(member("clock_ns")));
  error_percent_ = unseen_percent(member("whole"));
  read_parameters(member("parameters"));
  sizes_ = read_sizes(member("sizes"));
  read_blocks(member("blocks"));
  if (root.has("energies")) read_energies(member("energies"));
}

void TileFit::read_parameters(const JsonValue& object) {
  for (const Parameter& parameter : parameters()) {
    if (!is_common(parameter)) continue;
    const std::string path = parameter.path();
    // One that is newer than the fit is at its default, since older designs do not change.
    const bool is_there = object.has(path) || !parameter.later;
    common_.push_back({&parameter, is_there ? object.member(path, "parameters." + path).raw().dump()
                                            : parameter.value_text({})});
  }
}

TileFit::Sizes TileFit::read_sizes(const JsonValue& object) {
  Sizes sizes;
  for (const auto& [word, field] : kSizes) {
    const JsonValue ends = member_of(object, word);
    if (ends.size("[least, most]") != 2) ends.fail("[least, most]");
    sizes[word] = {field, number(ends.element(0, ends.field())),
                   number(ends.element(1, ends.field()))};
  }
  return sizes;
}

void TileFit::read_blocks(const JsonValue& array) {
  const std::size_t count = array.size("an array of blocks");
  for (std::size_t i = 0; i < count; ++i) {
    const JsonValue one = array.element(i, fmt::format("blocks[{}]", i));
    Block block = {member_of(one, "format").name(), read_terms(member_of(one, "um2"))};
    if (block.format != kAllFormats) formats_.insert(block.format);
    blocks_.push_back(std::move(block));
  }
}

void TileFit::read_energies(const JsonValue& object) {
  Energies energies;
  energies.sizes = read_sizes(member_of(object, "sizes"));
  energies.format = member_of(object, "format").name();
  for (const StepPart& part : kStepParts) {
    energies.dense_pJ.*part.value = number(member_of(member_of(object, "dense_pJ"), part.name));
    energies.sparse_pJ.push_back(read_terms(member_of(member_of(object, "sparse_pJ"), part.name)));
  }
  energies.error_percent = unseen_percent(object);
  energies_ = std::move(energies);
}

std::optional<TileFit::Misfit> TileFit::common_misfit(const Config& config) const {
  for (const Common& common : common_) {
    const std::string value = common.parameter->value_text(config);
    if (value != common.value) return Misfit{common.parameter->path(), value, common.value};
  }
  return std::nullopt;
}

std::optional<TileFit::Misfit> TileFit::misfit_of(const Sizes& sizes,
                                                  const std::set<std::string>& formats,
                                                  const Config& config, std::size_t options) {
  for (const auto& [word, range] : sizes) {
    const double value = word == "options" ? static_cast<double>(options) : *factor(config, word);
    if (value < range.least || value > range.most) {
      return Misfit{range.field, fmt::format("{}", value),
                    fmt::format("{}..{}", range.least, range.most)};
    }
  }
  const std::string format = traits(config.format).name;
  if (formats.count(format) == 0) {
    return Misfit{kFormatField, format, fmt::format("{}", fmt::join(formats, ", "))};
  }
  return std::nullopt;
}

std::optional<TileFit::Misfit> TileFit::misfit(const Config& config, std::size_t options) const {
  const std::optional<Misfit> common = common_misfit(config);
  return common ? common : misfit_of(sizes_, formats_, config, options);
}

std::optional<TileFit::Misfit> TileFit::energy_misfit(const Config& config,
                                                      std::size_t options) const {
  const std::optional<Misfit> common = common_misfit(config);
  return common ? common : misfit_of(energies_->sizes, {energies_->format}, config, options);
}

double TileFit::um2(const Config& config) const {
  if (misfit(config, config.options.size())) throw std::logic_error("area fit: a misfit");
  const std::string format = traits(config.format).name;
  double sum = 0;
  for (const Block& block : blocks_) {
    if (block.format == kAllFormats || block.format == format) sum += sum_of(block.um2, config);
  }
  return sum;
}

StepEnergy TileFit::energy(const Config& config) const {
  if (energy_misfit(config, config.options.size())) throw std::logic_error("energy fit: a misfit");
  StepParts sparse;
  std::size_t at = 0;
  for (const StepPart& part : kStepParts) {
    sparse.*part.value = sum_of(energies_->sparse_pJ[at++], config);
  }
  const StepParts& dense = energies_->dense_pJ;
  return {1, dense, sparse, dense, dense};
}

}  // namespace td::sim
