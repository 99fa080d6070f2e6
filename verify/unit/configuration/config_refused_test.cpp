// SPDX-License-Identifier: Apache-2.0
// Configurations that are refused, with a message that names file, field, value and legal range.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "base/configuration/config.hpp"
#include "base/configuration/parameters.hpp"
#include "verify/unit/base/refusal.hpp"

namespace {

using td::Parameter;
using td::ParameterKind;

/// The message, or that there was none.
std::string message_of(const std::string& text) {
  return td::unit::message_of([&] { td::parse_config(text, "test.toml"); });
}

/// A file with this parameter only, besides the name.
std::string file_with(const Parameter& parameter, const std::string& value) {
  std::string text = parameter.path() == "name" ? "" : "name = \"t\"\n";
  if (!parameter.section.empty()) text += fmt::format("[{}]\n", parameter.section);
  return text + fmt::format("{} = {}\n", parameter.key, value);
}

/// `rest` of a file named `t` must be refused for `field` with a value that begins with `value`;
/// `legal` is part of what the message says would be legal.
void check_refused(const std::string& rest, const std::string& field, const std::string& value,
                   const std::string& legal) {
  CAPTURE(rest);
  const std::string message = message_of("name = \"t\"\n" + rest);
  CAPTURE(message);
  const std::string start = fmt::format("test.toml: {} = {}", field, value);
  const std::size_t middle = message.find(" is illegal; legal: ");
  CHECK(message.substr(0, start.size()) == start);
  CHECK(middle != std::string::npos);
  CHECK(message.find(legal, std::min(middle, message.size())) != std::string::npos);
  CHECK(message.find('\n') == std::string::npos);
}

/// A pattern for 4 lanes and depth 3 must be refused.
void check_pattern_refused(const std::string& pattern, const std::string& value,
                           const std::string& legal) {
  check_refused(fmt::format("tile.lanes = 4\ntile.interconnect.pattern = {}", pattern),
                "tile.interconnect.pattern", value, legal);
}

/// Levels of 4 lanes that reach themselves and, a row ahead, their right neighbour and themselves.
void check_levels_refused(const std::string& levels, const std::string& value,
                          const std::string& legal) {
  check_refused(fmt::format("tile.lanes = 4\n[tile.interconnect]\n"
                            "pattern = [[0, 0], [1, 0], [1, 1]]\nlevels = {}",
                            levels),
                "tile.interconnect.levels", value, legal);
}

/// Values of other types than the parameter's, and of the right type but not among the choices.
std::vector<std::string> wrong_values(ParameterKind kind) {
  switch (kind) {
    case ParameterKind::integer:
      return {"\"3\"", "3.0", "true", "[3]", "{ x = 3 }", "1979-05-27", "nan"};
    case ParameterKind::boolean:
      return {"1", "0", "\"true\"", "[true]", "1.0"};
    case ParameterKind::choice:
      return {"0", "\"\"", "\"Dense\"", "\"fp64\"", "[\"fp32\"]", "true"};
    case ParameterKind::name:
      return {"1",       "\"\"",     "\"9a\"",
              "\"_a\"",  "\"Tile\"", "\"a-b\"",
              "\"a b\"", R"("a\n")", "\"abcdefghijklmnopqrstuvwxyz0123456\""};
    case ParameterKind::pattern:
      return {"3",      "\"\"",  "\"own\"",     "\"Wide4\"",    "true",       "[]",
              "[0, 0]", "[[0]]", "[[0, 0, 0]]", "[[0, \"0\"]]", "[[0.0, 0]]", "[[0, 0], 1]"};
    case ParameterKind::levels:
      return {"3", "\"coloured\"", "[]", "[0, 1]", "[[]]", "[[\"0\"]]", "[[0.0]]"};
  }
  return {};
}

}  // namespace

TEST_CASE("config: an integer's minimum and maximum are legal, one beyond is not") {
  int checked = 0;
  for (const Parameter& parameter : td::parameters()) {
    if (parameter.kind != ParameterKind::integer) continue;
    ++checked;
    CAPTURE(parameter.path());
    const auto range = fmt::format("{}..{}", parameter.minimum, parameter.maximum);
    for (int value : {parameter.minimum, parameter.maximum}) {
      const auto config =
          td::parse_config(file_with(parameter, std::to_string(value)), "test.toml");
      CHECK(parameter.get(config) == value);
    }
    for (const std::string& value :
         {std::to_string(parameter.minimum - 1), std::to_string(parameter.maximum + 1),
          std::to_string(parameter.maximum + (std::int64_t{1} << 32))}) {
      check_refused(fmt::format("{}.{} = {}", parameter.section, parameter.key, value),
                    parameter.path(), value, range);
    }
  }
  CHECK(checked == 20);
}

