// SPDX-License-Identifier: Apache-2.0
// The memories of a chip: their number, leakage, clocks, and what a table does not have.
#include "sim/memory/chip_memories.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <string>

#include "base/configuration/preset.hpp"
#include "sim/memory/embedded.hpp"
#include "verify/unit/base/refusal.hpp"

namespace {

using td::Config;
using td::find_config;
using td::sim::find_technology;
using td::sim::memory_kinds;
using td::sim::MemoryFigures;
using td::sim::parse_technology;
using td::sim::Technology;
using td::sim::TechnologyChanges;

std::string text_of(const std::string& name) {
  for (const td::EmbeddedFile& file : td::sim::technologies()) {
    if (file.name == name) return std::string(file.text);
  }
  FAIL(name << " is not built in");
  return "";
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}

/// The message about the reference with `from` replaced, or with changes of the command line.
std::string refusal(const std::string& from, const std::string& to,
                    const Config& config = find_config("paper_fp32"),
                    const TechnologyChanges& changes = {}) {
  const std::string text = replaced(text_of("cacti_45nm"), from, to);
  return td::unit::message_of([&] { parse_technology(text, "t.toml", config, changes); });
}

std::string refusal(const Config& config, const TechnologyChanges& changes) {
  return refusal("", "", config, changes);
}

}  // namespace

TEST_CASE("chip memories: how many there are, and what all of them leak and take up") {
  const Config config = find_config("paper_fp32");  // 16 tiles of 4x4 PEs, depth 3
  CHECK(memory_kinds()[0].count(config) == 16 * 3 * 4);
  CHECK(memory_kinds()[1].count(config) == 16 * (4 + 4) * 3);
  const Technology technology = find_technology("cacti_45nm", config);
  CHECK(of_all_memories(config, technology, &MemoryFigures::leakage_mW) ==
        doctest::Approx(192 * 3.0307 + 384 * 0.01656).epsilon(1e-14));
  CHECK(of_all_memories(config, technology, &MemoryFigures::area_mm2) ==
        doctest::Approx(192 * 1.03684 + 384 * 0.01057).epsilon(1e-14));
  Config other = find_config("tiny");
  other.accelerator.tiles = 5;
  other.accelerator.sram_banks = 7;
  other.rows = 3;
  other.depth = 2;
  CHECK(memory_kinds()[0].count(other) == 5 * 3 * 7);
  CHECK(memory_kinds()[1].count(other) == 5 * (3 + 2) * 2);
}

TEST_CASE("chip memories: a technology without a table leaks nothing, and has no times") {
  const Config config = find_config("paper_fp32");
  const Technology technology = find_technology("paper_65nm", config);
  CHECK_FALSE(technology.memories.has_value());
  CHECK(of_all_memories(config, technology, &MemoryFigures::leakage_mW) == 0);
  CHECK(fastest_MHz(technology) == 0);
  CHECK(access_clocks(technology.sram, 5000) == 0);
}

TEST_CASE("chip memories: clocks of an access are whole, and what fits exactly fits") {
  MemoryFigures memory;
  memory.access_ns = 2;
  CHECK(access_clocks(memory, 500) == 1);
  CHECK(access_clocks(memory, 501) == 2);
  memory.access_ns = 2.0001;
  CHECK(access_clocks(memory, 500) == 2);
  memory.access_ns = 0.3;
  CHECK(access_clocks(memory, 5000) == 2);
  memory.access_ns = 0.6;
  CHECK(access_clocks(memory, 5000) == 3);
}

TEST_CASE("chip memories: a clock is no faster than a memory's cycle") {
  const Config config = find_config("paper_fp32");
  CHECK(find_technology("cacti_45nm", config).clock_MHz == 388);
  CHECK(fastest_MHz(find_technology("cacti_45nm", config)) == 388);
  CHECK(find_technology("cacti_45nm", config, {"", 387}).clock_MHz == 387);
  CHECK(refusal(config, {"", 389}) ==
        "t.toml: clock.MHz = 389 is illegal; legal: 1..388, since memories of "
        "accelerator.sram.bank_bytes = 262144 have a cycle time of 2.5768 ns");
  CHECK(refusal("value = 388", "value = 500").rfind("t.toml: clock.MHz = 500 is illegal; ", 0) ==
        0);
  // With small banks a larger scratchpad is the slowest: 45,itrs-lop,4096,256 has 0.4785 ns.
  Config small = config;
  small.accelerator.sram_bank_bytes = 1024;
  small.accelerator.scratchpad_bank_bytes = 4096;
  CHECK(refusal(small, {"", 5000}) ==
        "t.toml: clock.MHz = 5000 is illegal; legal: 1..2089, since memories of "
        "accelerator.scratchpad.bank_bytes = 4096 have a cycle time of 0.4785 ns");
  CHECK(find_technology("cacti_45nm", small, {"", 2089}).clock_MHz == 2089);
}

