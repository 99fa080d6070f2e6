// SPDX-License-Identifier: Apache-2.0
// The text format of Berkeley TestFloat's vectors, for functions of two binary32 operands.
#include "verify/leaf/testfloat.hpp"

#include <fmt/format.h>

#include <charconv>
#include <string_view>
#include <utility>
#include <vector>

#include "base/support/error.hpp"

namespace td::leaf {

namespace {

std::vector<std::string_view> split(std::string_view line) {
  std::vector<std::string_view> fields;
  while (true) {
    const std::size_t begin = line.find_first_not_of(' ');
    if (begin == std::string_view::npos) return fields;
    line.remove_prefix(begin);
    const std::string_view field = line.substr(0, line.find(' '));
    fields.push_back(field);
    line.remove_prefix(field.size());
  }
}

/// A field of exactly `digits` digits and at most `largest`; throws UserError.
std::uint32_t number(const std::string& place, std::string_view name, std::string_view field,
                     std::size_t digits, std::uint32_t largest, std::string_view legal) {
  std::uint32_t value = 0;
  const auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), value, 16);
  if (error != std::errc() || end != field.data() + field.size() || field.size() != digits ||
      value > largest) {
    throw UserError(place, name, field, legal);
  }
  return value;
}

}  // namespace

TestVectorReader::TestVectorReader(std::istream& stream, std::string name)
    : stream_(stream), name_(std::move(name)) {}

std::optional<TestVector> TestVectorReader::next() {
  std::string line;
  if (!std::getline(stream_, line)) {
    if (stream_.bad()) throw UserError(name_, "read", "failed", "a readable file or pipe");
    return std::nullopt;
  }
  ++line_;
  if (!line.empty() && line.back() == '\r') line.pop_back();
  const std::string place = fmt::format("{}: line {}", name_, line_);
  const std::vector<std::string_view> fields = split(line);
  if (line_ == 1) fields_ = fields.size();
  if (fields_ != 2 && fields_ != 4) {
    throw UserError(place, "fields", fmt::format("{}", fields.size()),
                    "4 (a, b, result, flags), or 2 (a, b)");
  }
  if (fields.size() != fields_) {
    throw UserError(place, "fields", fmt::format("{}", fields.size()),
                    fmt::format("{}, as on line 1", fields_));
  }
  const auto value = [&](std::string_view name, std::string_view field) {
    return number(place, name, field, 8, 0xffffffff, "8 hexadecimal digits");
  };
  TestVector vector{{value("operand a", fields[0]), value("operand b", fields[1])}, {}};
  if (fields_ == 4) {
    const std::uint32_t result = value("result", fields[2]);
    vector.expected = {result,
                       number(place, "flags", fields[3], 2, 0x1f, "2 hexadecimal digits, 00..1F")};
  }
  return vector;
}

std::string test_vector_line(Operands operands, exact::Rounded expected) {
  return fmt::format("{:08X} {:08X} {:08X} {:02X}\n", operands.a, operands.b, expected.bits,
                     expected.flags);
}

}  // namespace td::leaf
