// SPDX-License-Identifier: Apache-2.0
#include "sim/explore/judge_shard.hpp"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "base/readers/json_document.hpp"
#include "base/support/hash.hpp"
#include "base/support/text_file.hpp"

namespace td::sim {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kJudgeFormat = "tensordash-explore-judge-2";
constexpr const char* kTechnology = "paper_65nm";

constexpr double kMostClocks = 1e18;

struct Figure {
  const char* name;
  double Speedups::*value;
};
constexpr Figure kFigures[] = {{"total", &Speedups::total}, {"data", &Speedups::data}};

Speedups simulate(const Space& space, const SpaceNetwork& network, const Config& config,
                  DealingMode dealing) {
  SimulationOptions options;
  options.config = config;
  options.dealing = dealing;
  options.threads = 1;
  options.compute_only = !space.needs(Need::machine);
  options.technology = find_technology(kTechnology, config);
  options.compute = stated_compute_energy(config, options.technology);
  const bool by_energies =
      space.needs(Need::energy) && !space.fit->energy_misfit(config, config.options.size());
  if (by_energies) options.compute.parts = space.fit->energy(config);
  const RunResult result = simulate_network(network.operands(config.format), options);
  const OpResult all = totals(result.operations, TotalBy::all).front();
  const auto over = [](std::int64_t part, std::int64_t whole) {
    return static_cast<double>(part) / static_cast<double>(whole);
  };
  Speedups speedups = {over(all.cycles.dense_cycles, all.cycles.cycles),
                       over(all.zero_free.cycles, all.cycles.cycles),
                       {},
                       {}};
  if (by_energies) speedups.efficiency = all.energy.efficiency();
  if (!space.needs(Need::machine)) return speedups;
  const std::int64_t clocks = all.machine->tensordash.clocks;
  speedups.machine = {over(all.machine->dense.clocks, clocks), static_cast<double>(clocks)};
  return speedups;
}

Json to_json(const Speedups& speedups) {
  Json object;
  for (const Figure& figure : kFigures) object[figure.name] = speedups.*figure.value;
  if (speedups.efficiency) object["efficiency"] = *speedups.efficiency;
  const std::optional<MachineFigures>& machine = speedups.machine;
  if (machine) object["machine"] = {{"speedup", machine->speedup}, {"clocks", machine->clocks}};
  return object;
}

Speedups from_json(const Space& space, const JsonValue& object) {
  const auto ratio = [&](const char* key) {
    const JsonValue value = object.member(key, object.field() + "." + key);
    if (!value.number_or_null()) value.fail("a number");
    return *value.number_or_null();
  };
  Speedups speedups;
  for (const Figure& figure : kFigures) speedups.*figure.value = ratio(figure.name);
  if (object.has("efficiency")) speedups.efficiency = ratio("efficiency");
  if (!space.needs(Need::machine)) return speedups;
  const JsonValue machine = object.member("machine", object.field() + ".machine");
  const auto number = [&](const char* key) {
    return machine.member(key, machine.field() + "." + key).number(0, kMostClocks);
  };
  speedups.machine = {number("speedup"), number("clocks")};
  return speedups;
}

/// The fold that leaves the network out; 0 where none does.
std::int64_t fold_without(const Space& space, std::size_t network) {
  if (!space.leave_one_out) return 0;
  const std::vector<std::size_t> tuned = space.tuned(0);
  for (std::size_t i = 0; i < tuned.size(); ++i) {
    if (tuned[i] == network) return static_cast<std::int64_t>(i) + 1;
  }
  return 0;
}

Json judge_network(const Space& space, const Cell& cell, std::size_t index, const Config& found,
                   const Config* left_out) {
  const SpaceNetwork& network = space.networks[index];
  Json object = {{"name", network.name},
                 {"found", to_json(simulate(space, network, found, cell.dealing))}};
  object["left_out"] =
      left_out == nullptr ? Json() : to_json(simulate(space, network, *left_out, cell.dealing));
  object["named"] = Json::array();
  for (const std::string& name : space.named) {
    Config config = cell.shape;
    config.pattern = name;
    config.options = fit_pattern(find_pattern(name)->options, config.lanes, config.depth).options;
    config.levels = colour_levels(config.options, config.lanes);
    object["named"].push_back(to_json(simulate(space, network, config, DealingMode::natural)));
  }
  return object;
}

}  // namespace

