// SPDX-License-Identifier: Apache-2.0
// Reading of technologies through the one table of their figures.
#include "sim/memory/technology.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <regex>
#include <vector>

#include "base/configuration/parameters.hpp"
#include "base/readers/document.hpp"
#include "base/readers/toml_document.hpp"
#include "base/support/error.hpp"
#include "base/support/hash.hpp"
#include "sim/memory/chip_memories.hpp"
#include "sim/memory/embedded.hpp"
#include "sim/memory/memory_choice.hpp"

namespace td::sim {

namespace {

/// A number of the file: `section.key = { value = ..., source = "..." }`.
struct Figure {
  std::string section;
  std::string key;
  double least;
  double most;
  std::function<void(Technology&, double)> set;
  bool whole = false;

  std::string path() const { return fmt::format("{}.{}", section, key); }
  std::string legal() const {
    return fmt::format("{} of {}..{}", whole ? "an integer" : "a number", least, most);
  }
};

Figure energy(std::string section, std::string key, std::function<void(Technology&, double)> set) {
  return {std::move(section), std::move(key), 0.000001, 1000000, std::move(set)};
}

Figure memory_energy(const MemoryKind& kind, const char* key, double MemoryFigures::*energy_of) {
  return energy(kind.name, key,
                [memory = kind.figures, energy_of](Technology& technology, double value) {
                  (technology.*memory).*energy_of = value;
                });
}

Figure mac_energy(std::size_t format) {
  return energy(
      "compute", fmt::format("{}_mac_pJ", kFormats[format].name),
      [format](Technology& technology, double value) { technology.format_mac_pJ[format] = value; });
}

std::vector<Figure> build_table() {
  // The bound of the clock keeps the products of access_clocks() within 63 bits.
  std::vector<Figure> table = {{"clock", "MHz", 1, kMostClockMHz,
                                [](Technology& technology, double value) {
                                  technology.clock_MHz = static_cast<std::int64_t>(value);
                                },
                                true}};
  for (const MemoryKind& kind : memory_kinds()) {
    table.push_back(memory_energy(kind, "read_pJ_per_byte", &MemoryFigures::read_pJ_per_byte));
    table.push_back(memory_energy(kind, "write_pJ_per_byte", &MemoryFigures::write_pJ_per_byte));
  }
  table.push_back(energy("dram", "pJ_per_bit", [](Technology& technology, double value) {
    technology.dram_pJ_per_bit = value;
  }));
  for (std::size_t format = 0; format < kFormatCount; ++format) table.push_back(mac_energy(format));
  return table;
}

const std::vector<Figure>& figures() {
  static const std::vector<Figure> table = build_table();
  return table;
}

bool is_memory(const std::string& section) {
  const auto& kinds = memory_kinds();
  return std::any_of(kinds.begin(), kinds.end(),
                     [&](const MemoryKind& kind) { return section == kind.name; });
}

constexpr const char* kMemories = "memories";
constexpr const char* legal_source = "where the value was published: one line of text";

/// Reads one TOML document into a Technology; holds what every message needs.
class Reader {
 public:
  Reader(const toml::table& root, const std::string& file) : root_(root), file_(file) {}

  Technology read() {
    const bool tabled = root_.contains(kMemories);
    for (const auto& [key, node] : root_) check_known(std::string(key.str()), node, tabled);
    read_name();
    for (const Figure& figure : figures()) {
      if (!tabled || !is_memory(figure.section)) read_figure(figure);
    }
    if (tabled) technology_.memories = read_memory_choice(*root_.get(kMemories), file_);
    return std::move(technology_);
  }

 private:
  void check_known(const std::string& key, const toml::node& node, bool tabled) const {
    if (key == "name" || key == kMemories) return;
    const auto& table = figures();
    if (std::none_of(table.begin(), table.end(), [&](const Figure& f) { return f.section == key; }))
      refuse_unknown(key, node);
    const toml::table* section = node.as_table();
    if (section == nullptr) throw UserError(file_, key, node_text(node), "a table of figures");
    for (const auto& [inner, value] : *section) {
      const std::string name(inner.str());
      const auto same = [&](const Figure& f) { return f.section == key && f.key == name; };
      if (std::none_of(table.begin(), table.end(), same)) refuse_unknown(key + "." + name, value);
    }
    if (tabled && is_memory(key)) {
      throw UserError(file_, key, node_text(node), "absent beside [memories]");
    }
  }

