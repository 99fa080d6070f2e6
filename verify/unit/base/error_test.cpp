// SPDX-License-Identifier: Apache-2.0
// Messages: whatever a file says, they are one short line that a terminal shows and does not obey.
#include "base/support/error.hpp"

#include <doctest/doctest.h>

#include <new>
#include <stdexcept>
#include <string>

#include "base/support/program.hpp"

TEST_CASE("error: what a terminal shows is kept") {
  for (const char* text : {"", "a", "~ ", "\xc2\xa0", "\xc3\xbc", "\xe2\x82\xac", "\xed\x9f\xbf",
                           "\xee\x80\x80", "\xf0\x9f\x99\x82", "\xf4\x8f\xbf\xbf"}) {
    CHECK(td::is_printable(text));
    CHECK(td::one_line(text) == text);
  }
}

TEST_CASE("error: control characters and broken UTF-8 become question marks") {
  CHECK(td::one_line(std::string("\0", 1)) == "?");
  for (const char* text :
       {"\x1b", "\n", "\x1f", "\x7f", "\xc2\x80", "\xc2\x9b", "\xc2\x9f", "\x80", "\xc0\xaf",
        "\xc1\xbf", "\xe0\x9f\xbf", "\xed\xa0\x80", "\xf0\x8f\xbf\xbf", "\xf4\x90\x80\x80",
        "\xf5\x80\x80\x80", "\xff", "\xc3", "\xe2\x82", "\xf0\x9f\x99"}) {
    const std::string around = "(" + std::string(text) + ")";
    CAPTURE(around);
    CHECK_FALSE(td::is_printable(text));
    CHECK(td::one_line(around) == "(?)");
  }
  CHECK(td::one_line("\xc3\xbc\x80\x80\xbc!") == "\xc3\xbc?!");
}

TEST_CASE("error: long texts are cut between characters") {
  const std::string most(160, 'a');
  CHECK(td::one_line(most) == most);
  CHECK(td::one_line(most + "b") == most + "...");
  const std::string less(159, 'a');
  CHECK(td::one_line(less + "\xc3\xbc") == less + "...");
}

TEST_CASE("error: field and value are one line, file and range are ours") {
  const td::UserError error("f\xff", "a\nb", std::string(1000, 'v'), "1..2");
  CHECK(error.what() == "f\xff: a?b = " + std::string(160, 'v') + "... is illegal; legal: 1..2");
}

TEST_CASE("error: a program's exit status is what ran, 2 for a user's mistake, 1 for a failure") {
  CHECK(td::run_program("test", [] { return 7; }) == 7);
  CHECK(td::run_program("test", []() -> int { throw td::UserError("f: refused"); }) ==
        td::kExitUserError);
  CHECK(td::run_program("test", []() -> int { throw std::logic_error("broken"); }) ==
        td::kExitCheckFailed);
  CHECK(td::run_program("test", []() -> int { throw std::bad_alloc(); }) == td::kExitCheckFailed);
}
