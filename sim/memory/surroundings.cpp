// SPDX-License-Identifier: Apache-2.0
#include "sim/memory/surroundings.hpp"

#include <fmt/format.h>

#include "base/readers/json_document.hpp"
#include "sim/memory/embedded.hpp"

namespace td::sim {
namespace {

constexpr double kMostMacs = 1000000;
constexpr double kMostCost = 1000;  // of a dense step

}  // namespace

Surroundings parse_surroundings(const std::string& text, const std::string& file) {
  const JsonDocument document(text, file, "surroundings");
  const JsonValue root = document.root();
  const JsonValue format = root.member("format", "format");
  const std::string legal_format = "tensordash-surroundings-1";
  if (format.text() != legal_format) format.fail(legal_format);
  Surroundings result;
  result.macs = root.member("dense_step_macs", "dense_step_macs").number(1, kMostMacs);
  const JsonValue costs = root.member("costs", "costs");
  for (const SurroundingsCost& cost : kSurroundingsCosts) {
    result.costs.*cost.value =
        costs.member(cost.name, fmt::format("costs.{}", cost.name)).number(0, kMostCost);
  }
  return result;
}

const Surroundings& built_in_surroundings() {
  static const Surroundings result = [] {
    const EmbeddedFile& file = surroundings().front();
    return parse_surroundings(std::string(file.text), fmt::format("{}.json", file.name));
  }();
  return result;
}

}  // namespace td::sim