  [[noreturn]] void refuse_unknown(const std::string& path, const toml::node& node) const {
    // Sizes stood here once.
    const std::string place = "accelerator." + path;
    if (find_parameter(place) != nullptr)
      throw moved(file_, path, node_text(node), place + " of the configuration");
    std::vector<std::string> known = {"name"};
    for (const Figure& figure : figures()) known.push_back(figure.path());
    known.push_back(kMemories);
    throw UserError(file_, path, node_text(node),
                    fmt::format("no such figure; known: {}", fmt::join(known, ", ")));
  }

  void read_name() {
    static const std::regex legal(kNamePattern);
    const toml::node* node = root_.get("name");
    const auto value = node == nullptr ? std::nullopt : node->value_exact<std::string>();
    if (!value || !std::regex_match(*value, legal)) {
      throw UserError(file_, "name", node == nullptr ? "(absent)" : node_text(*node),
                      find_parameter("name")->legal());
    }
    technology_.name = *value;
  }

  void read_figure(const Figure& figure) {
    const toml::table* section = root_[figure.section].as_table();
    const toml::node* node = section == nullptr ? nullptr : section->get(figure.key);
    if (node == nullptr) throw UserError(file_, figure.path(), "(absent)", figure.legal());
    const toml::table* entry = node->as_table();
    if (entry == nullptr || entry->get("value") == nullptr) {
      throw UserError(file_, figure.path(), node_text(*node),
                      "{ value = " + figure.legal() + ", source = " + legal_source + " }");
    }
    for (const auto& [key, value] : *entry) {
      if (key.str() != "value" && key.str() != "source") {
        throw UserError(file_, figure.path() + "." + std::string(key.str()), node_text(value),
                        "only value and source");
      }
    }
    read_value(figure, *entry->get("value"));
    read_source(figure.path(), entry->get("source"));
  }

  void read_value(const Figure& figure, const toml::node& node) {
    const auto whole = node.value_exact<std::int64_t>();
    const auto real = whole ? static_cast<double>(*whole) : node.value_exact<double>();
    const bool legal =
        real && figure.least <= *real && *real <= figure.most && (whole || !figure.whole);
    if (!legal) throw UserError(file_, figure.path(), node_text(node), figure.legal());
    figure.set(technology_, *real);
  }

  void read_source(const std::string& path, const toml::node* node) {
    const auto value = node == nullptr ? std::nullopt : node->value_exact<std::string>();
    const bool blank = !value || value->find_first_not_of(" \t") == std::string::npos;
    if (blank || value->find('\n') != std::string::npos) {
      throw UserError(file_, path + ".source", node == nullptr ? "(absent)" : node_text(*node),
                      legal_source);
    }
    technology_.sources[path] = *value;
  }

  const toml::table& root_;
  const std::string& file_;
  Technology technology_;
};

}  // namespace

Technology parse_technology(std::string_view text, const std::string& file, const Config& config,
                            const TechnologyChanges& changes) {
  const toml::table root = parse_toml(text, file);
  Technology technology = Reader(root, file).read();
  technology.hash = hash_text(fnv1a(text));
  if (changes.clock_MHz) technology.clock_MHz = *changes.clock_MHz;
  std::optional<MemoryChoice> choice = technology.memories;
  if (!changes.memories.empty()) choice = changed_memories(choice, changes.memories, file);
  if (choice) take_memories(*choice, config, file, technology);
  check_cycle_times(technology, config, file);
  return technology;
}

Technology find_technology(const std::string& name, const Config& config,
                           const TechnologyChanges& changes) {
  const Document document = find_document(name, "--technology", technologies());
  return parse_technology(document.text, document.file, config, changes);
}

}  // namespace td::sim
