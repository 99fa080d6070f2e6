// SPDX-License-Identifier: Apache-2.0
#include "sim/explore/search_shard.hpp"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "base/readers/json_document.hpp"
#include "base/support/error.hpp"
#include "base/support/hash.hpp"
#include "base/support/text_file.hpp"
#include "sim/explore/pattern/pattern_scorer.hpp"

namespace td::sim {
namespace {

constexpr const char* kSearchFormat = "tensordash-explore-search-1";

/// The tile without its name and pattern, and what is asked of the pattern. Of the accelerator a
/// search sees nothing.
std::string task_text(const Space& space, const Cell& cell) {
  Config shape = cell.shape;
  shape.name = "shape";
  return fmt::format("{}\n{} {} {} {} {} {}", tile_toml(shape), cell.options, space.most_levels,
                     to_string(cell.dealing), space.seed, space.patterns, space.groups);
}

std::vector<const OperandSource*> sources(const Space& space, const SearchId& id) {
  std::vector<const OperandSource*> sources;
  for (const std::size_t network : space.tuned(id.fold)) {
    sources.push_back(&space.networks[network].operands(space.cells[id.cell].shape.format));
  }
  return sources;
}

/// Of all that a search is told: the seed of the numbers that it draws, so that no two draw the
/// same. Of nothing else: what is new elsewhere, or a release, changes no result.
std::uint64_t search_hash(const Space& space, const SearchId& id) {
  std::string text = fmt::format("{}\n{}", id.chain, task_text(space, space.cells[id.cell]));
  for (const OperandSource* source : sources(space, id)) text += "\n" + source->identity();
  return fnv1a(text);
}

/// Of this program: another one may find something else.
std::uint64_t program_hash() {
  constexpr std::size_t most = std::size_t{1} << 30;
  static const std::uint64_t hash = fnv1a(read_text("/proc/self/exe", "this program", most));
  return hash;
}

}  // namespace

std::string search_key(const Space& space, const SearchId& id) {
  return hash_text(fnv1a(hash_text(search_hash(space, id)), program_hash()));
}

std::string search_file(const Space& space, const SearchId& id) {
  return fmt::format("search_{}.json", search_key(space, id));
}

std::string run_search(const Space& space, const SearchId& id) {
  const Cell& cell = space.cells[id.cell];
  const PatternScorer scorer(cell.shape, sources(space, id), cell.dealing, space.groups);
  const PatternTask task{cell.shape, cell.options, space.most_levels, space.patterns,
                         search_hash(space, id)};
  const FoundPattern found = search_pattern(task, [&scorer](const Config& config) {
    double sum = 0;
    const std::vector<double> speedups = scorer.speedups(config);
    for (const double speedup : speedups) sum += std::log(speedup);
    return sum / static_cast<double>(speedups.size());
  });
  if (found.options.empty()) {
    throw UserError(
        space.file, "pattern.levels", fmt::format("{}", space.most_levels),
        fmt::format("more: no pattern of {} options with depth {} was found with so few",
                    cell.options, cell.shape.depth));
  }
  nlohmann::ordered_json options = nlohmann::ordered_json::array();
  for (const Option option : found.options) options.push_back({option.step, option.offset});
  const nlohmann::ordered_json root = {{"format", kSearchFormat},
                                       {"options", options},
                                       {"score", found.score},
                                       {"scored", found.scored},
                                       {"exhaustive", found.exhaustive}};
  return root.dump(1) + '\n';
}

FoundPattern read_search(const Space& space, const SearchId& id, const std::string& folder) {
  const std::string path = folder + "/" + search_file(space, id);
  const std::string text = read_text(path, "a result of tdsim explore");
  const JsonDocument document(text, path, "search");
  const JsonValue root = document.root();
  const JsonValue format = root.member("format", "format");
  if (format.text() != kSearchFormat) format.fail(kSearchFormat);
  FoundPattern found;
  const JsonValue options = root.member("options", "options");
  for (std::size_t i = 0; i < options.size("an array of options"); ++i) {
    const JsonValue option = options.element(i, fmt::format("options[{}]", i));
    const auto read = [&option](std::size_t at) {
      const std::optional<double> value = option.element(at, option.field()).number_or_null();
      if (!value) option.fail("[step, offset]");
      return static_cast<int>(*value);
    };
    if (option.size("[step, offset]") != 2) option.fail("[step, offset]");
    found.options.push_back({read(0), read(1)});
  }
  const JsonValue score = root.member("score", "score");
  if (!score.number_or_null()) score.fail("a number");
  found.score = *score.number_or_null();
  found.scored = root.member("scored", "scored").integer(1, 1U << 30);
  found.exhaustive = root.member("exhaustive", "exhaustive").boolean();
  return found;
}

}  // namespace td::sim
