// SPDX-License-Identifier: Apache-2.0
#include "sim/explore/space.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/configuration/geometry.hpp"
#include "base/configuration/preset.hpp"
#include "base/readers/toml_document.hpp"
#include "base/support/error.hpp"
#include "base/support/text_file.hpp"
#include "sim/explore/pattern/pattern_search.hpp"
#include "sim/trace/quantised_operands.hpp"

namespace td::sim {
namespace {

constexpr std::size_t kMostCells = 10000;
constexpr std::size_t kLongestName = 24;  ///< a point's name has the number of its cell behind it

/// A parameter that takes several values.
struct Axis {
  const Parameter* parameter;
  std::vector<int> values;
};

class SpaceReader {
 public:
  SpaceReader(const TomlTable& root, Space& space) : root_(root), space_(space) {}

  void read() {
    root_.allow_only({"name", "base", "axes", "pattern", "dealing", "objectives", "fit",
                      "leave_one_out", "search", "networks"});
    read_name();
    base_ = find_config(root_.name("base"), space_.file + ": base");
    if (base_.is_dense()) root_.fail("base", "a configuration that drops pairs");
    if (root_.has("axes")) read_axes();
    read_pattern(root_.table("pattern"));
    read_dealings();
    read_search(root_.table("search"));
    if (root_.has("leave_one_out")) space_.leave_one_out = root_.boolean("leave_one_out");
    space_.networks = read_networks(root_);
    if (space_.leave_one_out && space_.folds() < 3) {
      root_.fail("leave_one_out", "false with fewer than two networks to tune on");
    }
    add_cells(base_, 0);
    quantise();
    read_objectives();
  }

 private:
  void read_name() {
    space_.name = root_.name("name");
    const auto is_legal = [](char c) {
      return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
    };
    if (space_.name.size() > kLongestName || space_.name[0] < 'a' ||
        !std::all_of(space_.name.begin(), space_.name.end(), is_legal)) {
      root_.fail("name",
                 fmt::format("1..{} of a-z, 0-9 and _, starting with a letter", kLongestName));
    }
  }

  void read_axes() {
    for (const TomlTable& table : root_.tables("axes")) {
      table.allow_only({"parameter", "values"});
      const Parameter* parameter = find_parameter(table.name("parameter"));
      if (parameter == nullptr || parameter->set == nullptr) {
        table.fail("parameter", "a parameter of configurations (tdgen --explain), with a value");
      }
      for (const Axis& axis : axes_) {
        if (axis.parameter == parameter) table.fail("parameter", "each parameter once");
      }
      axes_.push_back({parameter, axis_values(table, *parameter)});
    }
  }

  static std::vector<int> axis_values(const TomlTable& table, const Parameter& parameter) {
    std::vector<int> values;
    if (parameter.kind == ParameterKind::integer) {
      for (const std::int64_t value :
           table.integers("values", parameter.minimum, parameter.maximum)) {
        values.push_back(static_cast<int>(value));
      }
    } else {
      const std::vector<std::string> choices = parameter.kind == ParameterKind::choice
                                                   ? parameter.choices
                                                   : std::vector<std::string>{"false", "true"};
      for (const std::string& name : table.names("values")) {
        const auto found = std::find(choices.begin(), choices.end(), name);
        if (found == choices.end()) {
          table.fail("values", fmt::format("some of {}", fmt::join(choices, ", ")));
        }
        values.push_back(static_cast<int>(found - choices.begin()));
      }
    }
    check_distinct(table, "values", values);
    return values;
  }

  template <class Value>
  static void check_distinct(const TomlTable& table, const char* key, std::vector<Value> values) {
    std::sort(values.begin(), values.end());
    if (std::adjacent_find(values.begin(), values.end()) != values.end()) {
      table.fail(key, "each value once");
    }
  }

  void read_pattern(const TomlTable& table) {
    table.allow_only({"options", "levels", "named"});
    options_ = table.integers("options", 1, 16);
    check_distinct(table, "options", options_);
    if (table.has("levels")) {
      space_.most_levels = static_cast<int>(table.integer("levels", 1, 64));
    }
    if (!table.has("named")) return;
    space_.named = table.names("named");
    for (const std::string& name : space_.named) {
      if (find_pattern(name) == nullptr) {
        table.fail("named", find_parameter("tile.interconnect.pattern")->legal());
      }
    }
  }

  void read_dealings() {
    dealings_ = {DealingMode::natural};
    if (!root_.has("dealing")) return;
    dealings_.clear();
    for (const std::string& name : root_.names("dealing")) {
      const auto before = dealings_.size();
      for (const auto mode :
           {DealingMode::natural, DealingMode::density, DealingMode::time, DealingMode::best}) {
        if (name == to_string(mode)) dealings_.push_back(mode);
      }
      if (dealings_.size() == before) root_.fail("dealing", "some of natural, density, time, best");
    }
    check_distinct(root_, "dealing", dealings_);
  }

  void read_search(const TomlTable& table) {
    table.allow_only({"seed", "chains", "patterns", "groups"});
    const auto read = [&table](const char* key, std::int64_t most, std::int64_t& value) {
      if (table.has(key)) value = table.integer(key, 1, most);
    };
    read("seed", std::int64_t{1} << 62, space_.seed);
    read("chains", 1000, space_.chains);
    read("patterns", 10000000, space_.patterns);
    read("groups", 100000000, space_.groups);
  }

