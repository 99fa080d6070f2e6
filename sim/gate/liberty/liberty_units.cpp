// SPDX-License-Identifier: Apache-2.0
// Numbers of a liberty file, and the units that it counts in.
#include "sim/gate/liberty/liberty_units.hpp"

#include <fmt/format.h>

#include <cctype>
#include <charconv>
#include <cmath>

#include "base/support/error.hpp"

namespace td::gate {

namespace {

constexpr std::string_view between = ", \t\r\n\f\v\\";

std::optional<double> parse_number(std::string_view text) {
  if (!text.empty() && text[0] == '+') text.remove_prefix(1);
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool all = error == std::errc() && end == text.data() + text.size();
  return all && std::isfinite(number) ? std::optional(number) : std::nullopt;
}

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(between);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(between) + 1 - first);
}

/// "1ns" as a number and a power of ten of the base (`s`), case ignored.
std::optional<Unit> parse_unit(std::string_view text, char base) {
  constexpr std::string_view digits = "+-.0123456789";
  const std::size_t letters = std::min(text.find_first_not_of(digits), text.size());
  const std::optional<double> number = parse_number(text.substr(0, letters));
  std::string name;
  for (const char c : trimmed(text.substr(letters)))
    name += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  if (!number || !(*number > 0) || name.empty() || name.back() != base) return std::nullopt;
  name.pop_back();
  constexpr std::string_view prefixes = "afpnumk";
  constexpr int exponents[] = {-18, -15, -12, -9, -6, -3, 3};
  const std::size_t prefix = name.empty() ? 0 : prefixes.find(name[0]);
  if (name.size() > 1 || prefix == std::string_view::npos) return std::nullopt;
  return Unit{*number, name.empty() ? 0 : exponents[prefix]};
}

/// `example` shows the form of the unit, and its last letter is the base.
Unit read_unit(std::string_view text, std::string_view example, const LibertyPlace& place) {
  const char base = static_cast<char>(std::tolower(static_cast<unsigned char>(example.back())));
  const std::optional<Unit> unit = parse_unit(trimmed(text), base);
  if (!unit) place.fail(text, fmt::format("a unit such as {}", example));
  return *unit;
}

}  // namespace

void LibertyPlace::fail(std::string_view value, const std::string& legal) const {
  throw UserError(path, field, value, legal);
}

std::string liberty_name(std::string_view text, const LibertyPlace& place) {
  if (text.empty() || !is_printable(text)) place.fail(text, "a name of printable characters");
  return std::string(text);
}

double liberty_number(std::string_view text, const LibertyPlace& place) {
  const std::optional<double> number = parse_number(trimmed(text));
  if (!number) place.fail(text, "a number");
  return *number;
}

double liberty_amount(std::string_view text, const LibertyPlace& place) {
  const std::optional<double> number = parse_number(trimmed(text));
  if (!number || *number < 0) place.fail(text, "a number, 0 or more");
  return *number;
}

std::vector<double> liberty_numbers(const std::vector<std::string_view>& values,
                                    const LibertyPlace& place) {
  std::vector<double> numbers;
  for (std::string_view text : values) {
    while (!(text = trimmed(text)).empty()) {
      const std::string_view number = text.substr(0, text.find_first_of(between));
      numbers.push_back(liberty_number(number, place));
      text.remove_prefix(number.size());
    }
  }
  return numbers;
}

double liberty_number_of(const LibertyGroup& group, std::string_view attribute, double missing,
                         const LibertyPlace& place) {
  if (group.find(attribute) == nullptr) return missing;
  const std::string field = fmt::format("{} {}", place.field, attribute);
  return liberty_number(group.value(attribute), {place.path, field});
}

double liberty_amount_of(const LibertyGroup& group, std::string_view attribute,
                         std::optional<double> missing, const LibertyPlace& place) {
  const bool given = group.find(attribute) != nullptr;
  if (!given && missing) return *missing;
  const std::string field = fmt::format("{} {}", place.field, attribute);
  return liberty_amount(given ? group.value(attribute) : "(absent)", {place.path, field});
}

double Unit::operator()(double value) const {
  const double product = value * number;
  return exponent < 0 ? product / std::pow(10, -exponent) : product * std::pow(10, exponent);
}

LibertyUnits read_units(const LibertyGroup& library, const std::string& path) {
  const auto read = [&](const std::string& field, std::string_view missing) {
    const bool given = library.find(field) != nullptr;
    return read_unit(given ? library.value(field) : missing, missing, {path, field});
  };
  LibertyUnits units;
  units.ns = read("time_unit", "1ns");
  units.ns.exponent += 9;
  units.uW = read("leakage_power_unit", "1nW");
  units.uW.exponent += 6;
  const Unit volt = read("voltage_unit", "1V");
  const std::string field = "capacitive_load_unit";
  std::string load = "1pF";
  if (const LibertyAttribute* given = library.find(field)) {
    load.clear();
    for (const std::string_view part : given->values) load += part;
  }
  units.pF = read_unit(load, "1pF", {path, field});
  units.pF.exponent += 12;
  units.pJ = {volt.number * volt.number * units.pF.number, 2 * volt.exponent + units.pF.exponent};
  return units;
}

}  // namespace td::gate
