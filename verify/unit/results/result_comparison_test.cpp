// SPDX-License-Identifier: Apache-2.0
// Reading of result files, good and bad, and what is said of two of them.
#include "sim/results/result_comparison.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "gen/base/error.hpp"
#include "sim/results/result_text.hpp"
#include "verify/unit/base/refusal.hpp"
#include "verify/unit/results/result_draft.hpp"
#include "verify/unit/trace/trace_draft.hpp"

namespace {

using nlohmann::json;
using td::sim::comparison_text;
using td::sim::read_result;
using td::sim::RunResult;
using td::sim::StoredResult;
using td::unit::Folder;
using td::unit::result_draft;

std::string write_text(const Folder& folder, const std::string& text) {
  const std::string path = folder.file("r.json");
  std::ofstream(path, std::ios::binary) << text;
  return path;
}

std::string refusal(const std::string& text) {
  const Folder folder;
  const std::string path = write_text(folder, text);
  const std::string what = td::unit::message_of([&] { read_result(path); });
  CHECK(what.find('\n') == std::string::npos);
  CHECK(what.rfind(path + ": ", 0) == 0);
  return what.substr(std::min(what.size(), path.size() + 2));
}

void check_refused(const std::function<void(json&)>& spoil, const std::string& expected) {
  json root = json::parse(result_json(result_draft()));
  spoil(root);
  CHECK(refusal(root.dump()) == expected);
}

StoredResult stored(const RunResult& result, const char* name) {
  const Folder folder;
  StoredResult read = read_result(write_text(folder, result_json(result)));
  read.file = name;
  return read;
}

}  // namespace

TEST_CASE("stored result: what was written is read") {
  const StoredResult read = stored(result_draft(), "r.json");
  CHECK(read.facts == decltype(read.facts){{"program", "tdsim 0.0.0"},
                                           {"configuration.name", "small"},
                                           {"configuration.hash", "0123456789abcdef"},
                                           {"configuration.lanes", "4"},
                                           {"configuration.rows", "1"},
                                           {"configuration.columns", "2"},
                                           {"configuration.scheduling", "one_sided"},
                                           {"configuration.depth_rows", "3"},
                                           {"configuration.pattern", "step_first"},
                                           {"configuration.format", "bf16"},
                                           {"configuration.output", "fp32"},
                                           {"accelerator.hash", "8899aabbccddeeff"},
                                           {"accelerator.tiles", "2"},
                                           {"accelerator.sram.banks", "4"},
                                           {"accelerator.sram.bank_bytes", "262144"},
                                           {"accelerator.scratchpad.bank_bytes", "2048"},
                                           {"accelerator.transposer.count", "15"},
                                           {"accelerator.transposer.buffer_bytes", "1024"},
                                           {"accelerator.dram.MT_per_s", "3200"},
                                           {"accelerator.dram.channels", "3"},
                                           {"accelerator.dram.channel_bits", "16"},
                                           {"accelerator.dram.efficiency_percent", "100"},
                                           {"split", "passes dealt in turn"},
                                           {"schedule", "auto"},
                                           {"gate", "false"},
                                           {"mapping", "paper"},
                                           {"objective", ""},
                                           {"without", ""},
                                           {"technology.name", "paper_90nm"},
                                           {"technology.hash", "00112233445566aa"},
                                           {"technology.clock_MHz", "450"},
                                           {"technology.memories", ""},
                                           {"technology.compute_energy", "constants of paper_90nm"},
                                           {"technology.dense_step_pJ", "12.5"},
                                           {"technology.gating_zero_share", "0.25"},
                                           {"source.path", "t.safetensors"},
                                           {"source.identity", "fedcba9876543210"},
                                           {"source.model", "toy"},
                                           {"source.dataset", "none"},
                                           {"source.conversion", "F32 rounded to bf16"}});
  CHECK(read.notes ==
        std::vector<std::string>{"no dgrad of early/conv1: its input needs no gradient"});
  REQUIRE(read.operations.size() == 3);
  CHECK(read.operations[1].snapshot == "early");
  CHECK(read.operations[1].layer == "conv1");
  CHECK(read.operations[1].op == "wgrad");
  CHECK(read.operations[0].dense_cycles == 20);
  CHECK(read.operations[0].cycles == 10);
  CHECK(read.operations[0].zero_free_cycles == 16);
  CHECK(read.operations[0].zero_free_memory_cycles == 18);
  CHECK(read.operations[0].zero_free_energy_pJ == 10460010);
  CHECK(read.multipliers == 16);
  CHECK(read.operations[0].dense_memory_cycles == 22);
  CHECK(read.operations[0].memory_cycles == 16);
  CHECK(read.operations[0].dense_energy_pJ == 10960000);
  CHECK(read.operations[0].energy_pJ == 9960010.5);
}

