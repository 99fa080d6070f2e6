// SPDX-License-Identifier: Apache-2.0
// Technologies: the built-in one says what its sources say, and no figure goes without a source.
#include "sim/memory/technology.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "base/configuration/parameters.hpp"
#include "base/configuration/preset.hpp"
#include "base/support/hash.hpp"
#include "sim/memory/embedded.hpp"
#include "verify/unit/base/refusal.hpp"
#include "verify/unit/trace/trace_draft.hpp"

namespace {

using td::find_config;
using td::sim::find_technology;
using td::sim::parse_technology;
using td::sim::Technology;

std::string built_in_text() {
  for (const td::EmbeddedFile& file : td::sim::technologies()) {
    if (file.name == "paper_65nm") return std::string(file.text);
  }
  FAIL("paper_65nm is not built in");
  return "";
}

/// The message, or that there was none.
std::string parse_message_of(const std::string& text) {
  return td::unit::message_of([&] { parse_technology(text, "test.toml", find_config("tiny")); });
}

/// The lines of the built-in technology that give a figure, as `section.key`.
struct Line {
  std::string path;
  std::string text;  ///< of the whole line
};

std::vector<Line> figure_lines(const std::string& text) {
  std::vector<Line> lines;
  std::string section;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) {
    if (line.rfind('[', 0) == 0) section = line.substr(1, line.size() - 2);
    const std::size_t end = line.find(" = { value = ");
    if (end != std::string::npos) lines.push_back({section + "." + line.substr(0, end), line});
  }
  return lines;
}

std::string with_other(const std::string& text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  REQUIRE(at != std::string::npos);
  REQUIRE(text.find(from, at + 1) == std::string::npos);
  return std::string(text).replace(at, from.size(), to);
}

/// The built-in technology with one figure's line spoilt must be refused for `field`.
void check_refused(const Line& line, const std::string& spoilt, const std::string& field,
                   const std::string& value, const std::string& legal) {
  const std::string message = parse_message_of(with_other(built_in_text(), line.text, spoilt));
  CAPTURE(message);
  const std::string start =
      fmt::format("test.toml: {} = {} is illegal; legal: {}", field, value, legal);
  CHECK(message.substr(0, start.size()) == start);
  CHECK(message.find('\n') == std::string::npos);
}

std::string key_of(const Line& line) { return line.text.substr(0, line.text.find(' ')); }

}  // namespace

TEST_CASE("technology: the built-in one has the paper's clock and the published energies") {
  const Technology technology = find_technology("paper_65nm", find_config("tiny"));
  CHECK(technology.name == "paper_65nm");
  const std::string text = built_in_text();
  CHECK(technology.hash == td::hash_text(td::fnv1a(text)));
  CHECK(parse_technology(text + "# another file\n", "t.toml", find_config("tiny")).hash !=
        technology.hash);
  CHECK(technology.clock_MHz == 500);
  CHECK(technology.dram_pJ_per_bit == 8);
  CHECK(technology.scratchpad.read_pJ_per_byte == 0.283);   // 1.13324 pJ for 4 bytes
  CHECK(technology.scratchpad.write_pJ_per_byte == 0.824);  // 3.29596 pJ for 4 bytes
  CHECK(technology.sram.read_pJ_per_byte == 6.6);  // 20 pJ * (256 / 32)^(ln 5 / ln 32), 8 bytes
  CHECK(technology.sram.write_pJ_per_byte == 6.6);
  CHECK(technology.mac_pJ(td::Format::fp32) == 4.6);  // 3.7 + 0.9
  CHECK(technology.mac_pJ(td::Format::bf16) == 2.0);  // 1.1 + 0.9
  CHECK(technology.mac_pJ(td::Format::fp16) == 2.0);
}

TEST_CASE("technology: every file of constraints/ is built in, is called by its name, is read") {
  CHECK(!td::sim::technologies().empty());
  for (const td::EmbeddedFile& file : td::sim::technologies()) {
    CHECK(find_technology(std::string(file.name), find_config("tiny")).name == file.name);
  }
}

TEST_CASE("technology: every figure keeps its source") {
  const Technology technology = find_technology("paper_65nm", find_config("tiny"));
  const std::vector<Line> lines = figure_lines(built_in_text());
  CHECK(lines.size() == 10);
  CHECK(technology.sources.size() == lines.size());
  for (const Line& line : lines) {
    CAPTURE(line.path);
    REQUIRE(technology.sources.count(line.path) == 1);
    CHECK(line.text.find("source = \"" + technology.sources.at(line.path) + "\"") !=
          std::string::npos);
  }
}

