// SPDX-License-Identifier: Apache-2.0
// Reads Yosys JSON event by event: most of such a file (attributes, sources of nets) is not kept.
#include "sim/gate/netlist/yosys_json.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <limits>
#include <nlohmann/json.hpp>
#include <string_view>
#include <unordered_set>
#include <utility>

#include "base/support/error.hpp"
#include "base/support/text_file.hpp"

namespace td::gate {

namespace {

using nlohmann::json;

constexpr std::size_t max_bytes = std::size_t{1} << 31;

/// Where in the file an event is, by open objects:
/// {"modules": {M: {"cells": {C: {"connections": {P: [ .
enum Depth : std::size_t {
  in_file = 1,
  in_modules,
  in_module,
  in_section,  ///< of a module: attributes, ports, cells, netnames …
  in_item,     ///< a port, a cell
  in_member    ///< a port's bits, a cell's connections
};

/// Receives the parser's events (nlohmann's SAX interface).
class Reader : public nlohmann::json_sax<json> {
 public:
  explicit Reader(const std::string& file) : file_(file) {}

  bool found_modules() const { return found_modules_; }
  std::vector<YosysModule> take() { return std::move(modules_); }

  bool start_object(std::size_t) override {
    keys_.emplace_back();
    if (depth() == in_modules && in_modules_object() && arrays_ == 0) found_modules_ = true;
    return true;
  }

  bool end_object() override {
    keys_.pop_back();
    return true;
  }

  bool start_array(std::size_t) override {
    if (arrays_++ == 0) array_depth_ = depth();
    return true;
  }

  bool end_array() override {
    --arrays_;
    return true;
  }

  bool key(string_t& name) override {
    keys_.back() = name;
    if (!in_modules_object() || arrays_ > 0) return true;
    if (depth() == in_modules) start_module(name);
    if (depth() == in_module && name == "cells") cell_names_.clear();
    if (depth() == in_section && section() == "attributes" && name == "blackbox")
      modules_.back().blackbox = true;
    if (depth() == in_section && section() == "ports") start_port(name);
    if (depth() == in_section && section() == "cells") start_cell(name);
    if (depth() == in_section && section() == "netnames") {
      named_ = name.find('$') == std::string::npos;
      if (named_) modules_.back().names.push_back({name, {}});
    }
    if (in_connections()) modules_.back().cells.back().connections.push_back({name, {}});
    return true;
  }

  bool string(string_t& text) override {
    if (!in_modules_object()) return true;
    if (bit_array()) return bit(constant(text));
    if (depth() != in_item || arrays_ > 0) return true;
    if (section() == "ports" && keys_.back() == "direction")
      modules_.back().ports.back().direction = direction(text);
    if (section() == "cells" && keys_.back() == "type") modules_.back().cells.back().type = text;
    return true;
  }

  bool number_unsigned(number_unsigned_t number) override {
    if (!in_modules_object() || !bit_array()) return true;
    if (number < 2 || number > std::numeric_limits<YosysBit>::max())
      refuse(fmt::format("{}", number), "numbers of nets from 2, \"0\", \"1\" and \"x\"");
    return bit(static_cast<YosysBit>(number));
  }

  bool number_integer(number_integer_t number) override { return other(fmt::format("{}", number)); }
  bool number_float(number_float_t, const string_t& text) override { return other(text); }
  bool null() override { return other("null"); }
  bool boolean(bool value) override { return other(value ? "true" : "false"); }
  bool binary(binary_t&) override { return true; }

  bool parse_error(std::size_t byte, const std::string&, const json::exception&) override {
    throw UserError(file_, "netlist", fmt::format("text broken at byte {}", byte),
                    "JSON that Yosys wrote (write_json)");
  }

 private:
  std::size_t depth() const { return keys_.size(); }
  const std::string& section() const { return keys_[in_module - 1]; }
  const std::string& member() const { return keys_[in_item - 1]; }
  bool in_modules_object() const { return depth() >= in_modules && keys_[0] == "modules"; }

  bool in_connections() const {
    return depth() == in_member && section() == "cells" && member() == "connections";
  }

  /// What is open is a port's or a connection's list of bits.
  bool bit_array() const {
    if (arrays_ != 1 || array_depth_ != depth()) return false;
    if (in_connections()) return true;
    const bool of_item = section() == "ports" || (section() == "netnames" && named_);
    return depth() == in_item && of_item && member() == "bits";
  }

  bool bit(YosysBit value) {
    YosysModule& module = modules_.back();
    if (section() == "ports") {
      module.ports.back().bits.push_back(value);
    } else if (section() == "netnames") {
      module.names.back().bits.push_back(value);
    } else {
      module.cells.back().connections.back().bits.push_back(value);
    }
    return true;
  }

  YosysBit constant(const std::string& text) const {
    // A name may be of what nothing drives, "z": it joins nothing.
    if (text == "0" || text == "x" || section() == "netnames") return 0;
    if (text != "1") refuse(text, "\"0\", \"1\", \"x\" or the number of a net");
    return 1;
  }

  PinDirection direction(const std::string& text) const {
    if (text != "input" && text != "output" && !modules_.back().blackbox)
      refuse(text, "input or output");
    return text == "input" ? PinDirection::input : PinDirection::output;
  }

  void start_module(const std::string& name) {
    if (!module_names_.insert(name).second)
      throw UserError(file_, "module", name + " twice", "every module once");
    modules_.push_back({name, file_, false, {}, {}, {}});
  }

  void start_port(const std::string& name) {
    for (const YosysPort& port : modules_.back().ports) {
      if (port.name == name) refuse("twice", "every port once");
    }
    modules_.back().ports.push_back({name, PinDirection::input, {}});
  }

  void start_cell(const std::string& name) {
    if (!cell_names_.insert(name).second) refuse("twice", "every cell once");
    modules_.back().cells.push_back({name, {}, {}});
  }

  /// A value that is none of a netlist's, and harmless outside of it.
  bool other(const std::string& text) const {
    if (in_modules_object() && bit_array())
      refuse(text, "numbers of nets from 2, \"0\", \"1\", \"x\"");
    return true;
  }

  [[noreturn]] void refuse(const std::string& value, const std::string& legal) const {
    std::string field;
    for (std::size_t i = 1; i < keys_.size(); ++i) field += (i > 1 ? "." : "") + keys_[i];
    throw UserError(file_, field, value, legal);
  }

  const std::string& file_;
  bool found_modules_ = false;
  std::vector<YosysModule> modules_;
  std::unordered_set<std::string> module_names_;
  std::unordered_set<std::string> cell_names_;  ///< of the last module
  std::vector<std::string> keys_;               ///< the last key of each open object
  bool named_ = false;                          ///< the last net has a name of its own
  int arrays_ = 0;                              ///< that are open
  std::size_t array_depth_ = 0;                 ///< open objects around the outermost of them
};

}  // namespace

std::vector<YosysModule> read_yosys_json(const std::string& path) {
  const char* const legal = "a readable netlist that Yosys wrote (write_json)";
  const std::string text = read_text(path, legal, max_bytes);
  Reader reader(path);
  json::sax_parse(text, &reader);
  if (!reader.found_modules())
    throw UserError(path, "netlist", "JSON without an object \"modules\"",
                    "a netlist that Yosys wrote (write_json)");
  return reader.take();
}

}  // namespace td::gate
