// SPDX-License-Identifier: Apache-2.0
#include "gen/design/verilog_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace td {
namespace {

constexpr std::size_t kColumns = 100;

/// A table of eight bits each as a localparam, the first entry in the low bits.
std::string table(const std::string& name, std::vector<int> values) {
  std::reverse(values.begin(), values.end());
  std::vector<std::string> words;
  for (int value : values) words.push_back(fmt::format("8'd{}", value));
  const std::string start = fmt::format("  localparam [{}:0] {} = {{", 8 * values.size() - 1, name);
  const std::string one_line = fmt::format("{}{}}};\n", start, fmt::join(words, ", "));
  if (one_line.size() <= kColumns) return one_line;
  return fmt::format("{}\n{}\n  }};\n", start, wrapped(words, "      ", ","));
}

}  // namespace

std::string wrapped(const std::vector<std::string>& words, const std::string& indent,
                    const std::string& separator) {
  std::string text = indent;
  std::size_t column = indent.size();
  for (const std::string& word : words) {
    const bool last = &word == &words.back();
    const std::size_t space = column == indent.size() ? 0 : 1;
    const std::size_t size = word.size() + (last ? 0 : separator.size());
    if (space == 1 && column + space + size > kColumns) {
      text += "\n" + indent;
      column = indent.size();
    } else {
      text += std::string(space, ' ');
      column += space;
    }
    text += word + (last ? "" : separator);
    column += size;
  }
  return text;
}

std::string connections(const std::vector<Port>& ports) {
  std::vector<std::string> words;
  for (const Port& port : ports) words.push_back(fmt::format(".{0}({0})", port.name));
  return wrapped(words, "      ", ",");
}

std::string emit_tables(const Config& config) {
  std::vector<int> steps;
  std::vector<int> offsets;
  std::vector<int> levels(static_cast<std::size_t>(config.lanes));
  std::vector<std::string> options;
  for (Option option : config.options) {
    steps.push_back(option.step);
    offsets.push_back(source_lane(0, option, config.lanes));
    options.push_back(to_string(option));
  }
  for (std::size_t level = 0; level < config.levels.size(); ++level) {
    for (int lane : config.levels[level]) {
      levels[static_cast<std::size_t>(lane)] = static_cast<int>(level);
    }
  }
  options.front().insert(0, "Options, (rows ahead,lanes up) in order of priority: ");
  return wrapped(options, "  // ", "") + "\n  // Each table begins in the low bits.\n" +
         table("STEP", steps) + table("OFFSET", offsets) + table("LEVEL", levels) + "\n";
}

}  // namespace td