TEST_CASE("stored result: what a terminal would obey is not kept") {
  // U+009B is a terminal's escape sequence in one character; its neighbours are letters.
  RunResult result = result_draft();
  result.model =
      "a\xc2\x9b"
      "2J\xc2\xa0\xe2\x82\xac\x7f\x1b[m";
  const StoredResult read = stored(result, "r.json");
  const std::pair<std::string, std::string> shown = {"source.model",
                                                     "a?2J\xc2\xa0\xe2\x82\xac??[m"};
  CHECK(std::count(read.facts.begin(), read.facts.end(), shown) == 1);
}

TEST_CASE("stored result: files that are not ours") {
  CHECK(refusal("") ==
        "file = (empty or unreadable) is illegal; legal: a readable result of tdsim");
  CHECK(refusal("{\"format\": \"tens") == "file = text broken at byte 17 is illegal; legal: JSON");
  CHECK(refusal("[]") == "file = [] is illegal; legal: an object");
  CHECK(refusal("{}") == "format is missing");
  CHECK(refusal("{\"a\": 1, \"a\": 2}") == "file = key a twice is illegal; legal: every key once");
  CHECK(refusal(std::string(1000, '[')).find("nesting is illegal") != std::string::npos);
  check_refused([](json& r) { r["format"] = "tensordash-trace-1"; },
                "format = \"tensordash-trace-1\" is illegal; legal: tensordash-result-8");
  check_refused([](json& r) { r["format"] = 1; }, "format = 1 is illegal; legal: a string");
  const std::string legal = "; legal: a readable result of tdsim";
  const auto said = [](const std::string& path) {
    return td::unit::message_of([&] { read_result(path); });
  };
  CHECK(said("nowhere/r.json") ==
        "nowhere/r.json: cannot be read: No such file or directory" + legal);
  CHECK(said("/") == "/: file = (empty or unreadable) is illegal" + legal);
  // One that never ends.
  const std::string too_large = ": size = more is illegal; legal: at most 268435456 bytes";
  CHECK(said("/dev/zero") == "/dev/zero" + too_large);
  const Folder folder;
  const std::string large = write_text(folder, "{");
  std::filesystem::resize_file(large, (std::uintmax_t{1} << 28) + 1);
  CHECK(said(large) == large + too_large);
}