FoundPattern best_chain(const Space& space, std::size_t cell, std::int64_t fold,
                        const std::string& folder) {
  FoundPattern best;
  for (std::int64_t chain = 0; chain < space.chains; ++chain) {
    FoundPattern found = read_search(space, {cell, fold, chain}, folder);
    if (chain == 0 || found.score > best.score) best = std::move(found);
  }
  return best;
}

std::string judge_file(const Space& space, std::size_t cell) {
  std::string text = kJudgeFormat;
  for (std::int64_t fold = 0; fold < space.folds(); ++fold) {
    for (std::int64_t chain = 0; chain < space.chains; ++chain) {
      text += " " + search_key(space, {cell, fold, chain});
    }
  }
  if (space.needs(Need::machine)) text += " machine";
  if (space.needs(Need::energy)) text += " energy " + space.fit->digest();
  for (const SpaceNetwork& network : space.networks) {
    text += fmt::format(" {} {}", network.name, network.source->identity());
  }
  for (const std::string& name : space.named) text += " " + name;
  return fmt::format("judge_{}.json", hash_text(fnv1a(text)));
}

std::string run_judge(const Space& space, std::size_t cell, const std::string& folder) {
  const Cell& where = space.cells[cell];
  const Config found = with_pattern(where.shape, best_chain(space, cell, 0, folder).options);
  Json networks = Json::array();
  for (std::size_t i = 0; i < space.networks.size(); ++i) {
    const std::int64_t fold = fold_without(space, i);
    const Config left_out =
        fold == 0 ? found
                  : with_pattern(where.shape, best_chain(space, cell, fold, folder).options);
    networks.push_back(judge_network(space, where, i, found, fold == 0 ? nullptr : &left_out));
  }
  return Json({{"format", kJudgeFormat}, {"networks", networks}}).dump(1) + '\n';
}

Point read_judge(const Space& space, std::size_t cell, const std::string& folder) {
  const FoundPattern best = best_chain(space, cell, 0, folder);
  Point point;
  point.cell = cell;
  point.config = with_pattern(space.cells[cell].shape, best.options);
  point.exhaustive = best.exhaustive;
  for (std::int64_t chain = 0; chain < space.chains; ++chain) {
    const FoundPattern one = read_search(space, {cell, 0, chain}, folder);
    point.scored += one.scored;
    point.chains.push_back(std::exp(one.score));
  }
  const std::string path = folder + "/" + judge_file(space, cell);
  const std::string text = read_text(path, "a result of tdsim explore");
  const JsonDocument document(text, path, "judge");
  const JsonValue root = document.root();
  const JsonValue format = root.member("format", "format");
  if (format.text() != kJudgeFormat) format.fail(kJudgeFormat);
  const JsonValue networks = root.member("networks", "networks");
  if (networks.size("an array of networks") != space.networks.size()) {
    networks.fail(fmt::format("{} networks", space.networks.size()));
  }
  for (std::size_t i = 0; i < space.networks.size(); ++i) {
    const std::string field = fmt::format("networks[{}]", i);
    const JsonValue object = networks.element(i, field);
    PointNetwork network{space.networks[i].name,
                         space.networks[i].use,
                         from_json(space, object.member("found", field + ".found")),
                         std::nullopt,
                         {}};
    if (fold_without(space, i) != 0) {
      network.left_out = from_json(space, object.member("left_out", field + ".left_out"));
    }
    const JsonValue named = object.member("named", field + ".named");
    if (named.size("an array") != space.named.size()) named.fail("as many as there are names");
    for (std::size_t k = 0; k < space.named.size(); ++k) {
      network.named.push_back(
          from_json(space, named.element(k, fmt::format("{}.named[{}]", field, k))));
    }
    point.networks.push_back(std::move(network));
  }
  return point;
}

}  // namespace td::sim
