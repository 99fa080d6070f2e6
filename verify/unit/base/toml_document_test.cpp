// SPDX-License-Identifier: Apache-2.0
// TOML that is made to hurt: keys that nest without end, and files without end.
#include <doctest/doctest.h>

#include <string>

#include "base/configuration/config.hpp"
#include "base/support/error.hpp"

namespace {

/// The message, or that there was none.
std::string message_of(const std::string& text) {
  try {
    td::parse_config(text, "t.toml");
  } catch (const td::UserError& error) {
    return error.what();
  }
  return "(accepted)";
}

/// `count` times `part`.
std::string many(int count, const std::string& part) {
  std::string text;
  for (int i = 0; i < count; ++i) text += part;
  return text;
}

constexpr const char* kLongKey =
    "t.toml: line 2 = a key of more parts is illegal; legal: keys of at most 16 parts";

}  // namespace

TEST_CASE("toml: keys of many parts are refused before they become tables") {
  for (const int parts : {16, 17, 1000000}) {
    CAPTURE(parts);
    const bool refused = parts > 16;
    const std::string plain = "a" + many(parts - 1, ".a");
    const std::string quoted = "'#'" + many(parts - 1, " . \"=\\\"\"");
    for (const std::string& key : {plain, quoted}) {
      for (const std::string& line :
           {key + " = 1", "[" + key + "]", "[[" + key + "]]", "a = [ { " + key + " = 1 } ]",
            "a = [\"\"\"a\"\"\"\"\", {" + key + " = 1}]", "a = ['''\n''', {" + key + " = 1}]"}) {
        const std::string message = message_of("# a.b\n" + line + "\n");
        const bool found = message.find("legal: keys of at most 16 parts") != std::string::npos;
        CHECK(found == refused);
      }
    }
  }
  CHECK(message_of("name = \"a\"\n[" + many(17, ".a") + "]") == kLongKey);
}

TEST_CASE("toml: dots in comments, strings and numbers are no keys") {
  const std::string dots = many(100, ".");
  CHECK(message_of("# " + dots + "\nname = \"a\"") == "(accepted)");
  CHECK(message_of("name = \"a\" # \"" + dots + "\n[tile] # '''" + dots) == "(accepted)");
  for (const std::string& text :
       {"\"" + dots + "\"", "'" + dots + "'", "\"\\\"" + dots + "\"",
        "\"\"\"\n\"\\\"" + dots + "\n\"\"\"", "'''\n''" + dots + "'''",
        "[" + many(100, "1.5, ") + "]", "\"\"\"\n" + dots + "\"\"\"\"\""}) {
    const std::string message = message_of("name = " + text);
    CHECK(message.rfind("t.toml: name = ", 0) == 0);
  }
}

TEST_CASE("toml: brackets around each other are bounded") {
  const std::string key = "a" + many(15, ".a") + " = ";
  for (const int nesting : {16, 17, 500000}) {
    CAPTURE(nesting);
    const std::string expected =
        nesting > 16 ? "t.toml: line 2 = a value in more brackets is illegal; legal: at most 16"
                     : "t.toml: a = ";
    const int half = nesting / 2;
    for (const std::string& value : {many(nesting, "[") + many(nesting, "]"),
                                     many(nesting, "{ " + key) + "1" + many(nesting, " }"),
                                     many(nesting % 2, "[") + many(half, "[{ " + key) + "1" +
                                         many(half, "}]") + many(nesting % 2, "]")}) {
      CHECK(message_of("name = \"a\"\na = " + value).rfind(expected, 0) == 0);
    }
  }
  CHECK(message_of("name = [" + many(100, "[1], ") + "]").rfind("t.toml: name = ", 0) == 0);
}

TEST_CASE("toml: characters beyond ASCII stand in strings and comments alone") {
  const std::string u =
      "\xc3\xbc";  // of those that toml++ 3.3.0 takes for white space and fails on
  for (const std::string& text : {std::string("\xef\xbb\xbfname = \"a\""),
                                  "# " + u + "\nname = \"a\" # " + u, "name = \"a\" # \\\n#" + u}) {
    CHECK(message_of(text) == "(accepted)");
  }
  for (const std::string& text :
       {"\"" + u + "\"", "'\\" + u + "'", "\"\"\"" + u + "\\\\" + u + "\"\"\"",
        "\"\"\"\\\n a" + u + "\"\"\"", "'''\\\n" + u + "'''", "[['" + u + "'\n,\"" + u + "\"]]",
        "{ '" + u + "'.\"" + u + "\" = 1 }",
        "[[0, 0], {a=1,b=\"" + u + "\"},\"" + u + "\", ['" + u + "',\n'" + u + "']]"}) {
    CHECK(message_of("name = " + text).rfind("t.toml: name = ", 0) == 0);
  }
  for (const std::string& text :
       {u + " = 1", "a" + u + " = 1", "[" + u + "]", "a = 1" + u, "a = [1," + u + "]",
        "a = {" + u + " = 1}", "a = \"\"" + u, "a = '''\n'''''" + u, "a = \"\"\"\n\\\"\"\"\"" + u,
        "a = 0=\"" + u + "\"", "a = 0[[=\"" + u, "a = [1, 0=\"" + u, "a = {a = 0.\"" + u,
        "a = 1979-05-27 0=\"" + u, "a = 0#\n\"\" \"a\"" + u, "a = [[0],\n0{\"" + u,
        "a = 1\"" + u + "\"", std::string("\xff")}) {
    CAPTURE(text);
    CHECK(message_of("name = \"a\"\n" + text).find("a character beyond ASCII is illegal") !=
          std::string::npos);
  }
  for (const char* gap : {"", " ", "\n", "\t\r\n \n"}) {
    CHECK(message_of("a = \"\"\"\\" + std::string(gap) + u + "\"\"\"")
              .rfind("t.toml: line 1 = a character beyond ASCII behind a backslash", 0) == 0);
  }
}

TEST_CASE("toml: a file without end is refused") {
  CHECK_THROWS_WITH_AS(td::load_config("/dev/zero"),
                       "/dev/zero: size = more is illegal; legal: at most 1048576 bytes",
                       td::UserError);
}
