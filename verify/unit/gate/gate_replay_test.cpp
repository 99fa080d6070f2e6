// SPDX-License-Identifier: Apache-2.0
// The parts of tdgate that need no netlist of a tile.
#include <doctest/doctest.h>

#include <numeric>
#include <random>

#include "gen/design/ports.hpp"
#include "sim/gate/replay/bit_matrix.hpp"
#include "sim/gate/replay/block_activity.hpp"
#include "sim/gate/replay/tile_pins.hpp"
#include "sim/gate/replay/vector_recorder.hpp"
#include "sim/gate/replay/work_source.hpp"
#include "sim/replay/trace_source.hpp"
#include "verify/unit/base/refusal.hpp"
#include "verify/unit/model/pass_data.hpp"

namespace td::unit {
namespace {

using namespace td::gate_replay;

Config small_config() {
  return parse_config("name = \"small\"\n[tile]\nlanes = 2\nrows = 2\ncolumns = 2\n", "small");
}

/// A netlist with the tile's ports and nothing else.
gate::Netlist bare_netlist(const Config& config) {
  gate::Netlist netlist;
  netlist.top = config.name + "_tile";
  for (const Port& port : tile_ports(config)) {
    gate::Port out;
    out.name = port.name;
    out.direction =
        port.direction == Direction::input ? gate::PinDirection::input : gate::PinDirection::output;
    for (int bit = 0; bit < port.bits(config); ++bit) out.bits.push_back(netlist.nets++);
    netlist.ports.push_back(out);
  }
  netlist.blocks.push_back({"", netlist.top, -1, netlist.ports});
  return netlist;
}

/// Passes that were written down.
class FixedSource : public replay::PassSource {
 public:
  explicit FixedSource(std::vector<replay::Pass> passes) : passes_(std::move(passes)) {}
  bool next(replay::Pass& pass) override {
    if (next_ == passes_.size()) return false;
    pass = passes_[next_++];
    return true;
  }
  std::vector<replay::Tally> tallies() const override { return {replay::Tally{}}; }

