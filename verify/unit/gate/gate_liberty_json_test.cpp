// SPDX-License-Identifier: Apache-2.0
// What synthesis is told of a library, and copies without some cells.
#include <doctest/doctest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>

#include "sim/gate/liberty/liberty_cut.hpp"
#include "sim/gate/liberty/liberty_json.hpp"
#include "verify/unit/base/refusal.hpp"
#include "verify/unit/gate/liberty_draft.hpp"

namespace {

using Json = nlohmann::json;
using td::unit::hand_library;
using td::unit::library_of;
using td::unit::message_of;
using td::unit::with;

Json json_of(const std::string& text) { return Json::parse(library_json(library_of(text))); }

/// Kind of a cell of the library by hand, after a change to it.
std::string kind_with(std::size_t cell, const std::string& from, const std::string& to) {
  return json_of(with(hand_library, from, to)).at("cells").at(cell).at("kind");
}

}  // namespace

TEST_CASE("liberty as JSON: the library by hand") {
  const Json library = json_of(hand_library);
  CHECK(library.at("library") == "hand");
  CHECK(library.at("corner") == "1_2_25");
  const Json& cells = library.at("cells");
  REQUIRE(cells.size() == 5);
  CHECK(cells[0] == Json::parse(R"({"name": "NAND", "area": 4.0, "kind": "nand2",
    "opens": null, "inputs_pF": {"A": 0.25, "B": 0.5}, "functions": {"Y": "A B * !"}})"));
  const char* const kinds[] = {"nand2", "other", "other", "flip_flop", "buffer"};
  for (std::size_t i = 0; i < cells.size(); ++i) CHECK(cells[i].at("kind") == kinds[i]);
  CHECK(cells[3].at("functions").at("Q") == "IQ");
}

TEST_CASE("liberty as JSON: capacitances are pF, whatever the file counts in") {
  const Json library = json_of(with(hand_library, "(1, pf)", "(100, ff)"));
  CHECK(library.at("cells").at(0).at("inputs_pF").at("B") == 0.05);
}

TEST_CASE("liberty as JSON: kinds are what cells do, not how it is written") {
  CHECK(kind_with(0, "\"!(A B)\"", "\"A' + B'\"") == "nand2");
  CHECK(kind_with(0, "\"!(A B)\"", "\"A' B'\"") == "other");
  CHECK(kind_with(1, "\"A'\"", "\"!(A' A')\"") == "buffer");
  CHECK(kind_with(4, "function : \"A\"", "function : \"A\"; three_state : \"A\"") == "other");
}

TEST_CASE("liberty as JSON: latches, and when they are open") {
  const auto opens = [](const std::string& enable) {
    const std::string latch = "cell (L) { area : 1; latch (IQ, IQN) { data_in : D; enable : \"" +
                              enable +
                              "\"; } pin (D, E, G) { direction : input; capacitance : 0.01; } }";
    const Json cell =
        json_of(with(hand_library, "cell (INV)", latch + "\n  cell (INV)")).at("cells");
    const auto found = std::find_if(cell.begin(), cell.end(),
                                    [](const Json& one) { return one.at("name") == "L"; });
    CHECK(found->at("kind") == "latch");
    return found->at("opens");
  };
  CHECK(opens("E") == 1);
  CHECK(opens("!E") == 0);
  CHECK(opens("E G").is_null());
}

TEST_CASE("liberty with areas: one cell's, wherever it ends") {
  const auto with_area = [](const std::string& text) {
    return td::gate::with_area(text, "x.lib", "B", 7.5);
  };
  CHECK(with_area("library (l) { cell (A) { area : 1; } cell (B) { area : 2; } }") ==
        "library (l) { cell (A) { area : 1; } cell (B) { area : 7.5; } }");
  CHECK(with_area("library (l) { cell (B) { area : 2 } }") ==
        "library (l) { cell (B) { area : 7.5} }");
  CHECK(message_of([&] { with_area("library (l) { cell (A) { area : 2; } }"); }) ==
        "x.lib: area = B is illegal; legal: a cell that has one");
}

TEST_CASE("liberty without cells: all else as it stands") {
  const auto cut = [](const std::vector<std::string>& patterns) {
    return td::gate::without_cells(hand_library, "x.lib", patterns);
  };
  CHECK(cut({}) == hand_library);
  CHECK(cut({"nand", "AND"}) == hand_library);
  const std::size_t inverter = hand_library.find("cell (INV)");
  const std::size_t flip_flop = hand_library.find("\n  cell (DFF)");
  REQUIRE(inverter < flip_flop);
  CHECK(cut({"INV", "X?R"}) ==
        hand_library.substr(0, inverter) + "\n  " + hand_library.substr(flip_flop));
  CHECK(library_of(cut({"[NI]*"})).cells.size() == 3);
}

TEST_CASE("liberty with wires: in the file's unit, instead of what it has by default") {
  const std::string others =
      "library (x) { default_wire_load : \"a\"; wire_load (\"a\") { }\n"
      "default_wire_load_mode : top;\n capacitive_load_unit (100, ff); }\n";
  const std::string text = td::gate::with_wires(others, "x.lib", 0.01);
  CHECK(text.rfind("library (x) {  wire_load (\"a\") { }\n\n capacitive_load_unit (100, ff);", 0) ==
        0);
  CHECK(text.find("default_wire_load : \"td_fanout\";") != std::string::npos);
  CHECK(text.find("capacitance : 0.1; area : 0; slope : 1; fanout_length (1, 1);") !=
        std::string::npos);
  const std::string wired = td::gate::with_wires(hand_library, "x.lib", 0.01);
  CHECK(library_of(wired).cells.size() == library_of(hand_library).cells.size());
}

TEST_CASE("liberty refused for synthesis: no delays") {
  const auto message_of = [](const std::string& text) {
    return td::unit::message_of(
        [&] { td::gate::parse_library(text, "x.lib", td::gate::LibraryUse::synthesis); });
  };
  CHECK(message_of(hand_library) ==
        "x.lib: timing tables = none is illegal; legal: a library with delays (cell_rise and "
        "cell_fall groups)");
  const std::string delay = "timing () { cell_rise (scalar) { values (\"1\"); } }";
  CHECK(message_of(with(hand_library, "function : \"A\";", "function : \"A\";" + delay)) ==
        "(accepted)");
}