TEST_CASE("config: every choice is legal") {
  for (const Parameter& parameter : td::parameters()) {
    for (std::size_t i = 0; i < parameter.choices.size(); ++i) {
      std::string text = file_with(parameter, '"' + parameter.choices[i] + '"');
      if (parameter.path() == "tile.scheduling") text += "rows = 1\ncolumns = 1\n";
      CHECK(parameter.get(td::parse_config(text, "test.toml")) == static_cast<int>(i));
    }
  }
}

TEST_CASE("config: a value of the wrong type or spelling is refused, for every parameter") {
  for (const Parameter& parameter : td::parameters()) {
    for (const std::string& value : wrong_values(parameter.kind)) {
      const std::string text = file_with(parameter, value);
      CAPTURE(text);
      const std::string message = message_of(text);
      CAPTURE(message);
      const std::string start = fmt::format("test.toml: {} = ", parameter.path());
      CHECK(message.substr(0, start.size()) == start);
      CHECK(message.find(" is illegal; legal: ") != std::string::npos);
      CHECK(message.find('\n') == std::string::npos);
    }
  }
}

TEST_CASE("config: a name must be given, and may have 32 characters") {
  CHECK(message_of("") ==
        "test.toml: name = (absent) is illegal; legal: 1..32 of a-z, 0-9 and _, "
        "starting with a letter");
  const std::string longest = "abcdefghijklmnopqrstuvwxyz_12345";
  CHECK(td::parse_config("name = \"" + longest + "\"", "test.toml").name == longest);
}

TEST_CASE("config: unknown keys and sections are refused, known ones are listed") {
  check_refused("tile.lane = 4", "tile.lane", "4", "no such parameter; known: name, tile.lanes");
  check_refused("lanes = 4", "lanes", "4", "no such parameter");
  check_refused("[tiles]\nlanes = 4", "tiles", "{ lanes = 4 }", "no such parameter");
  check_refused("[tile.lanes]\nx = 4", "tile.lanes", "{ x = 4 }", "2..64");
  check_refused("tile = 4", "tile", "4", "a table of parameters");
  check_refused("[[tile]]\nlanes = 4", "tile", "[ { lanes = 4 } ]", "a table of parameters");
}

TEST_CASE("config: a table of an earlier version is refused with the line to write") {
  for (const Parameter& parameter : td::parameters()) {
    if (parameter.section.rfind("tile.", 0) != 0) continue;
    const std::string old = parameter.path().substr(std::string("tile.").size());
    CAPTURE(old);
    const std::string said =
        fmt::format("test.toml: {} = 3 has moved; legal: write it as {}", old, parameter.path());
    CHECK(message_of(fmt::format("name = \"t\"\n{} = 3\n", old)) == said);
  }
  // What never was a parameter has no new option.
  check_refused("[numerics]\ncolour = 3", "numerics", "{ colour = 3 }", "no such parameter");
  check_refused("[interconnect]", "interconnect", "{}", "no such parameter");
}

TEST_CASE("config: what an earlier version had around the tiles is refused by name") {
  const char* known = "no such parameter; known: name, tile.lanes";
  check_refused("[accelerator.transposer]\ncount = 8", "accelerator.transposer", "{ count = 8 }",
                known);
  check_refused("accelerator.transposer.buffer_bytes = 900", "accelerator.transposer",
                "{ buffer_bytes = 900 }", known);
  for (const char* key : {"MT_per_s", "channels", "channel_bits", "efficiency_percent"}) {
    check_refused(fmt::format("accelerator.dram.{} = 9", key), "accelerator.dram",
                  fmt::format("{{ {} = 9 }}", key), known);
  }
}

TEST_CASE("config: a quoted key with a dot is not the parameter of that path") {
  check_refused("\"tile.lanes\" = 4", "tile.lanes", "4", "no such parameter");
  check_refused("[tile]\n\"numerics.format\" = 4", "tile.numerics.format", "4",
                "no such parameter");
  check_refused("[tile]\nnumerics = 4", "tile.numerics", "4", "a table of parameters");
  check_refused("[tile.numerics]\nform = 4", "tile.numerics.form", "4", "no such parameter");
}

