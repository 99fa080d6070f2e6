// SPDX-License-Identifier: Apache-2.0
// libFuzzer's mutator for TOML: half of the mutations are of numbers, lists and lines as wholes.
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <random>
#include <regex>
#include <string>
#include <vector>

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t most);

namespace {

/// Part of a text.
struct Span {
  std::size_t begin = 0;
  std::size_t size = 0;
};

std::vector<Span> find_all(const std::string& text, const std::regex& pattern) {
  std::vector<Span> spans;
  for (std::sregex_iterator i(text.begin(), text.end(), pattern), end; i != end; ++i) {
    spans.push_back(
        {static_cast<std::size_t>(i->position()), static_cast<std::size_t>(i->length())});
  }
  return spans;
}

/// Half of the time a neighbour of the old number, which is what finds limits that are off by one.
std::string other_number(const std::string& old, std::mt19937& random) {
  static const char* const numbers[] = {
      "0",   "1",   "2",          "-1",         "8",
      "16",  "64",  "65",         "255",        "1000",
      "0.5", "inf", "2147483648", "4294967296", "9223372036854775807"};
  if (old.size() > 9 || random() % 2 == 0) return numbers[random() % std::size(numbers)];
  return std::to_string(std::stol(old) + (random() % 2 == 0 ? 1 : -1));
}

void change_number(std::string& text, Span span, std::mt19937& random) {
  text.replace(span.begin, span.size, other_number(text.substr(span.begin, span.size), random));
}

/// Drops the part, or puts a copy in front of it.
void drop_or_double(std::string& text, Span span, const std::string& separator,
                    std::mt19937& random) {
  if (random() % 2 == 0) {
    text.erase(span.begin, span.size);
  } else {
    text.insert(span.begin, text.substr(span.begin, span.size) + separator);
  }
}

void edit(std::string& text, std::mt19937& random) {
  static const std::regex number("-?[0-9]{1,20}");
  static const std::regex list("\\[[^\\[\\]]{0,60}\\]");
  static const std::regex line("[^\\n]{0,80}\\n");
  const unsigned kind = random() % 4;
  const std::vector<Span> spans = find_all(text, kind < 2 ? number : kind == 2 ? list : line);
  if (spans.empty()) return;
  const Span span = spans[random() % spans.size()];
  if (kind < 2) {
    change_number(text, span, random);
  } else {
    drop_or_double(text, span, kind == 2 ? ", " : "", random);
  }
}

}  // namespace

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t most, unsigned seed) {
  std::mt19937 random(seed);
  if (random() % 2 == 0) {
    std::string text(reinterpret_cast<const char*>(data), size);
    for (unsigned edits = 1 + random() % 3; edits > 0; --edits) edit(text, random);
    if (text.size() <= most) return text.copy(reinterpret_cast<char*>(data), text.size());
  }
  return LLVMFuzzerMutate(data, size, most);
}
