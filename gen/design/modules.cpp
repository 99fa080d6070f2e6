// SPDX-License-Identifier: Apache-2.0
#include "gen/design/modules.hpp"

#include <algorithm>
#include <cctype>
#include <set>
#include <sstream>
#include <string_view>

#include "base/support/version.hpp"
#include "gen/design/embedded.hpp"

namespace td {
namespace {

using Names = std::set<std::string>;

std::string module_name(const std::string& block) { return std::string(kGeneration) + "_" + block; }

/// What td1_tile names of its front ends.
const std::vector<const char*> kSparseFront = {"intake", "window", "row", "interconnect"};
const std::vector<const char*> kDenseFront = {"dense_intake", "dense_line"};

/// What stands in a generate block that no elaboration of the configuration takes. But what modules
/// name by their defaults stays, as a tree of adders in fused designs: Yosys reads them so first.
/// By its defaults a tile has no front end.
Names left_out(const Config& config) {
  Names names;
  const auto front = config.is_dense() ? kSparseFront : kDenseFront;
  for (const char* block : front) names.insert(module_name(block));
  if (config.sum != Sum::fused) names.insert(module_name("fused"));
  return names;
}

/// Words of Verilog, comments left out.
Names words_of(const std::string& text) {
  Names words;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    line.erase(std::min(line.find("//"), line.size()));
    std::replace_if(
        line.begin(), line.end(),
        [](unsigned char one) { return one != '_' && std::isalnum(one) == 0; }, ' ');
    std::istringstream in_line(line);
    for (std::string word; in_line >> word;) words.insert(word);
  }
  return words;
}

std::vector<std::string> reached(const std::string& top, const Names& without) {
  Names found;
  std::vector<std::string> texts = {top};
  while (!texts.empty()) {
    const Names words = words_of(texts.back());
    texts.pop_back();
    for (const EmbeddedFile& module : hardware()) {
      const std::string name(module.name);
      if (words.count(name) == 0 || without.count(name) != 0) continue;
      if (found.insert(name).second) texts.emplace_back(module.text);
    }
  }
  return {found.begin(), found.end()};
}

}  // namespace

std::vector<std::string> tile_modules(const Config& config, const std::string& top) {
  Names without = left_out(config);
  if (config.output != Format::bf16) without.insert(module_name("to_bf16"));
  return reached(top, without);
}

std::vector<std::string> accelerator_modules(const Config& config, const std::string& top) {
  Names without = left_out(config);
  if (config.accelerator.unpack_rows == 0) without.insert(module_name("unpack"));
  if (config.format != Format::fp8) without.insert(module_name("from_fp8"));
  return reached(top, without);
}

}  // namespace td
