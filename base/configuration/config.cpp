// SPDX-License-Identifier: Apache-2.0
#include "base/configuration/config.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <optional>
#include <regex>

#include "base/configuration/parameters.hpp"
#include "base/readers/toml_document.hpp"
#include "base/support/error.hpp"
#include "base/support/text_file.hpp"

namespace td {
namespace {

/// Reads one TOML document into a Config; holds what every message needs.
class Reader {
 public:
  Reader(const toml::table& root, const std::string& file) : root_(root), file_(file) {}

  Config read() {
    refuse_unknown(root_, "");
    for (const Parameter& parameter : parameters()) read_scalar(parameter);
    for (const Parameter& parameter : parameters()) {
      if (!parameter.applies(config_) && find(parameter) != nullptr) {
        throw UserError(file_, parameter.path(), node_text(*find(parameter)),
                        "absent when tile.scheduling = \"dense\" or \"zero_gated\"");
      }
    }
    if (config_.scheduling == Scheduling::two_sided) require_single_pe();
    if (config_.is_dense()) {
      config_.pattern.clear();
      config_.scheduler_registers = config_.interconnect_registers = 0;
    } else {
      read_pattern(*find_parameter("tile.interconnect.pattern"));
      read_levels(*find_parameter("tile.interconnect.levels"));
    }
    return config_;
  }

 private:
  const toml::node* find(const Parameter& parameter) const {
    const std::string path = parameter.path();
    const toml::node* node = &root_;
    std::string_view rest = path;
    while (node != nullptr && !rest.empty()) {
      const std::size_t dot = std::min(rest.find('.'), rest.size());
      const toml::table* table = node->as_table();
      node = table == nullptr ? nullptr : table->get(rest.substr(0, dot));
      rest.remove_prefix(std::min(dot + 1, rest.size()));
    }
    return node;
  }

  [[noreturn]] void refuse(const Parameter& parameter, const std::string& value) const {
    throw UserError(file_, parameter.path(), value, parameter.legal());
  }

  /// `prefix` is empty, or the table's path with a dot behind it.
  void refuse_unknown(const toml::table& table, const std::string& prefix) const {
    for (const auto& [key, node] : table) {
      const std::string path = prefix + std::string(key.str());
      // A quoted key may have a dot in it, and is not the parameter of that path.
      const bool quoted = key.str().find('.') != std::string_view::npos;
      if (!quoted && find_parameter(path) != nullptr) continue;
      const toml::table* section = node.as_table();
      if (!quoted && is_section(path)) {
        if (section == nullptr)
          throw UserError(file_, path, node_text(node), "a table of parameters");
        refuse_unknown(*section, path + ".");
        continue;
      }
      if (prefix.empty() && section != nullptr) refuse_moved(path, *section);
      refuse_unknown_key(path, node);
    }
  }

  /// Before version 0.3 what is in tables of `tile` now stood in tables of the file.
  void refuse_moved(const std::string& old, const toml::table& section) const {
    for (const auto& [key, node] : section) {
      const std::string path = old + "." + std::string(key.str());
      if (find_parameter("tile." + path) != nullptr)
        throw moved(file_, path, node_text(node), "tile." + path);
    }
  }

  [[noreturn]] void refuse_unknown_key(const std::string& path, const toml::node& node) const {
    std::vector<std::string> known;
    for (const Parameter& parameter : parameters()) known.push_back(parameter.path());
    throw UserError(file_, path, node_text(node),
                    fmt::format("no such parameter; known: {}", fmt::join(known, ", ")));
  }

  void read_scalar(const Parameter& parameter) {
    const toml::node* node = find(parameter);
    if (parameter.kind == ParameterKind::name) {
      read_name(parameter, node);
    } else if (node == nullptr) {
      return;
    } else if (parameter.kind == ParameterKind::integer) {
      const auto value = node->value_exact<std::int64_t>();
      if (!value || *value < parameter.minimum || *value > parameter.maximum) {
        refuse(parameter, node_text(*node));
      }
      parameter.set(config_, static_cast<int>(*value));
    } else if (parameter.kind == ParameterKind::boolean) {
      const auto value = node->value_exact<bool>();
      if (!value) refuse(parameter, node_text(*node));
      parameter.set(config_, *value ? 1 : 0);
    } else if (parameter.kind == ParameterKind::choice) {
      const auto value = node->value_exact<std::string>();
      const auto found =
          std::find(parameter.choices.begin(), parameter.choices.end(), value.value_or(""));
      if (found == parameter.choices.end()) refuse(parameter, node_text(*node));
      parameter.set(config_, static_cast<int>(found - parameter.choices.begin()));
    }
  }

  void read_name(const Parameter& parameter, const toml::node* node) {
    if (node == nullptr) refuse(parameter, "(absent)");
    const auto value = node->value_exact<std::string>();
    static const std::regex legal(kNamePattern);
    if (!value || !std::regex_match(*value, legal)) refuse(parameter, node_text(*node));
    config_.name = *value;
  }