TEST_CASE("stored result: fields that are missing or of another kind") {
  for (const char* key :
       {"format", "program", "configuration", "accelerator", "split", "schedule", "gate", "mapping",
        "objective", "without", "technology", "source", "notes", "operations"}) {
    check_refused([key](json& r) { r.erase(key); }, std::string(key) + " is missing");
  }
  for (const char* key : {"name", "hash", "lanes", "rows", "columns", "scheduling", "depth_rows",
                          "pattern", "format", "output"}) {
    check_refused([key](json& r) { r["configuration"].erase(key); },
                  std::string("configuration.") + key + " is missing");
  }
  for (const char* key : {"name", "hash", "clock_MHz", "memories", "compute_energy",
                          "dense_step_pJ", "gating_zero_share"}) {
    check_refused([key](json& r) { r["technology"].erase(key); },
                  std::string("technology.") + key + " is missing");
  }
  for (const char* key : {"path", "identity", "model", "dataset", "conversion"}) {
    check_refused([key](json& r) { r["source"].erase(key); },
                  std::string("source.") + key + " is missing");
  }
  for (const char* key : {"snapshot", "layer", "op", "dense_cycles", "cycles", "zero_free_cycles",
                          "dense_memory_cycles", "zero_free_memory_cycles", "memory_cycles",
                          "dense_energy_pJ", "zero_free_energy_pJ", "energy_pJ"}) {
    check_refused([key](json& r) { r["operations"][1].erase(key); },
                  std::string("operations[1].") + key + " is missing");
  }
  check_refused([](json& r) { r["notes"] = "none"; },
                "notes = \"none\" is illegal; legal: an array of texts");
  check_refused([](json& r) { r["notes"].push_back(7); },
                "notes[1] = 7 is illegal; legal: a string");
  for (const json& value : {json(-0.5), json(1e31), json(nullptr)}) {
    check_refused(
        [&](json& r) { r["operations"][0]["energy_pJ"] = value; },
        "operations[0].energy_pJ = " + value.dump() + " is illegal; legal: a number of 0..1e+30");
  }
  check_refused([](json& r) { r["configuration"] = 1; },
                "configuration = 1 is illegal; legal: an object");
  check_refused([](json& r) { r["configuration"]["lanes"] = "4"; },
                "configuration.lanes = \"4\" is illegal; legal: an integer of 1..2147483648");
  check_refused([](json& r) { r["accelerator"]["tiles"] = 0; },
                "accelerator.tiles = 0 is illegal; legal: an integer of 1..2147483648");
  check_refused(
      [](json& r) {
        for (const char* key : {"lanes", "rows", "columns"}) r["configuration"][key] = 2147483648;
      },
      "columns = 2147483648 is illegal; legal: an array of at most 9223372036854775807 "
      "multipliers");
  check_refused([](json& r) { r["accelerator"].erase("dram.channels"); },
                "accelerator.dram.channels is missing");
  check_refused([](json& r) { r["gate"] = "no"; },
                "gate = \"no\" is illegal; legal: true or false");
  check_refused([](json& r) { r["source"]["model"] = nullptr; },
                "source.model = null is illegal; legal: a string");
  check_refused(
      [](json& r) {
        r["operations"] = {{"a", 1}};
      },
      "operations = {\"a\":1} is illegal; legal: an array of 1..65536 operations");
  check_refused([](json& r) { r["operations"] = json::array(); },
                "operations = [] is illegal; legal: an array of 1..65536 operations");
  check_refused([](json& r) { r["operations"][0] = 5; },
                "operations[0] = 5 is illegal; legal: an object");
  check_refused([](json& r) { r["operations"][2]["layer"] = ""; },
                "operations[2].layer = \"\" is illegal; legal: a name without control characters");
  check_refused([](json& r) { r["operations"][2]["op"] = "bwd"; },
                "operations[2].op = \"bwd\" is illegal; legal: fwd, dgrad or wgrad");
  for (const json& value : {json(-1), json(1.5), json("7"), json(70368744177665)}) {
    check_refused([&](json& r) { r["operations"][0]["cycles"] = value; },
                  "operations[0].cycles = " + value.dump() +
                      " is illegal; legal: an integer of 0..70368744177664");
  }
}

TEST_CASE("stored result: an operation is there once, and only so many are") {
  json root = json::parse(result_json(result_draft()));
  root["operations"].push_back(root["operations"][0]);
  CHECK(
      refusal(root.dump()).find("legal: operations named once; early/conv1 fwd is there already") !=
      std::string::npos);
  root["operations"] = json::array();
  for (int i = 0; i <= 65536; ++i) root["operations"].push_back(0);
  CHECK(refusal(root.dump()).find("legal: an array of 1..65536 operations") != std::string::npos);
}

