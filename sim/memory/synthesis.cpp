// SPDX-License-Identifier: Apache-2.0
// Reading of synthesis results, and the choice among those built in.
#include "sim/memory/synthesis.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <stdexcept>

#include "base/readers/json_document.hpp"
#include "base/support/error.hpp"
#include "base/support/text_file.hpp"
#include "sim/memory/embedded.hpp"

namespace td::sim {

namespace {

constexpr double max_MHz = 1000000;
constexpr double max_pJ = 1000000000;
constexpr double max_cost = 1000;  // of a dense step

double positive(const JsonValue& value, double most) {
  const double number = value.number_or_null().value_or(0);
  if (!(number > 0 && number <= most))
    value.fail(fmt::format("a number above 0, at most {}", most));
  return number;
}

/// One way of working: a step costs something, every other part may cost nothing.
StepParts costs(const JsonValue& components, const std::string& way) {
  const JsonValue object = components.member(way, components.field() + "." + way);
  StepParts parts;
  for (const StepPart& part : kStepParts) {
    const JsonValue value = object.member(part.name, object.field() + "." + part.name);
    const double number = value.number_or_null().value_or(-1);
    if (!(number >= 0 && number <= max_cost)) {
      value.fail(fmt::format("a number of 0..{}", max_cost));
    }
    parts.*part.value = number;
  }
  if (parts.step == 0) object.member("step", object.field() + ".step").fail("a number above 0");
  return parts;
}

bool same(const StepParts& a, const StepParts& b) {
  return std::all_of(std::begin(kStepParts), std::end(kStepParts),
                     [&](const StepPart& part) { return a.*part.value == b.*part.value; });
}

}  // namespace

bool Synthesis::is_of(const Config& config) const {
  Config namesake = config;
  namesake.name = name;
  return config_hash_text(namesake) == configuration;
}

Synthesis parse_synthesis(const std::string& text, const std::string& file) {
  const JsonDocument document(text, file, "synthesis");
  const JsonValue root = document.root();
  const auto member = [&root](const std::string& key) { return root.member(key, key); };
  const std::string legal_format = "tensordash-synthesis-4";
  if (member("format").text() != legal_format) member("format").fail(legal_format);
  Synthesis synthesis;
  synthesis.name = member("name").name();
  synthesis.configuration = member("configuration").name();
  synthesis.clock_MHz = positive(member("clock_MHz"), max_MHz);
  synthesis.library = member("library").name();
  synthesis.corner = member("corner").name();
  synthesis.trace = member("trace").name();
  synthesis.parts.dense_step_pJ = positive(member("dense_step_pJ"), max_pJ);
  const JsonValue components = member("components");
  synthesis.parts.dense = costs(components, "dense");
  synthesis.parts.sparse = costs(components, "sparse");
  synthesis.parts.gated = costs(components, "gated");
  synthesis.parts.zero_gated = costs(components, "zero_gated");
  return synthesis;
}

Synthesis load_synthesis(const std::string& path, const Config& config) {
  Synthesis synthesis =
      parse_synthesis(read_text(path, "a readable JSON file of synthesis results"), path);
  if (!synthesis.is_of(config)) {
    throw UserError(path, "configuration", synthesis.configuration,
                    fmt::format("{}, the hash of {}", config_hash_text(config), config.name));
  }
  const StepEnergy& parts = synthesis.parts;
  const bool one_way = same(parts.sparse, parts.dense) && same(parts.gated, parts.dense) &&
                       same(parts.zero_gated, parts.dense);
  if (config.is_dense() && !one_way) {
    throw UserError(path, "components", "sparse, gated or zero_gated unlike dense",
                    fmt::format("four times the same, as {} drops nothing", config.name));
  }
  return synthesis;
}

const std::vector<Synthesis>& built_in_syntheses() {
  static const std::vector<Synthesis> results = [] {
    std::vector<Synthesis> read;
    for (const EmbeddedFile& file : syntheses()) {
      read.push_back(parse_synthesis(std::string(file.text), fmt::format("{}.json", file.name)));
    }
    return read;
  }();
  return results;
}

const Synthesis& stand_in_synthesis(const Config& config) {
  const std::vector<Synthesis>& results = built_in_syntheses();
  const auto own = std::find_if(results.begin(), results.end(),
                                [&](const Synthesis& one) { return one.is_of(config); });
  if (own != results.end()) return *own;
  const std::string paper = config.format == Format::fp32 ? "paper_fp32" : "paper_bf16";
  const auto stand_in = std::find_if(results.begin(), results.end(),
                                     [&](const Synthesis& one) { return one.name == paper; });
  if (stand_in == results.end()) throw std::logic_error(paper + ": no synthesis is built in");
  return *stand_in;
}

}  // namespace td::sim
