// SPDX-License-Identifier: Apache-2.0
// Liberty's notation: recursive descent over the text, without copies.
#include "sim/gate/liberty/liberty_syntax.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/support/error.hpp"

namespace td::gate {

namespace {

/// The C library's isspace() without its locale, which shows over megabytes.
constexpr bool is_space(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v';
}

constexpr bool is_word(char c) {
  return !is_space(c) && std::string_view("(){}:;,\"\\").find(c) == std::string_view::npos;
}

class LibertyParser {
 public:
  LibertyParser(std::string_view text, const std::string& path) : text_(text), path_(&path) {}

  LibertyGroup parse() {
    const std::string legal = "a liberty file, not compressed: library (NAME) { ... }";
    skip();
    const std::size_t start = at_;
    LibertyGroup library;
    library.type = word();
    if (library.type != "library" || !take('(')) fail(start, legal);
    library.names = values();
    if (!take('{')) fail(start, legal);
    body(library, 0);
    library.text = text_.substr(start, at_ - start);
    take(';');
    skip();
    if (at_ < text_.size()) fail(at_, "the end of the file after its one library");
    return library;
  }

 private:
  /// Says what stands at an offset.
  [[noreturn]] void fail(std::size_t offset, const std::string& legal) const {
    const auto line =
        1 + std::count(text_.begin(), text_.begin() + static_cast<long>(offset), '\n');
    const std::string_view rest = text_.substr(offset);
    const std::string_view shown = rest.substr(0, std::min(rest.find('\n'), std::size_t{60}));
    throw UserError(*path_, fmt::format("line {}", line), rest.empty() ? "end of file" : shown,
                    legal);
  }

  bool starts(std::string_view token) const { return text_.substr(at_, token.size()) == token; }

  /// Moves past the next `end`, or fails.
  void skip_past(std::string_view end, const std::string& legal) {
    const std::size_t start = at_;
    const std::size_t found = text_.find(end, at_ + end.size());
    if (found == std::string_view::npos) fail(start, legal);
    at_ = found + end.size();
  }

  /// Skips blanks, comments and backslashes before a line's end.
  void skip() {
    while (at_ < text_.size()) {
      if (is_space(text_[at_]) || (text_[at_] == '\\' && at_ + 1 < text_.size() &&
                                   (text_[at_ + 1] == '\n' || text_[at_ + 1] == '\r'))) {
        ++at_;
      } else if (starts("/*")) {
        skip_past("*/", "a comment that ends: */");
      } else if (starts("//")) {
        at_ = std::min(text_.find('\n', at_), text_.size());
      } else {
        return;
      }
    }
  }

  bool take(char c) {
    skip();
    if (at_ == text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }

  std::string_view word() {
    skip();
    const std::size_t start = at_;
    while (at_ < text_.size() && is_word(text_[at_])) ++at_;
    return text_.substr(start, at_ - start);
  }

  /// After its opening quote, which was at `at_ - 1`.
  std::string_view quoted() {
    const std::size_t start = at_;
    std::size_t end = text_.find('"', at_);
    while (end != std::string_view::npos && text_[end - 1] == '\\') end = text_.find('"', end + 1);
    if (end == std::string_view::npos) fail(start - 1, "a text that ends: \"");
    at_ = end + 1;
    return text_.substr(start, end - start);
  }

  /// The values up to the closing parenthesis; commas and blanks both separate.
  std::vector<std::string_view> values() {
    std::vector<std::string_view> result;
    while (!take(')')) {
      if (take(',')) continue;
      const std::size_t start = at_;
      result.push_back(take('"') ? quoted() : word());
      if (at_ == start) fail(start, "values in parentheses");
    }
    return result;
  }

  /// After the colon: a quoted text, or what stands up to the semicolon or the line's end.
  std::string_view simple_value() {
    skip();
    if (take('"')) return quoted();
    const std::size_t start = at_;
    while (at_ < text_.size() && text_[at_] != ';' && text_[at_] != '}' && !starts("/*")) {
      if (text_[at_] == '\n' && text_[at_ - 1] != '\\') break;
      ++at_;
    }
    std::size_t end = at_;
    while (end > start && is_space(text_[end - 1])) --end;
    return text_.substr(start, end - start);
  }

  /// What stands between a group's braces, and the closing one.
  void body(LibertyGroup& group, int depth) {
    constexpr int max_depth = 32;
    if (depth > max_depth) fail(at_ - 1, fmt::format("at most {} groups in each other", max_depth));
    while (!take('}')) {
      if (take(';')) continue;
      const std::size_t start = at_;
      const std::string_view name = word();
      if (name.empty()) fail(start, "an attribute, a group, or the } that ends one");
      if (take(':')) {
        group.attributes.push_back({name, {simple_value()}});
      } else if (take('(')) {
        member(group, name, depth);
      } else {
        fail(start, "NAME : VALUE; or NAME (VALUES); or NAME (NAMES) { ... }");
      }
    }
  }

  /// A group, or an attribute with parentheses.
  void member(LibertyGroup& group, std::string_view name, int depth) {
    std::vector<std::string_view> in_parentheses = values();
    if (take('{')) {
      LibertyGroup& child = group.groups.emplace_back();
      child.type = name;
      child.names = std::move(in_parentheses);
      body(child, depth + 1);
      const auto start = static_cast<std::size_t>(name.data() - text_.data());
      child.text = text_.substr(start, at_ - start);
    } else {
      group.attributes.push_back({name, std::move(in_parentheses)});
    }
  }

  std::string_view text_;
  const std::string* path_;
  std::size_t at_ = 0;
};

}  // namespace

const LibertyAttribute* LibertyGroup::find(std::string_view name) const {
  const auto found = std::find_if(attributes.rbegin(), attributes.rend(),
                                  [&](const LibertyAttribute& a) { return a.name == name; });
  return found == attributes.rend() ? nullptr : &*found;
}

std::string_view LibertyGroup::value(std::string_view name) const {
  const LibertyAttribute* attribute = find(name);
  return attribute == nullptr || attribute->values.empty() ? std::string_view()
                                                           : attribute->values[0];
}

LibertyGroup parse_liberty(std::string_view text, const std::string& path) {
  return LibertyParser(text, path).parse();
}

}  // namespace td::gate