TEST_CASE("config: own patterns that would not work are refused") {
  check_pattern_refused("[[0, 0], [1, 1], [1, 1]]", "(1,+1)", "differ modulo the 4 lanes");
  check_pattern_refused("[[0, 0], [1, 1], [1, -3]]", "(1,-3)", "differ modulo the 4 lanes");
  check_pattern_refused("[[0, 0], [1, 0], [0, 0]]", "(0,0)", "the only option of step 0");
  check_pattern_refused("[[0, 0], [0, 1]]", "(0,+1)", "the only option of step 0");
  check_pattern_refused("[[1, 0], [0, 0]]", "[ [ 1, 0 ], [ 0, 0 ] ]", "[0, 0] first");
  check_pattern_refused("[[0, 1], [1, 0]]", "[ [ 0, 1 ], [ 1, 0 ] ]", "[0, 0] first");
  check_pattern_refused("[[0, 0], [3, 0]]", "[ 3, 0 ]", "step 0..2");
  check_pattern_refused("[[0, 0], [-1, 0]]", "[ -1, 0 ]", "step 0..2");
  check_pattern_refused("[[0, 0], [4294967297, 0]]", "[ 4294967297, 0 ]", "step 0..2");
  check_pattern_refused("[[0, 0], [1, 4]]", "[ 1, 4 ]", "offset -3..3");
  check_pattern_refused("[[0, 0], [1, -4]]", "[ 1, -4 ]", "offset -3..3");
  check_pattern_refused("[[0, 0], [1, 4294967296]]", "[ 1, 4294967296 ]", "offset -3..3");
}

TEST_CASE("config: the most negative offset is refused") {
  // Its magnitude does not fit the type.
  check_pattern_refused("[[0, 0], [1, -9223372036854775808]]", "[ ", "offset -3..3");
}

TEST_CASE("config: more than 64 options are refused") {
  std::string options = "[[0, 0]";
  for (int lane = 0; lane < 64; ++lane) options += fmt::format(", [1, {}]", lane);
  check_refused("tile.lanes = 64\ntile.interconnect.pattern = " + options + "]",
                "tile.interconnect.pattern", "[ ", "63 different options");
}

TEST_CASE("config: levels that collide, miss a lane or repeat one are refused") {
  check_levels_refused("[[0, 1], [2], [3]]", "[0, 1]", "lanes 0 and 1 do");
  check_levels_refused("[[0], [1, 2], [3]]", "[1, 2]", "lanes 1 and 2 do");
  check_levels_refused("[[0, 2], [3, 1, 0]]", "0", "lanes 0..3, each once");
  check_levels_refused("[[0, 2], [1]]", "[ [ 0, 2 ], [ 1 ] ]", "lane 3 is in no level");
  check_levels_refused("[[0, 2], [1, 3], [2]]", "2", "lanes 0..3, each once");
  check_levels_refused("[[0, 0], [2], [1, 3]]", "0", "lanes 0..3, each once");
  check_levels_refused("[[0, 2], [1, 3], [4]]", "4", "lanes 0..3, each once");
  check_levels_refused("[[0, 2], [1, 3], [-1]]", "-1", "lanes 0..3, each once");
}

TEST_CASE("config: two_sided is for a single PE") {
  const std::string two_sided = "[tile]\nscheduling = \"two_sided\"\n";
  const std::string legal = "tile.rows = 1 and tile.columns = 1";
  check_refused(two_sided, "tile.scheduling", "\"two_sided\"", legal);
  check_refused(two_sided + "rows = 1\ncolumns = 2", "tile.scheduling", "\"two_sided\"", legal);
  check_refused(two_sided + "rows = 2\ncolumns = 1", "tile.scheduling", "\"two_sided\"", legal);
  CHECK_NOTHROW(td::parse_config("name = \"t\"\n" + two_sided + "rows = 1\ncolumns = 1", "t"));
}

TEST_CASE("config: a dense tile takes neither pattern nor levels") {
  const std::string legal = "absent when tile.scheduling = \"dense\" or \"zero_gated\"";
  const std::string dense = "tile.scheduling = \"dense\"\ntile.interconnect.";
  check_refused(dense + "pattern = \"step_first\"", "tile.interconnect.pattern", "'step_first'",
                legal);
  check_refused(dense + "pattern = [[0, 0]]", "tile.interconnect.pattern", "[ [ 0, 0 ] ]", legal);
  check_refused(dense + "levels = [[0]]", "tile.interconnect.levels", "[ [ 0 ] ]", legal);
  check_refused("tile.scheduling = \"dense\"\ntile.pipeline.interconnect = 1",
                "tile.pipeline.interconnect", "1", legal);
}

TEST_CASE("config: a mistake in the TOML names the line") {
  const std::vector<std::pair<std::string, std::string>> mistakes = {
      {"name = t", "line 1"},
      {"name = \"t\"\n[tile\nlanes = 4", "line 2"},
      {"name = \"t\"\n\n[tile]\nlanes 4\n", "line 4"},
      {"name = \"t\"\n[tile]\nlanes = 4\nlanes = 5\n", "line 4"},
      {"name = \"t\"\n[tile]\nlanes = 99999999999999999999\n", "line 3"},
      {"name = \"t\"\n# \xff\n", "line 2"},
  };
  for (const auto& mistake : mistakes) {
    const std::string message = message_of(mistake.first);
    CAPTURE(mistake.first);
    CAPTURE(message);
    CHECK(message.rfind("test.toml: " + mistake.second + ":", 0) == 0);
    CHECK(message.find('\n') == std::string::npos);
  }
}
