// SPDX-License-Identifier: Apache-2.0
// Reading of result files, good and bad, and what is said of two of them.
#include "sim/results/result_comparison.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/support/error.hpp"
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
                                           {"accelerator.fill_rows", "4"},
                                           {"accelerator.beat_rows", "2"},
                                           {"accelerator.unpack_rows", "4"},
                                           {"accelerator.collect_words", "2"},
                                           {"accelerator.outstanding", "16"},
                                           {"accelerator.sram.banks", "4"},
                                           {"accelerator.sram.bank_bytes", "262144"},
                                           {"accelerator.scratchpad.bank_bytes", "2048"},
                                           {"split", "passes dealt in turn"},
                                           {"schedule", "auto"},
                                           {"gate", "false"},
                                           {"latency_clocks", "20"},
                                           {"bandwidth_bytes_in_1000_clocks", "51200"},
                                           {"packed", "true"},
                                           {"objective", "energy"},
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
  CHECK(read.operations[0].dense_compute_energy_pJ == 3000000);
  CHECK(read.operations[0].zero_free_compute_energy_pJ == 2500000);
  CHECK(read.operations[0].compute_energy_pJ == 2000000.5);
  CHECK(read.operations[0].first_tensor_elements == 7);
  CHECK(read.operations[0].second_tensor_elements == 6);
  CHECK(read.multipliers == 16);
  const td::sim::StoredMachine& machine = read.operations[0].machine.value();
  CHECK(machine.dense_memory_cycles == 44);
  CHECK(machine.zero_free_memory_cycles == 40);
  CHECK(machine.memory_cycles == 32);
  CHECK(machine.dense_busy.slowest_tile_steps == 20);
  CHECK(machine.dense_busy.bus_read_cycles == 26);
  CHECK(machine.dense_busy.bus_written_cycles == 6);
  CHECK(machine.busy.slowest_tile_steps == 10);
  CHECK(machine.busy.bus_read_cycles == 25);
  CHECK(machine.busy.bus_written_cycles == 5);
  CHECK(machine.dense_energy_pJ == 10900000);
  CHECK(machine.energy_pJ == 9900011.5);
}

TEST_CASE("stored result: of compute alone there is no machine") {
  const StoredResult read = stored(td::unit::compute_alone_draft(), "r.json");
  for (const char* key : {"latency_clocks", "objective"}) {
    const std::pair<std::string, std::string> none = {key, ""};
    CHECK(std::count(read.facts.begin(), read.facts.end(), none) == 1);
  }
  REQUIRE(read.operations.size() == 3);
  for (const auto& operation : read.operations) CHECK_FALSE(operation.machine.has_value());
  CHECK(read.operations[0].compute_energy_pJ == 2000000.5);
}

