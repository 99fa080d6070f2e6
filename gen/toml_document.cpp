// SPDX-License-Identifier: Apache-2.0
#include "gen/toml_document.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>

#include "gen/error.hpp"

namespace td {

namespace {

/// Refuses, before toml++ sees it, the text that would break toml++.
///
/// It bounds the nesting of values, but not the parts of a dotted key: it makes a table of each and
/// leaves them by recursion, until the stack is full. And where it looks for white space, many a
/// character beyond ASCII leads it to a place marked as unreachable. TOML allows such characters in
/// strings and comments alone; there, white space is looked for only behind a line's last
/// backslash.
class Guard {
 public:
  Guard(std::string_view text, const std::string& file) : text_(text), file_(file) {}

  void check() {
    constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";
    if (text_.substr(0, 3) == byte_order_mark) place_ = 3;
    while (place_ < text_.size()) {
      const char c = text_[place_];
      if ((c == '"' || c == '\'') && may_begin_string()) {
        skip_string(c);
        last_ = c;
      } else if (c == '#') {
        place_ = std::min(text_.find('\n', place_), text_.size());
      } else {
        check_bare(c);
        ++place_;
      }
    }
  }

 private:
  static constexpr int max_parts = 16;

  static bool is_ascii(char c) { return static_cast<unsigned char>(c) < 0x80; }

  [[noreturn]] void fail(const std::string& what, const std::string& legal) const {
    const std::string_view before = text_.substr(0, place_);
    throw UserError(file_,
                    fmt::format("line {}", 1 + std::count(before.begin(), before.end(), '\n')),
                    what, legal);
  }

  /// Elsewhere a quote is a mistake, which toml++ reports after a look at what follows.
  bool may_begin_string() const {
    return std::string_view("=,[{.\n").find(last_) != std::string_view::npos;
  }

  /// A character outside strings and comments.
  void check_bare(char c) {
    constexpr std::string_view ends = "=,[]{}\n";
    constexpr std::string_view blanks = " \t\r";
    if (!is_ascii(c)) fail("a character beyond ASCII", "those in strings and comments");
    if (ends.find(c) != std::string_view::npos) parts_ = 1;
    if (blanks.find(c) == std::string_view::npos) last_ = c;
    if (c == '.' && ++parts_ > max_parts) {
      fail("a key of more parts", fmt::format("keys of at most {} parts", max_parts));
    }
  }

  /// A string without its second quotes ends with its line. What toml++ sees differently is broken
  /// and where it stops.
  void skip_string(char quote) {
    const std::string three(3, quote);
    if (text_.substr(place_, 3) == three) {
      skip_lines(quote, three);
      return;
    }
    for (++place_; place_ < text_.size() && text_[place_] != '\n'; ++place_) {
      if (text_[place_] == quote) {
        ++place_;
        return;
      }
      if (quote == '"' && text_[place_] == '\\') ++place_;
    }
  }

  void skip_lines(char quote, const std::string& three) {
    for (place_ += 3; place_ < text_.size() && text_.substr(place_, 3) != three; ++place_) {
      if (quote == '"' && text_[place_] == '\\') skip_escape();
    }
    // Before the closing three there may be two more.
    place_ = std::min(text_.find_first_not_of(quote, place_), std::min(place_ + 5, text_.size()));
  }

  void skip_escape() {
    const std::size_t next = text_.find_first_not_of(" \t\r\n", place_ + 1);
    if (next < text_.size() && !is_ascii(text_[next])) {
      fail("a character beyond ASCII behind a backslash", "another line's end");
    }
    ++place_;
  }

  std::string_view text_;
  const std::string& file_;
  std::size_t place_ = 0;
  int parts_ = 1;     ///< of the key, if this is one
  char last_ = '\n';  ///< before place_, without blanks
};

}  // namespace

std::string read_text(const std::string& path, const std::string& legal) {
  constexpr std::size_t most = 1 << 20;
  std::ifstream in(path, std::ios::binary);
  const std::string reason = in.is_open() ? "(empty or unreadable)" : std::strerror(errno);
  std::string text(most + 1, '\0');
  in.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(in.gcount()));
  if (text.empty()) throw UserError(path, "file", reason, legal);
  if (text.size() > most) {
    throw UserError(path, "size", "more", fmt::format("at most {} bytes", most));
  }
  return text;
}

toml::table parse_toml(std::string_view text, const std::string& file) {
  Guard(text, file).check();
  try {
    return toml::parse(text, file);
  } catch (const toml::parse_error& error) {
    throw UserError(fmt::format("{}: line {}: {}", file, error.source().begin.line,
                                one_line(error.description())));
  }
}

std::string node_text(const toml::node& node) {
  std::ostringstream text;
  node.visit([&](const auto& value) { text << value; });
  std::string line = text.str();
  std::replace(line.begin(), line.end(), '\n', ' ');
  return line;
}

}  // namespace td