TEST_CASE("chip memories: another node, device type or port is taken whole") {
  const Config config = find_config("paper_fp32");
  const Technology technology = find_technology("cacti_45nm", config, {"32/itrs-hp/128", 100});
  CHECK(technology.memories->text() == "cacti_sram, 32 nm, itrs-hp, ports of 128 bits");
  // 32,itrs-hp,262144,128,30.9444,27.3564,...: 16 bytes an access.
  CHECK(technology.sram.read_pJ_per_byte == 30.9444 / 16);
  CHECK(technology.sram.write_pJ_per_byte == 27.3564 / 16);
  CHECK(technology.clock_MHz == 100);
  CHECK(technology.hash == find_technology("cacti_45nm", config).hash);
}

TEST_CASE("chip memories: what the table does not have is refused, not interpolated") {
  const Config config = find_config("paper_fp32");
  CHECK(refusal("\"cacti_sram\"", "\"cacti_dram\"") ==
        "t.toml: memories.table = cacti_dram is illegal; legal: one of cacti_sram");
  CHECK(refusal("node_nm = 45", "node_nm = 28") ==
        "t.toml: memories.node_nm = 28 is illegal; legal: one of 32, 45, 65, 90 (cacti_sram)");
  CHECK(refusal("\"itrs-lop\"", "\"lop\"") ==
        "t.toml: memories.device = lop is illegal; legal: one of itrs-hp, itrs-lop, itrs-lstp "
        "(cacti_sram, 45 nm)");
  CHECK(refusal("port_bits = 256", "port_bits = 100") ==
        "t.toml: memories.port_bits = 100 is illegal; legal: one of 32, 64, 128, 256, 512 "
        "(cacti_sram, 45 nm, itrs-lop)");
  const std::string sizes =
      "one of 1024, 2048, 4096, 8192, 16384, 32768, 65536, 131072, 262144, 524288, 1048576 "
      "(cacti_sram, 45 nm, itrs-lop, ports of 256 bits in t.toml)";
  const auto with = [&](std::int64_t td::Accelerator::*bytes, std::int64_t value) {
    Config odd = config;
    odd.accelerator.*bytes = value;
    return refusal(odd, {});
  };
  CHECK(with(&td::Accelerator::sram_bank_bytes, 262143) ==
        "paper_fp32: accelerator.sram.bank_bytes = 262143 is illegal; legal: " + sizes);
  CHECK(with(&td::Accelerator::scratchpad_bank_bytes, 512) ==
        "paper_fp32: accelerator.scratchpad.bank_bytes = 512 is illegal; legal: " + sizes);
  CHECK(with(&td::Accelerator::scratchpad_bank_bytes, 2097152) ==
        "paper_fp32: accelerator.scratchpad.bank_bytes = 2097152 is illegal; legal: " + sizes);
}

TEST_CASE("chip memories: a file has a table or figures, and a choice is whole") {
  const std::string figure =
      "[scratchpad]\nread_pJ_per_byte = { value = 1, source = \"x\" }\n[dram]";
  CHECK(refusal("[dram]", figure).rfind("t.toml: scratchpad = ", 0) == 0);
  CHECK(refusal("[dram]", figure).find("is illegal; legal: absent beside [memories]") !=
        std::string::npos);
  const std::string legal = " is illegal; legal: a table of table, node_nm, device and port_bits";
  CHECK(refusal("port_bits = 256", "port_bits = 256\nbanks = 2") ==
        "t.toml: memories.banks = 2" + legal);
  CHECK(refusal("port_bits = 256", "") ==
        "t.toml: memories.port_bits = (absent) is illegal; legal: an integer");
  CHECK(refusal("node_nm = 45", "node_nm = 45.0").find("memories.node_nm = 45.0 is illegal") !=
        std::string::npos);
  CHECK(refusal("table = \"cacti_sram\"", "table = 1").find("memories.table = 1 is illegal") !=
        std::string::npos);
  CHECK(refusal("device = \"itrs-lop\"", "").find("memories.device = (absent) is illegal") !=
        std::string::npos);
  CHECK(td::unit::message_of([] {
          parse_technology("memories = 3\n", "t.toml", find_config("tiny"));
        }) == "t.toml: name = (absent) is illegal; legal: " +
                  std::string("1..32 of a-z, 0-9 and _, starting with a letter"));
  CHECK(td::unit::message_of([] {
          parse_technology(
              "memories = 3\n" + replaced(text_of("paper_65nm"), "[sram]", "[nothing]"), "t.toml",
              find_config("tiny"));
        }).rfind("t.toml: nothing = ", 0) == 0);
}

TEST_CASE("chip memories: --memories of a text that names none, or of a file that has none") {
  const Config config = find_config("paper_fp32");
  for (const char* bad : {"45", "45/itrs-lop", "45/itrs-lop/256/1", "a/itrs-lop/256", "-1/a/8",
                          "45//256", "9999999999/a/8"}) {
    CHECK(refusal(config, {bad, {}}) == fmt::format("command line: --memories = {} is illegal; "
                                                    "legal: NODE/DEVICE/PORT, as 45/itrs-lop/256",
                                                    bad));
  }
  CHECK(td::unit::message_of([&] {
          find_technology("paper_65nm", config, {"45/itrs-lop/256", {}});
        }) ==
        "command line: --memories = 45/itrs-lop/256 is illegal; legal: paper_65nm.toml states "
        "figures of its memories: a technology with [memories]");
}
