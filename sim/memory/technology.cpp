// SPDX-License-Identifier: Apache-2.0
// Reading of technologies through the one table of their figures.
#include "sim/memory/technology.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <regex>
#include <variant>
#include <vector>

#include "gen/base/error.hpp"
#include "gen/base/hash.hpp"
#include "gen/readers/document.hpp"
#include "gen/readers/toml_document.hpp"
#include "sim/memory/embedded.hpp"

namespace td::sim {

namespace {

using Integer = std::int64_t Technology::*;
using Real = double Technology::*;

/// A number of the file: `section.key = { value = ..., source = "..." }`.
struct Figure {
  const char* section;
  const char* key;
  std::variant<Integer, Real> member;
  double least;
  double most;

  std::string path() const { return fmt::format("{}.{}", section, key); }
  std::string legal() const {
    return fmt::format("{} of {}..{}", member.index() == 0 ? "an integer" : "a number", least,
                       most);
  }
};

// Smallest bank: two rows of 64 binary32 operands, so that a half of it holds one. The bounds of
// the clock and of the DRAM keep the products of dram_cycles() within 63 bits.
constexpr double min_bank_bytes = 512;
constexpr double min_pJ = 0.000001;
constexpr double max_pJ = 1000000;

const std::vector<Figure>& figures() {
  using T = Technology;
  static const std::vector<Figure> table = {
      {"clock", "MHz", &T::clock_MHz, 1, 5000},
      {"sram", "banks", &T::sram_banks, 1, 1024},
      {"sram", "bank_bytes", &T::sram_bank_bytes, min_bank_bytes, 1073741824},
      {"sram", "read_pJ_per_byte", &T::sram_read_pJ_per_byte, min_pJ, max_pJ},
      {"sram", "write_pJ_per_byte", &T::sram_write_pJ_per_byte, min_pJ, max_pJ},
      {"scratchpad", "bank_bytes", &T::scratchpad_bank_bytes, min_bank_bytes, 1048576},
      {"scratchpad", "read_pJ_per_byte", &T::scratchpad_read_pJ_per_byte, min_pJ, max_pJ},
      {"scratchpad", "write_pJ_per_byte", &T::scratchpad_write_pJ_per_byte, min_pJ, max_pJ},
      {"transposer", "count", &T::transposer_count, 1, 65536},
      {"transposer", "buffer_bytes", &T::transposer_buffer_bytes, 16, 1048576},
      {"transposer", "read_pJ_per_byte", &T::transposer_read_pJ_per_byte, min_pJ, max_pJ},
      {"transposer", "write_pJ_per_byte", &T::transposer_write_pJ_per_byte, min_pJ, max_pJ},
      {"dram", "MT_per_s", &T::dram_MT_per_s, 1, 20000},
      {"dram", "channels", &T::dram_channels, 1, 1024},
      {"dram", "channel_bits", &T::dram_channel_bits, 1, 1024},
      {"dram", "efficiency_percent", &T::dram_efficiency_percent, 1, 100},
      {"dram", "pJ_per_bit", &T::dram_pJ_per_bit, min_pJ, max_pJ},
      {"compute", "fp32_mac_pJ", &T::fp32_mac_pJ, min_pJ, max_pJ},
      {"compute", "bf16_mac_pJ", &T::bf16_mac_pJ, min_pJ, max_pJ},
      {"compute", "fp16_mac_pJ", &T::fp16_mac_pJ, min_pJ, max_pJ},
      {"gating", "zero_share", &T::gating_zero_share, 0, 1},
  };
  return table;
}

constexpr const char* legal_source = "where the value was published: one line of text";

/// Reads one TOML document into a Technology; holds what every message needs.
class Reader {
 public:
  Reader(const toml::table& root, const std::string& file) : root_(root), file_(file) {}

  Technology read() {
    for (const auto& [key, node] : root_) check_known(std::string(key.str()), node);
    read_name();
    for (const Figure& figure : figures()) read_figure(figure);
    return std::move(technology_);
  }

 private:
  void check_known(const std::string& key, const toml::node& node) const {
    if (key == "name") return;
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
  }

  [[noreturn]] void refuse_unknown(const std::string& path, const toml::node& node) const {
    std::vector<std::string> known = {"name"};
    for (const Figure& figure : figures()) known.push_back(figure.path());
    throw UserError(file_, path, node_text(node),
                    fmt::format("no such figure; known: {}", fmt::join(known, ", ")));
  }

  void read_name() {
    static const std::regex legal("[a-z][a-z0-9_]{0,31}");
    const toml::node* node = root_.get("name");
    const auto value = node == nullptr ? std::nullopt : node->value_exact<std::string>();
    if (!value || !std::regex_match(*value, legal)) {
      throw UserError(file_, "name", node == nullptr ? "(absent)" : node_text(*node),
                      "a lower-case letter, then at most 31 of a-z, 0-9 and _");
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
    const bool integer = std::holds_alternative<Integer>(figure.member);
    const bool legal = real && figure.least <= *real && *real <= figure.most && (whole || !integer);
    if (!legal) throw UserError(file_, figure.path(), node_text(node), figure.legal());
    if (integer) {
      technology_.*std::get<Integer>(figure.member) = *whole;
    } else {
      technology_.*std::get<Real>(figure.member) = *real;
    }
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

double Technology::mac_pJ(Format format) const {
  return format == Format::fp32 ? fp32_mac_pJ : format == Format::bf16 ? bf16_mac_pJ : fp16_mac_pJ;
}

Technology parse_technology(std::string_view text, const std::string& file) {
  const toml::table root = parse_toml(text, file);
  Technology technology = Reader(root, file).read();
  technology.hash = hash_text(fnv1a(text));
  return technology;
}

Technology find_technology(const std::string& name, const std::string& option) {
  const Document document = find_document(name, option, technologies());
  return parse_technology(document.text, document.file);
}

}  // namespace td::sim
