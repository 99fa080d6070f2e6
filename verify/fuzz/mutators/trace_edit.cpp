// SPDX-License-Identifier: Apache-2.0
// Random changes of single values of a trace's header.
#include "verify/fuzz/mutators/trace_edit.hpp"

#include "verify/fuzz/mutators/json_edit.hpp"

namespace td::verify {

using nlohmann::json;

void shift(Draft& draft, std::mt19937& random) {
  json& tensor = *any_child(draft.header, random);
  if (!tensor.is_object() || !tensor.contains("data_offsets")) return;
  const std::uint64_t distance = std::uint64_t{random() % 5} - 2;  // -2…2, modulo 2^64
  for (json& offset : tensor["data_offsets"]) {
    if (offset.is_number_unsigned()) offset = offset.get<std::uint64_t>() + distance;
  }
}

void edit(Draft& draft, std::mt19937& random) { edit_value(draft.header, random); }

}  // namespace td::verify