TEST_CASE("comparison: of a result with itself") {
  const StoredResult one = stored(result_draft(), "a.json");
  CHECK(comparison_text(one, one) == R"(A: a.json
B: a.json

no difference in what was run

snapshot layer op    A cycles B cycles   B/A A data A total B data B total
early    conv1 fwd         10       10 1.000   1.60    2.00   1.60    2.00
early    conv1 wgrad       30       30 1.000   1.00    1.00   1.00    1.00
late     conv1 dgrad        0        0     -      -       -      -       -
total          fwd         10       10 1.000   1.60    2.00   1.60    2.00
total          dgrad        0        0     -      -       -      -       -
total          wgrad       30       30 1.000   1.00    1.00   1.00    1.00
total          all         40       40 1.000   1.15    1.25   1.15    1.25

with memory op        A     B   B/A A data A total B data B total
cycles      fwd      16    16 1.000   1.12    1.38   1.12    1.38
cycles      dgrad     0     0     -      -       -      -       -
cycles      wgrad    80    80 1.000   1.00    1.00   1.00    1.00
cycles      all      96    96 1.000   1.02    1.06   1.02    1.06
energy, uJ  fwd    9.96  9.96 1.000   1.05    1.10   1.05    1.10
energy, uJ  dgrad  0.00  0.00 1.000   1.00    1.00   1.00    1.00
energy, uJ  wgrad 35.00 35.00 1.000   1.00    1.00   1.00    1.00
energy, uJ  all   44.96 44.96 1.000   1.01    1.02   1.01    1.02
)");
}

TEST_CASE("comparison: what differs, and what only one has") {
  RunResult other = result_draft();
  other.configuration = "other";
  other.depth = 4;
  other.accelerator.tiles = 1;
  other.technology_hash = "00112233445566ab";
  other.clock_MHz = 500;
  other.compute.gating_zero_share = 0.5;
  other.notes = {"two\n"};
  other.operations[0].traffic.cycles = 12;
  other.operations[0].energy.tensordash.dram_pJ -= 4980005.25;
  other.model = "t\n\x1b[2J";
  other.operations[0].cycles.cycles = 8;
  other.operations[1].layer = "conv2";
  other.operations.push_back(other.operations[1]);
  other.operations.back().op = td::sim::Op::dgrad;
  other.operations.push_back(td::unit::gated_operation());
  other.operations.back().snapshot = "late";
  CHECK(comparison_text(stored(result_draft(), "a.json"), stored(other, "b.json")) ==
        R"(A: a.json
B: b.json

differs in                   A                B
configuration.name           small            other
configuration.depth_rows     3                4
accelerator.tiles            2                1
technology.hash              00112233445566aa 00112233445566ab
technology.clock_MHz         450              500
technology.gating_zero_share 0.25             0.5
source.model                 toy              t??[2J
note of A only: no dgrad of early/conv1: its input needs no gradient
note of B only: two?
A has 16 multipliers, B 8: B/A of their cycles is that of cycles times multipliers

snapshot layer op    A cycles B cycles   B/A A data A total B data B total
early    conv1 fwd         10        8 0.400   1.60    2.00   2.00    2.50
late     conv1 dgrad        0        0     -      -       -      -       -
total          fwd         10        8 0.400   1.60    2.00   2.00    2.50
total          dgrad        0        0     -      -       -      -       -
total          all         10        8 0.400   1.60    2.00   2.00    2.50

with memory op       A    B   B/A A data A total B data B total
cycles      fwd     16   12 0.750   1.12    1.38   1.50    1.83
cycles      dgrad    0    0     -      -       -      -       -
cycles      all     16   12 0.750   1.12    1.38   1.50    1.83
energy, uJ  fwd   9.96 4.98 0.500   1.05    1.10   2.10    2.20
energy, uJ  dgrad 0.00 0.00 1.000   1.00    1.00   1.00    1.00
energy, uJ  all   9.96 4.98 0.500   1.05    1.10   2.10    2.20

only in A: early/conv1 wgrad
only in B: early/conv2 wgrad dgrad
only in B: late/conv1 wgrad
)");
}

TEST_CASE("comparison: of results that share nothing") {
  RunResult other = result_draft();
  for (auto& operation : other.operations) operation.snapshot += "r";
  CHECK(comparison_text(stored(result_draft(), "a.json"), stored(other, "b.json")) ==
        R"(A: a.json
B: b.json

no difference in what was run

no operation is in both

only in A: early/conv1 fwd wgrad
only in A: late/conv1 dgrad
only in B: earlyr/conv1 fwd wgrad
only in B: later/conv1 dgrad
)");
}
