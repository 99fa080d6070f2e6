// SPDX-License-Identifier: Apache-2.0
// A trace taken apart, to be changed and put together again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <random>
#include <string>

namespace td::verify {

/// The parts of a trace file; the JSON texts of the metadata are unpacked into the header.
struct Draft {
  nlohmann::json header;
  std::string data;
};

/// Nothing when the header is no JSON object.
std::optional<Draft> read_draft(const std::uint8_t* bytes, std::size_t size);

/// The header with the inner JSON packed into strings again.
std::string header_text(const Draft& draft);

/// Length, header and data as a file.
std::string file_bytes(const std::string& header, const std::string& data);

/// Changes one value of the header, at random: another number, type, name; gone, or there twice.
void edit(Draft& draft, std::mt19937& random);

/// Moves the bytes of one tensor, at random, by one or two.
void shift(Draft& draft, std::mt19937& random);

/// Makes shapes, offsets and data agree again, as far as the layers' parameters and the shapes of A
/// and W allow.
void make_fit(Draft& draft);

}  // namespace td::verify