 private:
  std::vector<replay::Pass> passes_;
  std::size_t next_ = 0;
};

}  // namespace

TEST_CASE("transpose: bit c of word r becomes bit r of word c") {
  std::mt19937_64 random(1);
  BitMatrix before;
  for (std::uint64_t& word : before) word = random();
  BitMatrix after = before;
  transpose(after);
  for (std::size_t r = 0; r < 64; ++r) {
    for (std::size_t c = 0; c < 64; ++c) {
      REQUIRE((after[c] >> r & 1) == (before[r] >> c & 1));
    }
  }
}

TEST_CASE("pin: each copy keeps the bits that are not replaced") {
  std::vector<gate::Net> nets(100);
  std::iota(nets.begin(), nets.end(), 2);
  Pin pin(nets);
  CHECK_FALSE(pin.any());
  pin.put(5, {0x11111111, 0x22222222, 0x33333333, 0x4}, 100);
  pin.put(6, {0xffffffff, 0xffffffff, 0xffffffff, 0xf}, 70);
  CHECK(pin.any());
  CHECK(pin.field(5, 96, 4) == 0x4);
  CHECK(pin.field(5, 32, 64) == 0x3333333322222222);
  CHECK(pin.field(5, 60, 8) == 0x32);
  CHECK(pin.field(6, 64, 36) == 0x3f);
  pin.put(5, {0, 0, 0, 0}, 33);
  CHECK(pin.field(5, 0, 64) == 0x2222222200000000);
  CHECK(pin.field(4, 0, 64) == 0);
}

TEST_CASE("pins: a netlist of another configuration is refused, with port and widths") {
  const Config config = small_config();
  gate::Netlist netlist = bare_netlist(config);
  CHECK(tile_pins(netlist, config, "net.json").clock == netlist.port("clk_i").bits.front());

  const auto refusal = [&](const gate::Netlist& spoilt) {
    return message_of([&] { tile_pins(spoilt, config, "net.json"); });
  };
  gate::Netlist spoilt = netlist;
  spoilt.ports[5].bits.pop_back();
  CHECK(
      refusal(spoilt).find("net.json: port a_rows_i of small_tile = input of 191 bits is illegal; "
                           "legal: input of 192 bits, as in configuration") == 0);
  spoilt = netlist;
  spoilt.ports.pop_back();
  CHECK(refusal(spoilt).find("port skipped_o of small_tile = missing") != std::string::npos);
  spoilt = netlist;
  spoilt.ports[1].direction = gate::PinDirection::output;
  CHECK(refusal(spoilt).find("port rst_ni of small_tile = output of 1 bit is") !=
        std::string::npos);
  spoilt = netlist;
  spoilt.ports.push_back({"scan_i", gate::PinDirection::input, {2}});
  CHECK(refusal(spoilt).find("port scan_i of small_tile = input of 1 bit is") != std::string::npos);
}

TEST_CASE("block_name: neither the configuration's name nor what synthesis writes for parameters") {
  CHECK(block_name("tiny_pe", "tiny") == "pe");
  CHECK(block_name("tiny_tile", "tiny") == "tile");
  CHECK(block_name("td_pipe", "tiny") == "td_pipe");
  CHECK(block_name("$paramod\\tiny_adder\\REGISTERS=s32'0", "tiny") == "adder");
  CHECK(block_name("$paramod$0123abcd\\tiny_pipe", "tiny") == "pipe");
}

TEST_CASE("block_activities: instances of a module are summed, driven nets alone count") {
  gate::Library library;
  gate::Cell inverter;
  inverter.name = "INV";
  inverter.pins.resize(2);
  inverter.pins[1].direction = gate::PinDirection::output;
  library.cells.push_back(inverter);
  gate::Netlist netlist;
  netlist.blocks = {{"", "t_tile", -1, {}}, {"x", "t_pe", 0, {}}, {"y", "t_pe", 0, {}}};
  netlist.gates = {{0, 1, 0, 0}, {0, 2, 2, 0}, {0, 2, 4, 0}};
  netlist.pin_nets = {2, 3, 3, 4, 4, 5};
  gate::Activity activity;
  activity.toggles_per_clock = {0, 0, 100, 1, 20, 300};
  gate::PowerGroups one;
  one.sequential.internal = 1;
  one.clock_tree.leakage = 2;
  const auto blocks = block_activities(netlist, library, "t", activity, {one, one, one});
  REQUIRE(blocks.size() == 2);
  CHECK(blocks[0].block == "pe");
  CHECK(blocks[0].instances == 2);
  CHECK(blocks[0].gates == 3);
  CHECK(blocks[0].toggles_per_clock == 321);
  CHECK(blocks[0].power.sequential.internal == 2);
  CHECK(blocks[0].power.clock_tree.leakage == 4);
  CHECK(blocks[1].block == "tile");
  CHECK(blocks[1].gates == 0);
}

TEST_CASE("work: pairs of present streams, and those without a zero") {
  const Config config = small_config();
  replay::Pass pass;
  // Two lanes; two columns on side A, two tile rows on side B, of which the second is padding.
  pass.data = pass_of(config, {{1, 0, 1, 1}, {0, 0, 0, 1}}, {{1, 1, 0, 0}, {0, 1, 0, 0}});
  pass.present_rows = 1;
  pass.present_columns = 2;
  pass.simulated_cycles = 1;
  FixedSource fixed({pass, pass});
  WorkSource source(config, fixed, true);
  replay::Pass out;
  REQUIRE(source.next(out));
  CHECK(source.work().dense_macs == 8);
  CHECK(source.work().effectual_macs == 1 + 2 + 0 + 1);
  CHECK(source.longest_rows() == 2);
  CHECK(out.data.dense == std::vector<bool>{true});
  CHECK_FALSE(out.simulated_cycles.has_value());
  REQUIRE(source.next(out));
  CHECK(source.work().effectual_macs == 8);
  CHECK_FALSE(source.next(out));
}

TEST_CASE("proportional_shares: largest remainders, and never more than there are") {
  using Counts = std::vector<std::int64_t>;
  CHECK(replay::proportional_shares({10, 20, 70}, 10) == Counts{1, 2, 7});
  CHECK(replay::proportional_shares({1, 1, 1}, 2) == Counts{1, 1, 0});
  CHECK(replay::proportional_shares({34, 33, 33}, 10) == Counts{4, 3, 3});
  CHECK(replay::proportional_shares({5, 0, 2}, 7) == Counts{5, 0, 2});
  CHECK(replay::proportional_shares({5, 0, 2}, 100) == Counts{5, 0, 2});
  CHECK(replay::proportional_shares({1000000, 1}, 2) == Counts{2, 0});
}

TEST_CASE("record: a block that the netlist does not have is refused with those that it has") {
  const gate::Netlist netlist = bare_netlist(small_config());
  CHECK(message_of([&] { VectorRecorder(netlist, "small", "pe"); }) ==
        "command line: --record = pe is illegal; legal: tile");
}

TEST_CASE("record: of all instances, each for twelve clocks") {
  gate::Netlist netlist = bare_netlist(small_config());
  for (const gate::Net value : {gate::net_zero, gate::net_one}) {
    netlist.blocks.push_back(
        {"u", "td1_pe", 0, {{"x_i", gate::PinDirection::input, {gate::net_zero, value}}}});
  }
  const gate::Library library;
  const gate::Simulator simulator(netlist, library, netlist.port("clk_i").bits.front());
  VectorRecorder recorder(netlist, "small", "pe");
  for (int clock = 0; clock < 240; ++clock) recorder.record(simulator);
  std::string text = recorder.text();
  const std::string heading =
      "// module td1_pe\n// instances 2, another every 12 clocks\n// inputs x_i[2]\n// clocks "
      "240\n";
  REQUIRE(text.rfind(heading, 0) == 0);
  text.erase(0, heading.size());
  std::string stretches;  // the digit of each
  for (std::size_t begin = 0; begin < text.size(); begin += 24) {
    const std::string line = text.substr(begin, 2);
    for (std::size_t at = begin; at < begin + 24; at += 2) REQUIRE(text.substr(at, 2) == line);
    stretches += line[0];
  }
  CHECK(stretches.size() == 20);
  CHECK(stretches.find('0') != std::string::npos);
  CHECK(stretches.find('2') != std::string::npos);
}

}  // namespace td::unit