  /// Every combination; the first axis is outermost, dealing innermost.
  void add_cells(const Config& config, std::size_t axis) {
    if (axis < axes_.size()) {
      for (const int value : axes_[axis].values) {
        Config next = config;
        axes_[axis].parameter->set(next, value);
        add_cells(next, axis + 1);
      }
      return;
    }
    for (const std::int64_t options : options_) {
      for (const DealingMode dealing : dealings_)
        add_cell(config, static_cast<int>(options), dealing);
    }
  }

  void add_cell(Config config, int options, DealingMode dealing) {
    if (space_.cells.size() == kMostCells) {
      root_.fail("axes", fmt::format("at most {} combinations", kMostCells));
    }
    if (reachable_options(config) < options - 1) {
      throw UserError(space_.file, "pattern.options", fmt::format("{}", options),
                      fmt::format("1..{} with {} lanes and depth {}", 1 + reachable_options(config),
                                  config.lanes, config.depth));
    }
    const int least = least_levels(config, options);
    if (space_.most_levels < least) {
      throw UserError(
          space_.file, "pattern.levels", fmt::format("{}", space_.most_levels),
          fmt::format("at least {} for {} options with depth {}", least, options, config.depth));
    }
    config.name = fmt::format("{}_{}", space_.name, space_.cells.size());
    // Rules that compare parameters are the configuration's own.
    config = parse_config(canonical_toml(with_pattern(config, {{0, 0}})), space_.file);
    if (config.scheduling == Scheduling::two_sided && dealing != DealingMode::natural) {
      throw UserError(space_.file, "dealing", to_string(dealing),
                      "natural for two_sided, which has one tile row");
    }
    space_.cells.push_back({config, options, dealing});
  }

  /// Traces, where a cell is of fp8: each tensor gets its power of two, as everywhere.
  void quantise() {
    const bool is_asked =
        std::any_of(space_.cells.begin(), space_.cells.end(),
                    [](const Cell& cell) { return cell.shape.format == Format::fp8; });
    if (!is_asked) return;
    for (SpaceNetwork& network : space_.networks) {
      if (network.trace) network.quantised = operands_of(*network.trace, Format::fp8);
    }
  }

  void read_objectives() {
    if (root_.has("fit")) {
      const std::string path = root_.name("fit");
      space_.fit.emplace(read_text(path, "a fit that scripts/ppa --fit wrote"), path);
    }
    for (const std::string& name : root_.names("objectives")) {
      const PointObjective* objective = find_point_objective(name);
      if (objective == nullptr) root_.fail("objectives", legal_objectives());
      if (objective->need == Need::area) check_fit(name, &TileFit::misfit);
      if (objective->need == Need::energy) check_energies(name);
      if (objective->need == Need::machine) check_machine(name);
      space_.objectives.push_back(objective);
    }
    check_distinct(root_, "objectives", space_.objectives);
  }

  static std::string legal_objectives() {
    std::vector<std::string> names;
    for (const PointObjective& one : point_objectives()) names.emplace_back(one.name);
    return fmt::format("some of {}; the clock has no fit: --confirm measures it",
                       fmt::join(names, ", "));
  }

  using MisfitOf = std::optional<TileFit::Misfit> (TileFit::*)(const Config&, std::size_t) const;

  void check_fit(const std::string& objective, MisfitOf misfit_of) const {
    if (!space_.fit) {
      root_.fail("fit",
                 fmt::format("a file of scripts/ppa --fit, for the objective {}", objective));
    }
    for (const Cell& cell : space_.cells) {
      const auto misfit =
          ((*space_.fit).*misfit_of)(cell.shape, static_cast<std::size_t>(cell.options));
      if (!misfit) continue;
      throw UserError(space_.file, misfit->field, misfit->value,
                      fmt::format("{} for {} by {}", misfit->legal, objective, root_.name("fit")));
    }
  }

  void check_energies(const std::string& objective) const {
    if (space_.fit && !space_.fit->has_energies()) {
      root_.fail("fit", fmt::format("one with energies, for the objective {}", objective));
    }
    check_fit(objective, &TileFit::energy_misfit);
  }

  /// That there is an accelerator of every cell, for an objective from memory to memory.
  void check_machine(const std::string& objective) const {
    for (const Cell& cell : space_.cells) {
      if (cell.dealing != DealingMode::natural) {
        throw UserError(space_.file, "dealing", to_string(cell.dealing),
                        fmt::format("natural for {}: the accelerator deals no streams", objective));
      }
      const std::optional<std::string> obstacle = accelerator_obstacle(cell.shape);
      if (!obstacle) continue;
      throw UserError(space_.file, "objectives", objective,
                      fmt::format("accelerators that are built; {}", *obstacle));
    }
  }

  const TomlTable& root_;
  Space& space_;
  Config base_;
  std::vector<Axis> axes_;
  std::vector<std::int64_t> options_;
  std::vector<DealingMode> dealings_;
};

}  // namespace

std::vector<std::size_t> Space::tuned(std::int64_t fold) const {
  std::vector<std::size_t> indices;
  std::int64_t number = 0;
  for (std::size_t i = 0; i < networks.size(); ++i) {
    if (networks[i].use == NetworkUse::tune && ++number != fold) indices.push_back(i);
  }
  return indices;
}

bool Space::needs(Need need) const {
  return std::any_of(objectives.begin(), objectives.end(),
                     [need](const PointObjective* one) { return one->need == need; });
}

std::int64_t Space::folds() const {
  return leave_one_out ? 1 + static_cast<std::int64_t>(tuned(0).size()) : 1;
}

Space load_space(const std::string& path) {
  const std::string text = read_text(path, "a readable TOML space");
  const toml::table parsed = parse_toml(text, path);
  Space space;
  space.file = path;
  SpaceReader({parsed, path, ""}, space).read();
  return space;
}

}  // namespace td::sim
