// SPDX-License-Identifier: Apache-2.0
#include "gen/verilog.hpp"

#include <fmt/ranges.h>

#include <algorithm>

namespace td {
namespace {

constexpr std::size_t kColumns = 100;

std::string connections_text(const Module::Connections& connections) {
  std::vector<std::string> words;
  for (const auto& [formal, actual] : connections) {
    words.push_back(
        fmt::format(".{}({}){}", formal, actual, words.size() + 1 < connections.size() ? "," : ""));
  }
  return wrap(words, kColumns, "      ");
}

}  // namespace

std::string_view generator_version() { return "0.1.0"; }

std::string range(int width) { return width == 0 ? "" : fmt::format("[{}:0] ", width - 1); }

std::string concatenation(const std::vector<std::string>& items) {
  return items.size() == 1 ? items.front() : fmt::format("{{{}}}", fmt::join(items, ", "));
}

std::string any_of(const std::vector<std::string>& items) {
  return fmt::format("{}", fmt::join(items, " | "));
}

std::string wrap(const std::vector<std::string>& words, std::size_t limit,
                 std::string_view indent) {
  std::string text(indent);
  std::size_t column = indent.size();
  for (const std::string& word : words) {
    const bool first = column == indent.size();
    if (!first && column + 1 + word.size() > limit) {
      text += fmt::format("\n{}{}", indent, word);
      column = indent.size() + word.size();
    } else {
      text += (first ? "" : " ") + word;
      column += word.size() + (first ? 0 : 1);
    }
  }
  return text;
}

std::string emitted_header(const Config& config, std::string_view purpose) {
  return fmt::format(
      "// {}\n"
      "// Emitted by TensorDash tdgen {} from configuration {} ({}).\n"
      "// Emitted files carry no licence terms of the generator: use them as your own.\n",
      purpose, generator_version(), config.name, config_hash_text(config));
}

Module::Module(const Config& config, std::string_view block, std::string_view purpose)
    : config_(config), block_(block), purpose_(purpose) {}

void Module::input(std::string name, int width, std::string text) {
  port({Direction::input, std::move(name), width, std::move(text)});
}

void Module::output(std::string name, int width, std::string text) {
  port({Direction::output, std::move(name), width, std::move(text)});
}

void Module::comment(std::string_view text) { append(fmt::format("\n  // {}", text)); }

void Module::append(std::string_view line) {
  body_ += line;
  body_ += '\n';
}

std::string Module::module_name(std::string_view block) const {
  return fmt::format("{}_{}", config_.name, block);
}

void Module::instance(std::string_view block, std::string_view instance_name,
                      const Connections& parameters, const Connections& ports) {
  std::string text = fmt::format("  {} ", module_name(block));
  if (!parameters.empty()) text += fmt::format("#(\n{}\n  ) ", connections_text(parameters));
  append(fmt::format("{}{} (\n{}\n  );", text, instance_name, connections_text(ports)));
}

std::string Module::text() const {
  std::size_t widest = 0;
  for (const Port& port : ports_) widest = std::max(widest, range(port.width).size());
  std::size_t longest = 0;
  for (const Port& port : ports_) longest = std::max(longest, port.name.size() + 1);

  std::string text = emitted_header(config_, purpose_);
  text += fmt::format("`default_nettype none\n\nmodule {} (\n", module_name(block_));
  for (const Port& port : ports_) {
    text +=
        fmt::format("    {} wire {:<{}}{:<{}}  // {}\n",
                    port.direction == Direction::input ? "input " : "output", range(port.width),
                    widest, port.name + (&port == &ports_.back() ? "" : ","), longest, port.text);
  }
  text += fmt::format(");\n{}endmodule\n\n`default_nettype wire\n", body_);
  return text;
}

}  // namespace td
