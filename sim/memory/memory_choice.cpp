// SPDX-License-Identifier: Apache-2.0
#include "sim/memory/memory_choice.hpp"

#include <regex>

#include "base/readers/toml_document.hpp"
#include "base/support/error.hpp"

namespace td::sim {

namespace {

constexpr const char* kLegal = "a table of table, node_nm, device and port_bits";

template <class Value>
Value read(const toml::table& table, const char* key, const std::string& file,
           const std::string& legal) {
  const toml::node* node = table.get(key);
  const auto value = node == nullptr ? std::nullopt : node->value_exact<Value>();
  if (value) return *value;
  throw UserError(file, std::string("memories.") + key,
                  node == nullptr ? "(absent)" : node_text(*node), legal);
}

}  // namespace

MemoryChoice read_memory_choice(const toml::node& node, const std::string& file) {
  const toml::table* table = node.as_table();
  if (table == nullptr) throw UserError(file, "memories", node_text(node), kLegal);
  MemoryChoice choice;
  choice.table = read<std::string>(*table, "table", file, "the name of a table of memories");
  choice.node_nm = read<std::int64_t>(*table, "node_nm", file, "an integer");
  choice.device = read<std::string>(*table, "device", file, "a device type of the table");
  choice.port_bits = read<std::int64_t>(*table, "port_bits", file, "an integer");
  for (const auto& [key, value] : *table) {
    const std::string_view name = key.str();
    if (name == "table" || name == "node_nm" || name == "device" || name == "port_bits") continue;
    throw UserError(file, "memories." + std::string(name), node_text(value), kLegal);
  }
  return choice;
}

MemoryChoice changed_memories(const std::optional<MemoryChoice>& choice, const std::string& text,
                              const std::string& file) {
  if (!choice) {
    throw UserError("command line", "--memories", text,
                    file + " states figures of its memories: a technology with [memories]");
  }
  static const std::regex form("([0-9]{1,9})/([a-z0-9_-]{1,32})/([0-9]{1,9})");
  std::smatch parts;
  if (!std::regex_match(text, parts, form)) {
    throw UserError("command line", "--memories", text, "NODE/DEVICE/PORT, as 45/itrs-lop/256");
  }
  return {choice->table, std::stoll(parts[1]), parts[2], std::stoll(parts[3])};
}

}  // namespace td::sim
