// SPDX-License-Identifier: Apache-2.0
// Reads lines of trace,snapshot,layer,op,tile_rows,tile_cols,scheduled,dense_cycles,
// tensordash_cycles.
#include "verify/authors/figures.hpp"

#include <fmt/format.h>

#include <charconv>
#include <fstream>
#include <sstream>

#include "base/support/error.hpp"

namespace td::authors {
namespace {

constexpr const char* kHeader =
    "trace,snapshot,layer,op,tile_rows,tile_cols,scheduled,dense_cycles,tensordash_cycles";

/// The fields of one line, taken in their order.
class Fields {
 public:
  Fields(const std::string& line, std::string place) : stream_(line), place_(std::move(place)) {}

  std::string text() {
    std::string field;
    if (!std::getline(stream_, field, ',')) fail("line", "", "9 fields");
    return field;
  }

  std::int64_t number() {
    const std::string field = text();
    std::int64_t value = 0;
    const char* end = field.data() + field.size();
    const auto [rest, error] = std::from_chars(field.data(), end, value);
    if (error != std::errc{} || rest != end || value < 1) fail("count", field, "1 or more");
    return value;
  }

  sim::Op op() {
    const std::string field = text();
    for (const sim::Op op : {sim::Op::fwd, sim::Op::dgrad, sim::Op::wgrad}) {
      if (field == sim::to_string(op)) return op;
    }
    fail("op", field, "fwd, dgrad, wgrad");
  }

  void scheduled(sim::Op op, Cost& cost) {
    const std::string field = text();
    for (const bool first : {false, true}) {
      for (const bool second : {false, true}) {
        cost.first = first;
        cost.second = second;
        if ((first || second) && field == scheduled_text(op, cost)) return;
      }
    }
    fail("scheduled", field, "an operand of the operation, or both joined by +");
  }

 private:
  [[noreturn]] void fail(const std::string& field, const std::string& value,
                         const std::string& legal) const {
    throw UserError(place_, field, value, legal);
  }

  std::istringstream stream_;
  std::string place_;
};

Figure read_figure(Fields fields) {
  Figure figure;
  figure.trace = fields.text();
  figure.snapshot = fields.text();
  figure.layer = fields.text();
  figure.op = fields.op();
  figure.tile.rows = static_cast<int>(fields.number());
  figure.tile.columns = static_cast<int>(fields.number());
  fields.scheduled(figure.op, figure.cost);
  figure.cost.dense_cycles = fields.number();
  figure.cost.cycles = fields.number();
  return figure;
}

}  // namespace

std::vector<Figure> read_figures(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw UserError(fmt::format("{}: cannot be read", path));
  std::string line;
  if (!std::getline(file, line) || line != kHeader) {
    throw UserError(path, "header", line, kHeader);
  }
  std::vector<Figure> figures;
  while (std::getline(file, line)) {
    const std::size_t number = figures.size() + 2;
    figures.push_back(read_figure(Fields(line, fmt::format("{}:{}", path, number))));
  }
  return figures;
}

std::string name_of(const Figure& figure) {
  return fmt::format("{}/{}/{} {} {}x{}", figure.trace, figure.snapshot, figure.layer,
                     sim::to_string(figure.op), figure.tile.rows, figure.tile.columns);
}

std::string scheduled_text(sim::Op op, const Cost& cost) {
  std::string text;
  if (cost.first) text += sim::to_string(sim::operand(op, sim::Which::first));
  if (cost.first && cost.second) text += "+";
  if (cost.second) text += sim::to_string(sim::operand(op, sim::Which::second));
  return text;
}

}  // namespace td::authors
