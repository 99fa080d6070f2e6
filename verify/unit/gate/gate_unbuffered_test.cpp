// SPDX-License-Identifier: Apache-2.0
// Netlists without their buffers: who reads what, and which buffers remain.
#include <doctest/doctest.h>

#include <string>
#include <utility>
#include <vector>

#include "sim/gate/power/unbuffered.hpp"
#include "verify/unit/gate/gate_cells.hpp"

namespace {

using td::gate::Gate;
using td::gate::Net;
using td::gate::Netlist;
using td::unit::in;
using td::unit::instance;
using td::unit::module;
using td::unit::netlist_of;
using td::unit::out;

td::gate::Library library_with_buffer() {
  td::gate::Library library = td::unit::gate_library();
  library.cells.push_back(td::unit::logic_cell("BUF", {"A"}, {{"Y", "A"}}));
  return library;
}

const td::gate::Library library = library_with_buffer();

/// Of a netlist whose clock is the port "ck", if it has one.
std::size_t take_out(Netlist& netlist) {
  Net clock = td::gate::no_net;
  for (const td::gate::Port& port : netlist.ports) {
    if (port.name == "ck") clock = port.bits[0];
  }
  return td::gate::take_out_buffers(library, clock, netlist);
}

std::vector<std::string> paths(const Netlist& netlist) {
  std::vector<std::string> found;
  for (const Gate& gate : netlist.gates) found.push_back(netlist.gate_path(gate));
  return found;
}

/// The net at a gate's first pin.
Net read_by(const Netlist& netlist, const std::string& path) {
  for (const Gate& gate : netlist.gates) {
    if (netlist.gate_path(gate) == path)
      return netlist.pin_nets[static_cast<std::size_t>(gate.first)];
  }
  FAIL("no gate " << path);
  return td::gate::no_net;
}

std::string gate(const std::string& name, const std::string& type, const std::string& from,
                 const std::string& to) {
  return instance(name, type, R"("A": [)" + from + R"(], "Y": [)" + to + "]");
}

/// Two buffers in a row in an instance; behind them an inverter, an output and a buffer's output.
Netlist through_an_instance() {
  const std::string two =
      module("two", in("a", "2") + "," + out("y", "4"),
             gate("one", "BUF", "2", "3") + "," + gate("other", "BUF", "3", "4"));
  const std::string top =
      module("top", in("a", "2") + "," + out("y", "5") + "," + out("z", "6"),
             instance("u", "two", R"("a": [2], "y": [5])") + "," + gate("last", "BUF", "5", "6") +
                 "," + gate("inverts", "INV", "6", "7"));
  return netlist_of(two + "," + top, library);
}

/// A buffer in front of some inverters, and one inverter before it.
Netlist with_sinks(int behind) {
  std::string cells = gate("b", "BUF", "2", "3") + "," + gate("before", "INV", "2", "4");
  for (int i = 0; i < behind; ++i)
    cells += "," + gate("i" + std::to_string(i), "INV", "3", std::to_string(5 + i));
  return netlist_of(module("top", in("a", "2"), cells), library);
}

}  // namespace

TEST_CASE("unbuffered: what a buffer drove is at the net in front of it") {
  Netlist netlist = through_an_instance();
  const Net nets = netlist.nets;
  CHECK(take_out(netlist) == 3);
  CHECK(paths(netlist) == std::vector<std::string>{"inverts"});
  const Net a = netlist.port("a").bits[0];
  CHECK(read_by(netlist, "inverts") == a);
  CHECK(netlist.port("y").bits[0] == a);
  CHECK(netlist.port("z").bits[0] == a);
  REQUIRE(netlist.blocks.size() == 2);
  for (const td::gate::Port& port : netlist.blocks[1].ports) CHECK(port.bits[0] == a);
  CHECK(netlist.nets == nets);
}

TEST_CASE("unbuffered: buffers of the clock remain, others of its port do not") {
  Netlist netlist =
      netlist_of(module("top", in("ck", "2") + "," + in("d", "3"),
                        gate("of_clock", "BUF", "2", "4") + "," + gate("of_data", "BUF", "2", "6") +
                            "," + instance("r", "DFF", R"("CK": [4], "D": [6], "Q": [5])")),
                 library);
  CHECK(take_out(netlist) == 1);
  CHECK(paths(netlist) == std::vector<std::string>{"of_clock", "r"});
  CHECK(read_by(netlist, "r") != netlist.port("ck").bits[0]);
}

TEST_CASE("unbuffered: a constant's buffer remains, and one of a ring") {
  Netlist netlist = netlist_of(
      module("top", out("y", "2"),
             gate("of_one", "BUF", "\"1\"", "2") + "," + gate("a", "BUF", "3", "4") + "," +
                 gate("b", "BUF", "4", "3") + "," + gate("reads", "INV", "3", "5")),
      library);
  CHECK(take_out(netlist) == 1);
  CHECK(paths(netlist) == std::vector<std::string>{"of_one", "b", "reads"});
  const Net ring = read_by(netlist, "b");
  CHECK(read_by(netlist, "reads") == ring);
}

TEST_CASE("unbuffered: a tree of more than 32 sinks remains") {
  for (const auto& [behind, taken] : std::vector<std::pair<int, std::size_t>>{{31, 1}, {32, 0}}) {
    Netlist netlist = with_sinks(behind);
    CHECK(take_out(netlist) == taken);
    CHECK((read_by(netlist, "i0") == read_by(netlist, "before")) == (taken == 1));
  }
}
