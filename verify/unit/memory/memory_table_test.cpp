// SPDX-License-Identifier: Apache-2.0
// Tables of memories: what their lines say, and nothing else, is what accesses take.
#include "sim/memory/memory_table.hpp"

#include <doctest/doctest.h>
#include <fmt/ranges.h>

#include <sstream>
#include <string>
#include <vector>

#include "base/configuration/preset.hpp"
#include "sim/memory/chip_memories.hpp"
#include "sim/memory/embedded.hpp"
#include "verify/unit/base/refusal.hpp"

namespace {

using td::sim::MemoryLine;
using td::sim::parse_memory_table;
using td::sim::Technology;
using td::unit::message_of;

const std::string kHeader =
    "node_nm,device,capacity_bytes,port_bits,read_pJ_per_access,write_pJ_per_access,leakage_mW,"
    "access_ns,cycle_ns,area_mm2\n";
const std::string kLine = "45,itrs-lop,1024,256,3.7848,4.2971,0.01656,0.4121,0.4251,0.01057\n";

std::string refusal(const std::string& text) {
  return message_of([&] { parse_memory_table(text, "t.csv"); });
}

/// Of a technology with the line's node, device and port, of memories of its size alone.
Technology technology_of(const MemoryLine& line) {
  td::Config config = td::find_config("tiny");
  config.accelerator.sram_bank_bytes = config.accelerator.scratchpad_bank_bytes = line.bytes;
  const std::string choice = fmt::format("{}/{}/{}", line.node_nm, line.device, line.port_bits);
  return td::sim::find_technology("cacti_45nm", config, {choice, 1});
}

}  // namespace

TEST_CASE("memory table: the reference's bank of 256 KB and of 1 KB, by hand") {
  const Technology technology =
      td::sim::find_technology("cacti_45nm", td::find_config("paper_fp32"));
  // 45,itrs-lop,262144,256,52.2407,45.7843,3.03070,1.7802,2.5768,1.03684: 32 bytes an access.
  CHECK(technology.sram.read_pJ_per_byte == doctest::Approx(1.632521875).epsilon(1e-12));
  CHECK(technology.sram.write_pJ_per_byte == doctest::Approx(1.430759375).epsilon(1e-12));
  CHECK(technology.sram.leakage_mW == 3.0307);
  CHECK(technology.sram.access_ns == 1.7802);
  CHECK(technology.sram.cycle_ns == 2.5768);
  CHECK(technology.sram.area_mm2 == 1.03684);
  // 45,itrs-lop,1024,256,3.7848,4.2971,0.01656,0.4121,0.4251,0.01057
  CHECK(technology.scratchpad.read_pJ_per_byte == doctest::Approx(0.118275).epsilon(1e-12));
  CHECK(technology.scratchpad.write_pJ_per_byte == doctest::Approx(0.134284375).epsilon(1e-12));
  CHECK(technology.scratchpad.leakage_mW == 0.01656);
}

TEST_CASE("memory table: a technology takes what every one of the 684 lines says") {
  std::string text;
  for (const td::EmbeddedFile& file : td::sim::memory_tables()) text = file.text;
  std::istringstream lines(text);
  int checked = 0;
  for (std::string line; std::getline(lines, line);) {
    if (line[0] == '#' || line[0] == 'n') continue;
    std::istringstream in(line);
    std::vector<std::string> cells;
    for (std::string cell; std::getline(in, cell, ',');) cells.push_back(cell);
    REQUIRE(cells.size() == 10);
    const MemoryLine wanted{
        std::stoll(cells[0]), cells[1], std::stoll(cells[3]), std::stoll(cells[2]), {}};
    CAPTURE(line);
    const Technology technology = technology_of(wanted);
    const double bytes = std::stod(cells[3]) / 8;
    for (const td::sim::MemoryKind& kind : td::sim::memory_kinds()) {
      const td::sim::MemoryFigures& memory = technology.*kind.figures;
      REQUIRE(memory.read_pJ_per_byte == std::stod(cells[4]) / bytes);
      REQUIRE(memory.write_pJ_per_byte == std::stod(cells[5]) / bytes);
      REQUIRE(memory.leakage_mW == std::stod(cells[6]));
      REQUIRE(memory.access_ns == std::stod(cells[7]));
      REQUIRE(memory.cycle_ns == std::stod(cells[8]));
      REQUIRE(memory.area_mm2 == std::stod(cells[9]));
    }
    ++checked;
  }
  CHECK(checked == 684);
}

TEST_CASE("memory table: what is no table of memories is refused") {
  CHECK(refusal(kHeader + kLine) == "(accepted)");
  CHECK(refusal("# from somewhere\n\n" + kHeader + "# more\n" + kLine) == "(accepted)");
  CHECK(refusal("").rfind("t.csv: columns = (no memory) is illegal; legal: node_nm,", 0) == 0);
  CHECK(refusal(kHeader).rfind("t.csv: columns = (no memory) is illegal", 0) == 0);
  CHECK(refusal(kLine).rfind("t.csv: columns = 45,itrs-lop,1024", 0) == 0);
  CHECK(refusal(kHeader + kLine + kLine) ==
        "t.csv: line 3: capacity_bytes = 1024 is illegal; legal: a memory that stands here once");
  CHECK(refusal(kHeader + "45,itrs-lop,1024\n") ==
        "t.csv: line 2: columns = 3 is illegal; legal: 10");
}

TEST_CASE("memory table: a figure that none can be is refused") {
  const std::vector<std::string> names = {"node_nm",
                                          "device",
                                          "capacity_bytes",
                                          "port_bits",
                                          "read_pJ_per_access",
                                          "write_pJ_per_access",
                                          "leakage_mW",
                                          "access_ns",
                                          "cycle_ns",
                                          "area_mm2"};
  std::vector<std::string> cells;
  std::istringstream in(kLine.substr(0, kLine.size() - 1));
  for (std::string cell; std::getline(in, cell, ',');) cells.push_back(cell);
  for (std::size_t column = 0; column < names.size(); ++column) {
    for (const std::string value : {"-1", "0", "", "nan", "inf", "1e9", "1.5x", " 1"}) {
      if (column == 1 && !value.empty() && value != " 1" && value != "1.5x") continue;
      std::vector<std::string> spoilt = cells;
      spoilt[column] = value;
      const std::string message = refusal(kHeader + fmt::format("{}\n", fmt::join(spoilt, ",")));
      CAPTURE(message);
      CHECK(message.rfind("t.csv: line 2: " + names[column] + " = " + value + " is illegal", 0) ==
            0);
    }
  }
  CHECK(refusal(kHeader + "45,itrs-lop,1024,12,3,4,1,1,1,1\n") ==
        "t.csv: line 2: port_bits = 12 is illegal; legal: whole bytes");
}
