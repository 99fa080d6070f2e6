// SPDX-License-Identifier: Apache-2.0
// The checkers of both ports, and the memory's watch: each rule that they hold is broken once.
#include <doctest/doctest.h>

#include <functional>
#include <string>

#include "verify/accelerator/axi_checker.hpp"
#include "verify/accelerator/axi_lite.hpp"
#include "verify/accelerator/axi_memory.hpp"

namespace td::verify {
namespace {

/// A bus on which nothing happens.
AxiBus quiet_bus() {
  AxiBus bus;
  bus.w_data.resize(8);
  bus.r_data.resize(8);
  bus.ar_ready = bus.r_ready = bus.aw_ready = bus.w_ready = bus.b_ready = true;
  return bus;
}

void read_address(AxiBus& bus, std::uint64_t address, unsigned len) {
  bus.ar_valid = true;
  bus.ar_addr = address;
  bus.ar_len = len;
}

void write_address(AxiBus& bus, unsigned len, std::uint64_t address = 0, unsigned bytes = 8) {
  bus.aw_valid = true;
  bus.aw_addr = address;
  bus.aw_len = len;
  bus.aw_bytes = bytes;
}

void beat(AxiBus& bus, bool last, std::uint64_t strobes = 0xff) {
  bus.w_valid = true;
  bus.w_last = last;
  bus.w_strb = strobes;
}

using Clock = std::function<void(AxiBus&)>;

/// What the checker says of some clocks.
std::string said(const std::vector<Clock>& clocks) {
  AxiChecker checker(8);
  for (const Clock& clock : clocks) {
    AxiBus bus = quiet_bus();
    clock(bus);
    checker.edge(bus);
  }
  return checker.faults().empty() ? "" : checker.faults().front();
}

TEST_CASE("the checker of an AXI4 port is silent on what is right") {
  CHECK(said({[](AxiBus& bus) { read_address(bus, 0xff8, 0); },
              [](AxiBus& bus) { bus.r_valid = bus.r_last = true; }}) == "");
  CHECK(said({[](AxiBus& bus) { beat(bus, false, 0); },
              [](AxiBus& bus) {
                write_address(bus, 1);
                beat(bus, true);
              },
              [](AxiBus& bus) { bus.b_valid = true; }}) == "");
}

TEST_CASE("the checker of an AXI4 port tells of each rule that is broken") {
  const auto wait = [](AxiBus& bus) {
    read_address(bus, 64, 0);
    bus.ar_ready = false;
  };
  CHECK(said({wait, [](AxiBus& bus) { read_address(bus, 72, 0); }}) ==
        "clock 2: AR: the offer changes while it waits");
  CHECK(said({wait, [](AxiBus&) {}}) == "clock 2: AR: an offer is withdrawn");
  CHECK(said({[](AxiBus& bus) { read_address(bus, 0xff8, 1); }}) ==
        "clock 1: AR: 16 bytes from 0xff8 on cross 4 KB");
  CHECK(said({[](AxiBus& bus) { read_address(bus, 4, 0); }}) ==
        "clock 1: AR: address 0x4 within a beat");
  CHECK(said({[](AxiBus& bus) { write_address(bus, 64); }}) == "clock 1: AW: a burst of 65 beats");
  CHECK(said({[](AxiBus& bus) { bus.r_valid = true; }}) ==
        "clock 1: R: nothing was asked for with ID 0");
  CHECK(said({[](AxiBus& bus) { read_address(bus, 0, 1); },
              [](AxiBus& bus) { bus.r_valid = bus.r_last = true; }}) ==
        "clock 2: R: last is true with 1 beats to come");
  CHECK(said({[](AxiBus& bus) { write_address(bus, 0); }, [](AxiBus& bus) { beat(bus, false); }}) ==
        "clock 2: W: last is false with 0 beats to come");
  const auto written = [](std::uint64_t address, unsigned bytes, std::uint64_t strobes) {
    return said({[=](AxiBus& bus) { write_address(bus, 0, address, bytes); },
                 [=](AxiBus& bus) { beat(bus, true, strobes); }});
  };
  CHECK(written(0, 8, 0x0f) == "");
  CHECK(written(0, 8, 0xb0) == "clock 2: W: strobes 0xb0, not a burst's within 0xff");
  CHECK(written(4, 4, 0xf8) == "clock 2: W: strobes 0xf8, not a burst's within 0xf0");
  CHECK(written(4, 4, 0xf0) == "");
  CHECK(written(0, 4, 0x0f) == "");
  const auto beats = [](std::uint64_t first, std::uint64_t second) {
    return said({[](AxiBus& bus) { write_address(bus, 1); },
                 [=](AxiBus& bus) { beat(bus, false, first); },
                 [=](AxiBus& bus) { beat(bus, true, second); }});
  };
  CHECK(beats(0xf0, 0x0f) == "");
  CHECK(beats(0x0f, 0x0f) == "clock 2: W: strobes 0xf, not a burst's within 0xff");
  CHECK(beats(0xf0, 0xf0) == "clock 3: W: strobes 0xf0, not a burst's within 0xff");
  CHECK(written(2, 4, 0x0f) == "clock 1: AW: address 0x2 within a beat");
  CHECK(written(0, 16, 0xff) == "clock 1: AW: beats of 16 bytes on a bus of 8");
  CHECK(
      said({[](AxiBus& bus) { write_address(bus, 0); }, [](AxiBus& bus) { bus.b_valid = true; }}) ==
      "clock 2: B: a response that no write with ID 0 waits for");
}

TEST_CASE("the checker of a register port tells of each rule that is broken") {
  AxiLiteMaster master(0, 1);
  AxiLiteBus bus;
  bus.b_valid = bus.b_ready = true;
  master.edge(bus);
  CHECK(master.faults().back() == "clock 1: registers: a response that nothing waits for");
  bus = AxiLiteBus{};
  bus.r_valid = true;
  master.edge(bus);
  CHECK(master.faults().back() == "clock 2: registers: data that nothing waits for");
  bus.r_data = 1;
  master.edge(bus);
  CHECK(master.faults()[2] == "clock 3: registers: read data change");
}

TEST_CASE("the memory notes what is touched outside of what is declared") {
  AxiMemorySettings settings;
  settings.latency = 0;
  AxiMemory memory(settings);
  memory.watch_read(0, 8);
  AxiBus bus = quiet_bus();
  const auto clock = [&] {
    memory.drive(bus);
    memory.edge(bus);
    bus.ar_valid = bus.aw_valid = bus.w_valid = false;
  };
  read_address(bus, 0, 0);
  clock();
  CHECK(memory.faults().empty());
  read_address(bus, 8, 0);
  clock();
  CHECK(memory.faults().front() == "byte 0x8 is read");
  write_address(bus, 0);
  beat(bus, true, 1);
  clock();
  for (int i = 0; i < 4; ++i) clock();
  CHECK(memory.faults().back() == "byte 0x0 is written");
  CHECK(memory.bytes_written() == 1);
  CHECK(memory.idle());
}

}  // namespace
}  // namespace td::verify
