// SPDX-License-Identifier: Apache-2.0
// libFuzzer's mutator for JSON: three quarters of the mutations are of values as wholes.
#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <random>
#include <string>

#include "verify/fuzz/mutators/json_edit.hpp"

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t most);

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t most, unsigned seed) {
  using nlohmann::json;
  std::mt19937 random(seed);
  if (random() % 4 != 0) {
    json value = json::parse(data, data + size, nullptr, false);
    if (value.is_structured()) {
      for (unsigned edits = 1 + random() % 3; edits > 0; --edits) {
        td::verify::edit_value(value, random);
      }
      const std::string text = value.dump(-1, ' ', false, json::error_handler_t::ignore);
      if (text.size() <= most) return text.copy(reinterpret_cast<char*>(data), text.size());
    }
  }
  return LLVMFuzzerMutate(data, size, most);
}