  void require_single_pe() const {
    if (config_.rows == 1 && config_.columns == 1) return;
    throw UserError(file_, "tile.scheduling", "\"two_sided\"",
                    fmt::format("two_sided only with tile.rows = 1 and tile.columns = 1 (they are "
                                "{} and {})",
                                config_.rows, config_.columns));
  }

  void read_pattern(const Parameter& parameter) {
    const toml::node* node = find(parameter);
    if (node != nullptr && node->is_array()) {
      config_.pattern = "own";
      config_.options = read_options(parameter, *node->as_array());
      check_own_options(parameter, *node);
      return;
    }
    if (node != nullptr) {
      const NamedPattern* named = find_pattern(node->value_exact<std::string>().value_or(""));
      if (named == nullptr) refuse(parameter, node_text(*node));
      config_.pattern = named->name;
    }
    FittedPattern fitted =
        fit_pattern(find_pattern(config_.pattern)->options, config_.lanes, config_.depth);
    config_.options = std::move(fitted.options);
    config_.dropped = std::move(fitted.dropped);
  }

  std::vector<Option> read_options(const Parameter& parameter, const toml::array& array) const {
    std::vector<Option> options;
    for (const toml::node& item : array) {
      const toml::array* pair = item.as_array();
      const auto step = pair != nullptr && pair->size() == 2
                            ? (*pair)[0].value_exact<std::int64_t>()
                            : std::nullopt;
      const auto offset = step ? (*pair)[1].value_exact<std::int64_t>() : std::nullopt;
      const bool legal = step && offset && 0 <= *step && *step < config_.depth &&
                         1 - config_.lanes <= *offset && *offset < config_.lanes;
      if (!legal) {
        throw UserError(
            file_, parameter.path(), node_text(item),
            fmt::format("[step, offset] with step 0..{} (tile.interconnect.depth - 1) and offset "
                        "{}..{} (tile.lanes - 1)",
                        config_.depth - 1, 1 - config_.lanes, config_.lanes - 1));
      }
      options.push_back({static_cast<int>(*step), static_cast<int>(*offset)});
    }
    return options;
  }

  void check_own_options(const Parameter& parameter, const toml::node& node) const {
    const std::vector<Option>& options = config_.options;
    if (options.empty() || options.size() > kMaximumOptions || !(options[0] == Option{0, 0})) {
      refuse(parameter, node_text(node));
    }
    for (std::size_t i = 1; i < options.size(); ++i) {
      if (options[i].step == 0) {
        throw UserError(file_, parameter.path(), to_string(options[i]),
                        "(0,0) as the only option of step 0: it is what empties row 0 every step");
      }
    }
    const FittedPattern fitted = fit_pattern(options, config_.lanes, config_.depth);
    if (!fitted.dropped.empty()) {
      throw UserError(file_, parameter.path(), to_string(fitted.dropped.front()),
                      fmt::format("options that differ modulo the {} lanes", config_.lanes));
    }
  }

  void read_levels(const Parameter& parameter) {
    const toml::node* node = find(parameter);
    if (node == nullptr) {
      config_.levels = colour_levels(config_.options, config_.lanes);
      return;
    }
    const toml::array* array = node->as_array();
    if (array == nullptr) refuse(parameter, node_text(*node));
    std::vector<bool> seen(static_cast<std::size_t>(config_.lanes), false);
    for (const toml::node& item : *array) {
      const toml::array* lanes = item.as_array();
      if (lanes == nullptr || lanes->empty()) refuse(parameter, node_text(item));
      Level level;
      for (const toml::node& lane : *lanes) {
        const auto value = lane.value_exact<std::int64_t>();
        if (!value || *value < 0 || *value >= config_.lanes ||
            seen[static_cast<std::size_t>(*value)]) {
          throw UserError(file_, parameter.path(), node_text(lane),
                          fmt::format("lanes 0..{}, each once", config_.lanes - 1));
        }
        seen[static_cast<std::size_t>(*value)] = true;
        level.push_back(static_cast<int>(*value));
      }
      check_level(parameter, level);
      config_.levels.push_back(level);
    }
    const auto absent = std::find(seen.begin(), seen.end(), false);
    if (absent != seen.end()) {
      throw UserError(file_, parameter.path(), node_text(*node),
                      fmt::format("every lane; lane {} is in no level", absent - seen.begin()));
    }
  }

  void check_level(const Parameter& parameter, const Level& level) const {
    for (std::size_t i = 0; i < level.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        if (lanes_conflict(level[i], level[j], config_.options, config_.lanes)) {
          throw UserError(file_, parameter.path(), fmt::format("{}", level),
                          fmt::format("lanes that reach no common element (lanes {} and {} do)",
                                      level[j], level[i]));
        }
      }
    }
  }

  const toml::table& root_;
  const std::string& file_;
  Config config_;
};

}  // namespace

Config parse_config(std::string_view text, const std::string& file) {
  const toml::table root = parse_toml(text, file);
  return Reader(root, file).read();
}

Config load_config(const std::string& path) {
  return parse_config(read_text(path, "a readable TOML configuration"), path);
}

}  // namespace td
