// SPDX-License-Identifier: Apache-2.0
#include "sim/gate/layout/lef.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstddef>
#include <sstream>

#include "base/support/error.hpp"
#include "base/support/text_file.hpp"

namespace td::gate {

namespace {

constexpr std::size_t kMaxBytes = std::size_t{1} << 30;
constexpr double kMost = 10000;  // um, of a cell and in it

/// Reads word by word; statements that it does not know are passed over.
class LefReader {
 public:
  LefReader(const std::string& path, std::string_view text)
      : path_(path), words_(std::string(text)) {}

  std::map<std::string, LefCell> read() {
    std::map<std::string, LefCell> cells;
    for (std::string word; words_ >> word;) {
      if (word != "MACRO") continue;
      const std::string name = next("a macro's name");
      read_cell(name, cells[name]);
    }
    if (cells.empty()) throw UserError(path_, "MACRO", "none", "a LEF file with cells");
    return cells;
  }

 private:
  std::string next(const std::string& legal) {
    std::string word;
    if (!(words_ >> word)) throw UserError(path_, "text", "ends", legal);
    return word;
  }

  double number(const std::string& field) {
    const std::string word = next("a number of " + field);
    std::istringstream text(word);
    double value = 0;
    if (!(text >> value) || !text.eof() || !(std::abs(value) <= kMost)) {
      throw UserError(path_, field, word, fmt::format("{}..{}, um", -kMost, kMost));
    }
    return value;
  }

  double size(const std::string& name) {
    const double value = number(name + " SIZE");
    if (value > 0) return value;
    throw UserError(path_, name + " SIZE", fmt::format("{}", value), "more than 0, um");
  }

  void read_cell(const std::string& name, LefCell& cell) {
    for (std::string word = next("END " + name); true; word = next("END " + name)) {
      if (word == "SIZE") {
        cell.size[kX] = size(name);
        next("BY");
        cell.size[kY] = size(name);
      } else if (word == "PIN") {
        const std::string pin = next("a pin's name");
        read_pin(name, pin, cell);
      } else if (word == "END" && is_end_of(name)) {
        return;
      }
    }
  }

  void read_pin(const std::string& name, const std::string& pin, LefCell& cell) {
    const std::string field = name + " " + pin + " RECT";
    for (std::string word = next("END " + pin); true; word = next("END " + pin)) {
      if (word == "RECT" && cell.pins.count(pin) == 0) {
        const double left = number(field), low = number(field);
        const double right = number(field), high = number(field);
        cell.pins[pin] = {(left + right) / 2, (low + high) / 2};
      } else if (word == "END" && is_end_of(pin)) {
        return;
      }
    }
  }

  /// Behind END. Ports and obstructions end without a name: what follows is the next statement.
  bool is_end_of(const std::string& name) {
    const auto here = words_.tellg();
    if (next("END " + name) == name) return true;
    words_.seekg(here);
    return false;
  }

  const std::string& path_;
  std::istringstream words_;
};

}  // namespace

std::map<std::string, LefCell> parse_lef(std::string_view text, const std::string& path) {
  return LefReader(path, text).read();
}

std::map<std::string, LefCell> read_lef(const std::string& path) {
  return parse_lef(read_text(path, "a readable LEF file", kMaxBytes), path);
}

}  // namespace td::gate