TEST_CASE("technology: a figure that is missing, unsourced or out of range is refused") {
  for (const Line& line : figure_lines(built_in_text())) {
    CAPTURE(line.path);
    const std::string key = key_of(line);
    check_refused(line, "", line.path, "(absent)", "a");
    check_refused(line, key + " = 7", line.path, "7", "{ value = a");
    const std::size_t comma = line.text.find(", source");
    const std::string value_only = line.text.substr(0, comma);  // key = { value = ...
    check_refused(line, key + " = { source = \"x\" }", line.path, "{ source = 'x' }",
                  "{ value = a");
    check_refused(line, value_only + " }", line.path + ".source", "(absent)", "where");
    check_refused(line, value_only + ", source = \" \" }", line.path + ".source", "' '", "where");
    check_refused(line, value_only + ", source = 1 }", line.path + ".source", "1", "where");
    check_refused(line, value_only + ", source = \"a\\nb\" }", line.path + ".source", "'''a b'''",
                  "where");
    check_refused(line, value_only + ", source = \"x\", unit = 2 }", line.path + ".unit", "2",
                  "only value and source");
    for (const std::string value : {"-1", "2000000000", "true", "'1'", "nan", "inf", "[1]"}) {
      CAPTURE(value);
      const std::string message = parse_message_of(with_other(
          built_in_text(), line.text, key + " = { value = " + value + ", source = \"x\" }"));
      CAPTURE(message);
      CHECK(message.rfind("test.toml: " + line.path + " = ", 0) == 0);
      CHECK(message.find("legal: a") != std::string::npos);
    }
  }
}

TEST_CASE("technology: whole numbers are whole, and others need not be") {
  const std::string text = built_in_text();
  const auto with = [&](const std::string& key, const std::string& value) {
    for (const Line& line : figure_lines(text)) {
      if (line.path != key) continue;
      return parse_message_of(with_other(
          text, line.text, key_of(line) + " = { value = " + value + ", source = \"x\" }"));
    }
    return std::string("no such line");
  };
  CHECK(with("clock.MHz", "2.5") ==
        "test.toml: clock.MHz = 2.5 is illegal; legal: an integer of 1..5000");
  CHECK(with("clock.MHz", "0") ==
        "test.toml: clock.MHz = 0 is illegal; legal: an integer of 1..5000");
  CHECK(with("clock.MHz", "5000") == "(accepted)");
  CHECK(with("clock.MHz", "5001").find("an integer of 1..5000") != std::string::npos);
  CHECK(with("dram.pJ_per_bit", "3.9") == "(accepted)");
  CHECK(with("dram.pJ_per_bit", "4") == "(accepted)");
  CHECK(with("dram.pJ_per_bit", "0").find("a number of 1e-06..1000000") != std::string::npos);
}

TEST_CASE("technology: what is not known is refused") {
  const std::string text = built_in_text();
  CHECK(parse_message_of("colour = 1\n" + text).rfind("test.toml: colour = 1 is illegal", 0) == 0);
  CHECK(parse_message_of("sram = 1\n").rfind("test.toml: sram = 1 is illegal; legal: a table", 0) ==
        0);
  CHECK(parse_message_of(text + "\n[cache]\nways = 1\n")
            .find("legal: no such figure; known: name, ") != std::string::npos);
  // The transposers of an earlier version.
  CHECK(parse_message_of(text + "\n[transposer]\nread_pJ_per_byte = 1\n")
            .find("legal: no such figure; known: name, ") != std::string::npos);
  CHECK(parse_message_of(text + "colour = 1\n")
            .rfind("test.toml: compute.colour = 1 is illegal", 0) == 0);
  const std::string named = "name = \"paper_65nm\"";
  CHECK(parse_message_of(with_other(text, named, "")).rfind("test.toml: name = (absent)", 0) == 0);
  CHECK(
      parse_message_of(with_other(text, named, "name = \"A b\"")).rfind("test.toml: name = ", 0) ==
      0);
  CHECK(parse_message_of(with_other(text, named, "name = 65")).rfind("test.toml: name = 65", 0) ==
        0);
  CHECK(parse_message_of("name = ").rfind("test.toml: line 1: ", 0) == 0);
  CHECK(parse_message_of("").rfind("test.toml: name = (absent)", 0) == 0);
}

TEST_CASE("technology: a size of an earlier version is refused with the line to write") {
  const std::string text = built_in_text();
  int checked = 0;
  for (const td::Parameter& parameter : td::parameters()) {
    const std::string start = "accelerator.";
    if (parameter.section.rfind(start, 0) != 0) continue;
    ++checked;
    const std::string old = parameter.path().substr(start.size());
    CHECK(parse_message_of(fmt::format("{} = 3\n", old)) ==
          fmt::format("test.toml: {} = 3 has moved; legal: write it as {} of the configuration",
                      old, parameter.path()));
  }
  CHECK(checked == 3);
}

TEST_CASE("technology: found by file, then by name") {
  const td::unit::Folder folder;
  const std::string path = folder.file("mine.toml");
  std::ofstream(path) << with_other(built_in_text(), "value = 500", "value = 426");
  CHECK(find_technology(path, find_config("tiny")).clock_MHz == 426);
  const auto message = [](const std::string& name) {
    return td::unit::message_of([&] { find_technology(name, find_config("tiny")); });
  };
  const std::string empty = folder.file("empty.toml");
  const std::ofstream nothing(empty);
  CHECK(message(empty) ==
        empty + ": file = (empty or unreadable) is illegal; legal: a readable TOML file");
  // A folder is no file: its name is looked up among those built in.
  for (const std::string& name : {folder.file(""), std::string("nowhere_3nm")}) {
    CHECK(message(name) == "command line: --technology = " + name +
                               " is illegal; legal: a TOML file, or one of cacti_45nm, paper_65nm");
  }
}
