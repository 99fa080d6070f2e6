// SPDX-License-Identifier: Apache-2.0
// Transition times from timing analysis: the file of them.
#include "sim/gate/power/slews.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <string_view>

#include "base/support/error.hpp"
#include "base/support/text_file.hpp"

namespace td::gate {

namespace {

constexpr std::size_t max_bytes = std::size_t{1} << 30;

template <class Pins>
auto find_pin(Pins& pins, std::string_view name) {
  return std::find_if(pins.begin(), pins.end(), [&](const auto& slew) { return slew.pin == name; });
}

/// The words of a line; the last is empty when there are fewer, and has blanks when more.
std::array<std::string_view, 4> split(std::string_view line) {
  constexpr std::string_view blanks = " \t\r";
  std::array<std::string_view, 4> words;
  for (std::size_t i = 0; i < words.size(); ++i) {
    line.remove_prefix(std::min(line.find_first_not_of(blanks), line.size()));
    words[i] = i + 1 < words.size() ? line.substr(0, line.find_first_of(blanks)) : line;
    line.remove_prefix(words[i].size());
  }
  std::string_view& last = words.back();
  last.remove_suffix(last.size() - std::min(last.find_last_not_of(blanks) + 1, last.size()));
  return words;
}

}  // namespace

Slews Slews::read(const std::string& path, double fallback_ns) {
  const std::string text = read_text(path, "a readable file of slews", max_bytes);
  Slews slews(fallback_ns);
  std::string_view rest = text;
  for (int number = 1; !rest.empty(); ++number) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
    const auto [module, instance, pin, value] = split(line);
    double ns = -1;
    const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), ns);
    const bool legal = error == std::errc() && end == value.data() + value.size();
    if (!legal || !std::isfinite(ns) || ns < 0) {
      throw UserError(path, fmt::format("line {}", number), line,
                      "MODULE INSTANCE PIN SLEW_NS, the slew not negative");
    }
    PinSlews& pins = slews.modules_[std::string(module)][std::string(instance)];
    if (find_pin(pins, pin) != pins.end())
      throw UserError(path, fmt::format("line {}", number), line, "each pin once");
    pins.push_back({std::string(pin), ns});
  }
  return slews;
}

const Slews::PinSlews* Slews::find(const std::string& module, const std::string& instance) const {
  const auto in_module = modules_.find(module);
  if (in_module == modules_.end()) return nullptr;
  const auto found = in_module->second.find(instance);
  return found == in_module->second.end() ? nullptr : &found->second;
}

double Slews::at(const std::string& module, const std::string& instance,
                 const std::string& pin) const {
  const PinSlews* pins = find(module, instance);
  if (pins == nullptr) return fallback_ns_;
  const auto found = find_pin(*pins, pin);
  return found == pins->end() ? fallback_ns_ : found->ns;
}

}  // namespace td::gate
