// SPDX-License-Identifier: Apache-2.0
#include "base/readers/toml_guard.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/support/error.hpp"

namespace td {

namespace {

bool is_ascii(char c) { return static_cast<unsigned char>(c) < 0x80; }

/// Walks the text as toml++ does, up to where toml++ would stop with an error. It must see strings
/// and comments where toml++ does; in doubt it sees none, and refuses more.
class Guard {
 public:
  Guard(std::string_view text, const std::string& file) : text_(text), file_(file) {}

  void check() {
    constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";
    if (text_.substr(0, 3) == byte_order_mark) place_ = 3;
    while (place_ < text_.size()) {
      const char c = text_[place_];
      if (c == '#') {
        place_ = std::min(text_.find('\n', place_), text_.size());
      } else if ((c == '"' || c == '\'') && !token_) {
        skip_string(c);
      } else {
        check_bare(c);
        ++place_;
      }
    }
  }

 private:
  static constexpr int max_parts = 16;
  static constexpr std::size_t max_nesting = 16;

  [[noreturn]] void fail(const std::string& what, const std::string& legal) const {
    const std::string_view before = text_.substr(0, place_);
    const auto line = 1 + std::count(before.begin(), before.end(), '\n');
    throw UserError(file_, fmt::format("line {}", line), what, legal);
  }

  bool in_array() const { return !open_.empty() && open_.back() == '['; }

  /// A character outside strings and comments.
  void check_bare(char c) {
    if (!is_ascii(c)) fail("a character beyond ASCII", "those in strings and comments");
    if (std::string_view("=,[]{}\n").find(c) != std::string_view::npos) parts_ = 1;
    if (c == '.' && ++parts_ > max_parts) {
      fail("a key of more parts", fmt::format("keys of at most {} parts", max_parts));
    }
    if (std::string_view(" \t\r\n,]}").find(c) != std::string_view::npos) {
      end_token(c);
    } else if (value_ && !token_) {
      begin_value(c);
    } else if (c == '=' && !token_) {
      value_ = true;
    }
  }

  void end_token(char c) {
    token_ = false;
    if (c == '\n' || c == ',') value_ = in_array();
    if ((c == ']' || c == '}') && !open_.empty()) open_.pop_back();
  }

  /// toml++ looks ahead in numbers and dates, over whatever stands there.
  void begin_value(char c) {
    token_ = c != '[' && c != '{';
    if (!token_) open_ += c;
    if (open_.size() > max_nesting) {
      fail("a value in more brackets", fmt::format("at most {} around each other", max_nesting));
    }
    value_ = c != '{';
  }

  /// A string without its second quotes ends with its line.
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
    place_ = std::min({text_.find_first_not_of(quote, place_), place_ + 5, text_.size()});
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
  int parts_ = 1;       ///< of the key, if this is one
  std::string open_;    ///< brackets of arrays and inline tables
  bool value_ = false;  ///< a value may begin here, or has begun
  bool token_ = false;  ///< inside a value that is no string, array or table
};

}  // namespace

void guard_toml(std::string_view text, const std::string& file) { Guard(text, file).check(); }

}  // namespace td