TEST_CASE("stored result: all operations have the machine, or none") {
  // A run of which one operation has none is none of ours: its fields are null.
  RunResult result = result_draft();
  result.operations[1].machine.reset();
  CHECK(refusal(result_json(result)).rfind("operations[1].dense_memory_cycles = null is ", 0) == 0);
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
                "format = \"tensordash-trace-1\" is illegal; legal: tensordash-result-14");
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
       {"format", "program", "configuration", "accelerator", "split", "schedule", "gate",
        "latency_clocks", "objective", "technology", "source", "notes", "operations"}) {
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
  for (const char* key : {"snapshot",
                          "layer",
                          "op",
                          "dense_cycles",
                          "cycles",
                          "zero_free_cycles",
                          "dense_compute_energy_pJ",
                          "zero_free_compute_energy_pJ",
                          "compute_energy_pJ",
                          "dense_memory_cycles",
                          "zero_free_memory_cycles",
                          "memory_cycles",
                          "dense_slowest_tile_steps",
                          "slowest_tile_steps",
                          "dense_bus_read_cycles",
                          "bus_read_cycles",
                          "dense_bus_written_cycles",
                          "bus_written_cycles",
                          "dense_energy_pJ",
                          "energy_pJ"}) {
    check_refused([key](json& r) { r["operations"][1].erase(key); },
                  std::string("operations[1].") + key + " is missing");
  }
  for (const char* key : {"memory_cycles", "slowest_tile_steps", "dense_bus_read_cycles"}) {
    for (const json& value : {json(-1), json(1.5), json("7"), json(nullptr)}) {
      check_refused([&](json& r) { r["operations"][2][key] = value; },
                    std::string("operations[2].") + key + " = " + value.dump() +
                        " is illegal; legal: an integer of 0..70368744177664");
    }
  }
  for (const json& value : {json(0), json(-1), json("20")}) {
    check_refused(
        [&](json& r) { r["latency_clocks"] = value; },
        "latency_clocks = " + value.dump() + " is illegal; legal: an integer of 1..2147483648");
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
  check_refused([](json& r) { r["accelerator"].erase("fill_rows"); },
                "accelerator.fill_rows is missing");
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

totals                       op        A     B   B/A A data A total B data B total
energy of compute, uJ        fwd    2.00  2.00 1.000   1.25    1.50   1.25    1.50
energy of compute, uJ        dgrad  0.00  0.00     -      -       -      -       -
energy of compute, uJ        wgrad  5.25  5.25 1.000   0.95    0.95   0.95    0.95
energy of compute, uJ        all    7.25  7.25 1.000   1.03    1.10   1.03    1.10
clocks, memory to memory     fwd      32    32 1.000   1.25    1.38   1.25    1.38
clocks, memory to memory     dgrad    12    12 1.000   1.00    1.00   1.00    1.00
clocks, memory to memory     wgrad    90    90 1.000   1.00    1.00   1.00    1.00
clocks, memory to memory     all     134   134 1.000   1.06    1.09   1.06    1.09
energy, memory to memory, uJ fwd    9.90  9.90 1.000      -    1.10      -    1.10
energy, memory to memory, uJ dgrad  0.00  0.00 1.000      -    1.00      -    1.00
energy, memory to memory, uJ wgrad 27.25 27.25 1.000      -    0.99      -    0.99
energy, memory to memory, uJ all   37.15 37.15 1.000      -    1.02      -    1.02
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
  other.latency = 40;
  other.objective = "time";
  other.operations[0].energy.tensordash_pJ = 1000000.25;
  other.operations[0].machine->tensordash.clocks = 16;
  other.operations[0].machine->energy.tensordash = {4950005.75, 0, 0, 0, 0};
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
latency_clocks               20               40
objective                    energy           time
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

totals                       op       A    B   B/A A data A total B data B total
energy of compute, uJ        fwd   2.00 1.00 0.500   1.25    1.50   2.50    3.00
energy of compute, uJ        dgrad 0.00 0.00     -      -       -      -       -
energy of compute, uJ        all   2.00 1.00 0.500   1.25    1.50   2.50    3.00
clocks, memory to memory     fwd     32   16 0.500   1.25    1.38   2.50    2.75
clocks, memory to memory     dgrad   12   12 1.000   1.00    1.00   1.00    1.00
clocks, memory to memory     all     44   28 0.636   1.18    1.27   1.86    2.00
energy, memory to memory, uJ fwd   9.90 4.95 0.500      -    1.10      -    2.20
energy, memory to memory, uJ dgrad 0.00 0.00 1.000      -    1.00      -    1.00
energy, memory to memory, uJ all   9.90 4.95 0.500      -    1.10      -    2.20

only in A: early/conv1 wgrad
only in B: early/conv2 wgrad dgrad
only in B: late/conv1 wgrad
)");
}

TEST_CASE("comparison: what the machine takes stands there only where both have it") {
  const StoredResult with = stored(result_draft(), "a.json");
  const StoredResult alone = stored(td::unit::compute_alone_draft(), "b.json");
  const std::string both = comparison_text(with, with);
  const std::size_t machine = both.find("clocks, memory to memory");
  REQUIRE(machine != std::string::npos);
  for (const auto& text : {comparison_text(with, alone), comparison_text(alone, with),
                           comparison_text(alone, alone)}) {
    CHECK(text.find("memory to memory") == std::string::npos);
    CHECK(text.find(
              "\nenergy of compute, uJ all   7.25 7.25 1.000   1.03    1.10   1.03    1.10\n") !=
          std::string::npos);
  }
  CHECK(comparison_text(with, alone).find("\nlatency_clocks 20\n") != std::string::npos);
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
