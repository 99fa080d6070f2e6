// SPDX-License-Identifier: Apache-2.0
// libFuzzer's mutator for traces: edits the header as JSON and keeps length, offsets and data
// true, so that what is tested lies behind the first checks. Every fourth mutation is of the bytes.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <random>
#include <string>

#include "verify/fuzz/mutators/trace_edit.hpp"

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t most);

namespace {

using td::verify::Draft;

std::size_t put(const std::string& bytes, std::uint8_t* data) {
  return bytes.copy(reinterpret_cast<char*>(data), bytes.size());
}

/// The header's text mutated like any text.
void mutate_text(std::string& text) {
  const std::size_t size = text.size();
  text.resize(2 * size + 64);
  text.resize(LLVMFuzzerMutate(reinterpret_cast<std::uint8_t*>(text.data()), size, text.size()));
}

std::string mutate(Draft draft, std::mt19937& random) {
  const unsigned kind = random() % 8;
  for (unsigned edits = 1 + random() % 3; kind != 0 && edits > 0; --edits) {
    td::verify::edit(draft, random);
  }
  if (kind >= 3) td::verify::make_fit(draft);
  if (kind == 7 && !draft.header.empty()) td::verify::shift(draft, random);
  std::string header = td::verify::header_text(draft);
  if (kind == 0) mutate_text(header);
  return td::verify::file_bytes(header, draft.data);
}

}  // namespace

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t most, unsigned seed) {
  std::mt19937 random(seed);
  if (random() % 4 != 0) {
    if (std::optional<Draft> draft = td::verify::read_draft(data, size)) {
      const std::string bytes = mutate(std::move(*draft), random);
      if (bytes.size() <= most) return put(bytes, data);
    }
  }
  return LLVMFuzzerMutate(data, size, most);
}
