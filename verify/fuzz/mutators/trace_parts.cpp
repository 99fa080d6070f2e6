// SPDX-License-Identifier: Apache-2.0
// Taking a trace file apart and putting it together.
#include "verify/fuzz/mutators/trace_edit.hpp"

namespace td::verify {

namespace {

using nlohmann::json;

constexpr std::size_t kLengthBytes = 8;
constexpr const char* kMetadata = "__metadata__";
constexpr const char* kPacked[] = {"layers", "snapshots"};

/// Values below the twelfth level are left out: nothing here should fill the stack.
json parse(const std::string& text) {
  constexpr int most = 12;
  const auto shallow = [](int depth, json::parse_event_t, const json&) { return depth < most; };
  return json::parse(text, shallow, false);
}

/// The metadata's value, or null when there is none.
json* metadata(json& header, const char* key) {
  const auto found = header.find(kMetadata);
  if (found == header.end() || !found->is_object() || !found->contains(key)) return nullptr;
  return &(*found)[key];
}

std::string text_of(const json& value) {
  return value.dump(-1, ' ', false, json::error_handler_t::ignore);
}

}  // namespace

std::optional<Draft> read_draft(const std::uint8_t* bytes, std::size_t size) {
  if (size < kLengthBytes) return std::nullopt;
  std::uint64_t length = 0;
  for (std::size_t i = kLengthBytes; i-- > 0;) length = length << 8U | bytes[i];
  if (length > size - kLengthBytes) return std::nullopt;
  const std::string rest(reinterpret_cast<const char*>(bytes) + kLengthBytes, size - kLengthBytes);
  Draft draft = {parse(rest.substr(0, length)), rest.substr(length)};
  if (!draft.header.is_object()) return std::nullopt;
  for (const char* key : kPacked) {
    json* packed = metadata(draft.header, key);
    if (packed == nullptr || !packed->is_string()) continue;
    const json inner = parse(packed->get<std::string>());
    if (inner.is_structured()) *packed = inner;
  }
  return draft;
}

std::string header_text(const Draft& draft) {
  json header = draft.header;
  for (const char* key : kPacked) {
    json* inner = metadata(header, key);
    if (inner != nullptr && inner->is_structured()) *inner = text_of(*inner);
  }
  return text_of(header);
}

std::string file_bytes(const std::string& header, const std::string& data) {
  std::string bytes;
  for (std::size_t i = 0; i < kLengthBytes; ++i) {
    bytes += static_cast<char>(header.size() >> (8 * i));
  }
  return bytes + header + data;
}

}  // namespace td::verify
