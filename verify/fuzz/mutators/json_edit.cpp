// SPDX-License-Identifier: Apache-2.0
// Random changes of single values.
#include "verify/fuzz/mutators/json_edit.hpp"

#include <cstdint>
#include <iterator>

namespace td::verify {

namespace {

using nlohmann::json;

template <std::size_t size>
json pick(const json (&values)[size], std::mt19937& random) {
  return values[random() % size];
}

json any_number(std::mt19937& random) {
  static const json numbers[] = {
      0,           1,    2,           3,           4,     5,          7,
      16,          -1,   0.5,         255,         65536, 2147483647, 2147483648U,
      4294967296U, 1e30, 1ULL << 62U, 1ULL << 63U, ~0ULL, 1e-320,     4611686018427387905ULL};
  return pick(numbers, random);
}

/// Values of other kinds, with names that a terminal would obey.
json any_value(std::mt19937& random) {
  static const json values[] = {
      nullptr,  true,   false, "",         "a",         "s/x",         "A",           "linear",
      "conv2d", "BF16", "F32", "\x1b[31m", "\u009b31m", json::array(), json::object()};
  return random() % 2 == 0 ? any_number(random) : pick(values, random);
}

/// Often a neighbour of the old number, which is what finds limits that are off by one.
json other_number(const json& number, std::mt19937& random) {
  if (!number.is_number_unsigned()) return any_number(random);
  const auto value = number.get<std::uint64_t>();
  switch (random() % 6) {
    case 0:
      return value + 1;
    case 1:
      return value - 1;
    case 2:
      return value * 2;
    case 3:
      return random() % 12;
    default:
      return any_number(random);
  }
}

void drop_or_double(json& value, std::mt19937& random) {
  const auto child = any_child(value, random);
  const json copy = *child;
  if (random() % 2 == 0) {
    value.erase(child);
  } else if (value.is_array()) {
    value.push_back(copy);
  } else {
    value[child.key() + static_cast<char>('a' + random() % 26)] = copy;
  }
}

}  // namespace

json::iterator any_child(json& value, std::mt19937& random) {
  return std::next(value.begin(), static_cast<std::ptrdiff_t>(random() % value.size()));
}

void edit_value(json& value, std::mt19937& random) {
  const bool container = value.is_structured() && !value.empty();
  if (container && random() % 8 != 0) {
    edit_value(*any_child(value, random), random);
  } else if (container && random() % 4 != 0) {
    drop_or_double(value, random);
  } else if (value.is_number() && random() % 8 != 0) {
    value = other_number(value, random);
  } else {
    value = any_value(random);
  }
}

}  // namespace td::verify
