// SPDX-License-Identifier: Apache-2.0
// What every fuzz target shares: the entry point, and what must hold whatever the input.
#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

#include "base/support/error.hpp"

/// Runs one input: libFuzzer calls it, or corpus_main.cpp for every file of the corpus. Anything
/// thrown is a finding.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace td::verify {

/// The name that targets give their input in messages.
inline constexpr const char* kInputName = "input";

/// Throws when what must hold does not.
inline void must(bool holds, std::string_view rule) {
  if (!holds) throw std::logic_error("broken: " + std::string(rule));
}

/// A refusal must be one short line of valid UTF-8, without characters that a terminal obeys.
void check_message(std::string_view message);

/// The same for a text that comes from the input and that programs print.
void check_printable(std::string_view text, const std::string& what);

/// Runs a target's checks of one input; what the reader refuses, it must refuse well.
template <class Check>
int judge(const Check& check) {
  try {
    check();
  } catch (const UserError& error) {
    check_message(error.what());
  }
  return 0;
}

/// The input as the text of a file.
inline std::string_view text_of(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

}  // namespace td::verify
