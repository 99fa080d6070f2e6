// SPDX-License-Identifier: Apache-2.0
// Yosys netlists: hierarchy, joined nets, and every refusal.
#include <doctest/doctest.h>

#include <fstream>
#include <string>
#include <vector>

#include "verify/unit/base/refusal.hpp"
#include "verify/unit/gate/gate_cells.hpp"

namespace {

using td::gate::Gate;
using td::gate::Net;
using td::gate::net_one;
using td::gate::net_zero;
using td::gate::Netlist;
using td::unit::Folder;
using td::unit::gate_library;
using td::unit::in;
using td::unit::instance;
using td::unit::module;
using td::unit::modules;
using td::unit::netlist_of;
using td::unit::out;

const td::gate::Library library = gate_library();

Net pin_net(const Netlist& netlist, const std::string& path, const std::string& pin) {
  for (const Gate& gate : netlist.gates) {
    if (netlist.gate_path(gate) != path) continue;
    const td::gate::Cell& cell = library.cells[static_cast<std::size_t>(gate.cell)];
    return netlist.pin_nets[static_cast<std::size_t>(gate.first + cell.pin(pin))];
  }
  FAIL("no gate " << path);
  return td::gate::no_net;
}

Net bit(const Netlist& netlist, const std::string& port, std::size_t index = 0) {
  return netlist.port(port).bits.at(index);
}

/// What is said of a file with this text, without the file's name.
std::string refusal_of_text(const std::string& text) {
  const Folder folder;
  const std::string path = folder.file("n.json");
  std::ofstream(path) << text;
  const std::string said =
      td::unit::message_of([&path] { td::gate::read_netlist({path}, "top", library); });
  return said.rfind(path + ": ", 0) == 0 ? said.substr(path.size() + 2) : said;
}

std::string refusal(const std::string& text) { return refusal_of_text(modules(text)); }

/// A top with an input a (net 2), an output y (net 3) and these cells.
std::string top(const std::string& cells) {
  return module("top", in("a", "2") + "," + out("y", "3"), cells);
}

std::string pins(const std::string& a, const std::string& y) {
  return R"("A": [)" + a + R"(], "Y": [)" + y + "]";
}

}  // namespace

TEST_CASE("netlist: instances become gates, by path") {
  const std::string pair =
      module("pair", in("a", "9") + "," + out("y", "7"),
             instance("one", "INV", pins("9", "8")) + "," + instance("two", "INV", pins("8", "7")));
  const std::string all = top(instance("p", "pair", R"("a": [2], "y": [4])") + "," +
                              instance("q", "middle", R"("a": [4], "y": [3])")) +
                          "," +
                          module("middle", in("a", "2") + "," + out("y", "3"),
                                 instance("p", "pair", R"("a": [2], "y": [3])")) +
                          "," + pair;
  const Netlist netlist = netlist_of(all, library);
  REQUIRE(netlist.gates.size() == 4);
  REQUIRE(netlist.blocks.size() == 4);
  CHECK(netlist.top == "top");
  CHECK(netlist.blocks[0].path.empty());
  CHECK(netlist.blocks[1].path == "p");
  CHECK(netlist.blocks[1].module == "pair");
  CHECK(netlist.blocks[3].path == "q/p");
  CHECK(netlist.blocks[3].parent == 2);
  CHECK(pin_net(netlist, "p/one", "A") == bit(netlist, "a"));
  CHECK(pin_net(netlist, "p/one", "Y") == pin_net(netlist, "p/two", "A"));
  CHECK(pin_net(netlist, "p/two", "Y") == pin_net(netlist, "q/p/one", "A"));
  CHECK(pin_net(netlist, "q/p/two", "Y") == bit(netlist, "y"));
  CHECK(pin_net(netlist, "q/p/one", "Y") != pin_net(netlist, "p/one", "Y"));
  CHECK(netlist.nets == 2 + 5);
  CHECK_THROWS_AS(netlist.port("z"), std::out_of_range);
}

TEST_CASE("netlist: wires through modules join nets, however deep") {
  const std::string wire =
      module("wire", in("x", "2, 3, 4") + "," + out("y", R"(3, 2, "1", 2, "x")"), "");
  const std::string outer = module("outer", in("x", "5, 6, 7") + "," + out("y", "8, 9, 10, 11, 12"),
                                   instance("w", "wire", R"("x": [5, 6, 7], "y": [8,9,10,11,12])"));
  const std::string all =
      module("top", in("a", "2, 3") + "," + out("y", "4, 5, 6, 7, 8, 9"),
             instance("o", "outer", R"("x": [2, 3, "0"], "y": [4, 5, 6, 7, 8])") + "," +
                 instance("i", "INV", pins("7", "9"))) +
      "," + wire + "," + outer;
  const Netlist netlist = netlist_of(all, library);
  CHECK(bit(netlist, "y", 0) == bit(netlist, "a", 1));
  CHECK(bit(netlist, "y", 1) == bit(netlist, "a", 0));
  CHECK(bit(netlist, "y", 2) == net_one);
  CHECK(bit(netlist, "y", 3) == bit(netlist, "a", 0));
  CHECK(bit(netlist, "y", 4) == net_zero);
  CHECK(pin_net(netlist, "i", "A") == bit(netlist, "a", 0));
  CHECK(netlist.nets == 2 + 2 + 1);
}

TEST_CASE("netlist: what is not connected, and constants, cost no net of their own") {
  const std::string leaf = module("leaf", in("a", "2") + "," + in("b", "3") + "," + out("y", "4"),
                                  instance("n", "NAND2", R"("A": [2], "B": [3], "Y": [4])"));
  const Netlist netlist = netlist_of(top(instance("k", "leaf", R"("a": ["1"], "b": ["x"])") + "," +
                                         instance("l", "leaf", R"("a": [2], "b": [], "y": [3])")) +
                                         "," + leaf,
                                     library);
  CHECK(pin_net(netlist, "k/n", "A") == net_one);
  CHECK(pin_net(netlist, "k/n", "B") == net_zero);
  CHECK(pin_net(netlist, "l/n", "B") > net_one);
  CHECK(netlist.nets == 2 + 4);
}

TEST_CASE("netlist: nets are called as in the innermost block that drives them") {
  const Folder folder;
  const std::string path = folder.file("n.json");
  std::ofstream(path) << R"({"modules": {
    "top": {"ports": {"a": {"direction": "input", "bits": [2]},
                      "y": {"direction": "output", "bits": [3]}},
            "cells": {"p": {"type": "leaf", "connections": {"b": [2], "z": [3]}}},
            "netnames": {"a": {"bits": [2]}, "outer": {"bits": [3]}, "open": {"bits": ["z", "1"]}}},
    "leaf": {"ports": {"b": {"direction": "input", "bits": [9]},
                       "z": {"direction": "output", "bits": [8]}},
             "cells": {"one": {"type": "INV", "connections": {"A": [9], "Y": [7]}},
                       "two": {"type": "INV", "connections": {"A": [7], "Y": [8]}}},
             "netnames": {"$1": {"bits": [7]}, "b": {"bits": [9]}, "q": {"bits": [7, 8]},
                          "z": {"bits": [8]}}}}})";
  const Netlist netlist = td::gate::read_netlist({path}, "top", library);
  CHECK(netlist.net_path(pin_net(netlist, "p/one", "A")) == "a");
  CHECK(netlist.net_path(pin_net(netlist, "p/one", "Y")) == "p/q[0]");
  CHECK(netlist.net_path(pin_net(netlist, "p/two", "Y")) == "p/q[1]");
  CHECK(netlist.net_path(net_one).empty());
}

TEST_CASE("netlist: a file for each module, with stubs of the others") {
  const Folder folder;
  const std::string stub = R"("leaf": {"attributes": {"blackbox": "1"}, "ports": {
      "io": {"direction": "inout", "bits": [2]}}, "cells": {}})";
  std::ofstream(folder.file("top.json"))
      << modules(top(instance("l", "leaf", R"("a": [2], "y": [3])")) + "," + stub);
  std::ofstream(folder.file("leaf.json")) << modules(
      module("leaf", in("a", "2") + "," + out("y", "3"), instance("i", "INV", pins("2", "3"))));
  const std::vector<std::string> paths{folder.file("top.json"), folder.file("leaf.json")};
  CHECK(td::gate::read_netlist(paths, "top", library).gates.size() == 1);
  const auto twice = [&] {
    td::gate::read_netlist({paths[0], paths[1], paths[1]}, "top", library);
  };
  CHECK(td::unit::message_of(twice) ==
        paths[1] + ": module = leaf again is illegal; legal: every module once; it is in " +
            paths[1]);
}

TEST_CASE("netlist: files that cannot be one") {
  const Folder folder;
  const auto absent = [&] { td::gate::read_netlist({folder.file("n")}, "top", library); };
  CHECK(td::unit::message_of(absent).find("cannot be read: No such file") != std::string::npos);
  CHECK(refusal_of_text("").find("file = (empty") == 0);
  CHECK(refusal_of_text("{]").find("netlist = text broken at byte 2 is illegal") == 0);
  CHECK(refusal_of_text("[]").find("netlist = JSON without an object \"modules\"") == 0);
  CHECK(refusal_of_text(R"({"modules": []})").find("netlist = JSON without an object") == 0);
  CHECK(refusal_of_text(R"({"modules": [{"top": {"cells": {"c": {"connections": {"A": "1"}}}}}]})")
            .find("netlist = JSON without") == 0);
  CHECK(refusal("").find("top = top is illegal; legal: a cell of cells.lib, or a module") == 0);
  CHECK(refusal(top("") + "," + top("")).find("module = top twice is illegal") == 0);
}

TEST_CASE("netlist: JSON of another shape is refused or ignored, not obeyed") {
  CHECK(
      refusal(
          R"("top": {"ports": [{"a": {"bits": [1]}}], "cells": [{"connections": {"A": [2]}}]})") ==
      "(accepted)");
  CHECK(refusal(R"("top": {"cells": {"c": "INV"}})").find("top.c = (no type)") == 0);
  CHECK(refusal(R"("top": {"cells": {"c": {"type": "INV", "connections": [[2]]}}})")
            .find("top.c.A = (not connected)") == 0);
  CHECK(refusal(top(instance("i", "INV", pins("1", "3")))).find("top.cells.i.connections.A = 1") ==
        0);
  CHECK(refusal(top(instance("i", "INV", pins("99999999999", "3"))))
            .find("top.cells.i.connections.A = 99999999999 is illegal; legal: numbers") == 0);
  CHECK(
      refusal(top(instance("i", "INV", pins("-3", "3")))).find("top.cells.i.connections.A = -3") ==
      0);
  CHECK(refusal(top(instance("i", "INV", pins("2.5", "3")))).find("top.cells.i") == 0);
  CHECK(refusal(top(instance("i", "INV", pins("null", "3")))).find("top.cells.i") == 0);
  CHECK(refusal(top(instance("i", "INV", pins("true", "3")))).find("top.cells.i") == 0);
  CHECK(refusal(top(instance("i", "INV", pins("\"z\"", "3"))))
            .find("top.cells.i.connections.A = z is illegal; legal: \"0\", \"1\", \"x\"") == 0);
  CHECK(refusal(R"("top": {"ports": {"p": {"direction": "inout", "bits": [2]}}})")
            .find("top.ports.p.direction = inout is illegal; legal: input or output") == 0);
  CHECK(refusal(module("top", in("a", "2") + "," + in("a", "3"), "")).find("top.ports.a = twice") ==
        0);
  CHECK(refusal(top(instance("i", "TIE", "") + "," + instance("i", "TIE", "")))
            .find("top.cells.i = twice") == 0);
}

TEST_CASE("netlist: cells and pins that are none") {
  CHECK(refusal(top(instance("g", "$_DFF_P_", ""))) ==
        "top.g = $_DFF_P_ is illegal; legal: a cell of cells.lib, or a module of the netlists");
  CHECK(refusal(top(instance("g", "ICG", R"("CK": [2], "D": [2], "Q": [3])")))
            .find("top.g = ICG is illegal; legal: cells with one state at most") == 0);
  CHECK(refusal(top(instance("g", "FLOAT", pins("2", "3"))))
            .find("top.g = FLOAT is illegal; legal: cells whose outputs have a function") == 0);
  CHECK(refusal(top(instance("g", "INV", R"("A": [2], "Z": [3])"))) ==
        "top.g.Z = a pin is illegal; legal: the pins of INV");
  CHECK(refusal(top(instance("g", "INV", R"("A": [2, 2], "Y": [3])"))) ==
        "top.g.A = 2 bits is illegal; legal: 1 bit");
  CHECK(refusal(top(instance("g", "INV", R"("Y": [3])"))) ==
        "top.g.A = (not connected) is illegal; legal: a net");
}

TEST_CASE("netlist: modules that do not fit") {
  const std::string leaf = "," + module("leaf", in("a", "2, 3") + "," + out("y", "\"1\""), "");
  CHECK(refusal(top(instance("l", "leaf", R"("b": [2])")) + leaf) ==
        "top.l.b = a port is illegal; legal: the ports of module leaf");
  CHECK(refusal(top(instance("l", "leaf", R"("a": [2])")) + leaf) ==
        "top.l.a = 1 bits is illegal; legal: 2 bits, as in module leaf");
  CHECK(refusal(top(instance("l", "leaf", R"("y": ["0"])")) + leaf) ==
        "top.l.y = 0 on a net that is 1 is illegal; legal: one driver to a net");
  CHECK(refusal(top(instance("l", "middle", "")) + "," +
                module("middle", "", instance("t", "top", ""))) ==
        "middle.t = top is illegal; legal: a module that does not contain this one");
  std::string deep = top(instance("m", "m0", ""));
  for (int i = 0; i < 300; ++i) {
    deep += "," + module("m" + std::to_string(i), "",
                         i == 299 ? "" : instance("m", "m" + std::to_string(i + 1), ""));
  }
  CHECK(refusal(deep).find("= m199 is illegal; legal: 200 levels of modules") != std::string::npos);
  std::string wide = top(instance("m", "m0", ""));
  for (int i = 0; i < 100; ++i) {
    const std::string below = "m" + std::to_string(i + 1);
    wide += "," + module("m" + std::to_string(i), "",
                         i == 99 ? "" : instance("l", below, "") + "," + instance("r", below, ""));
  }
  CHECK(refusal(wide).find("size = more is illegal; legal: at most") == 0);
}

TEST_CASE("netlist: a net has one driver") {
  CHECK(refusal(top(instance("g", "INV", pins("2", "3")) + "," +
                    instance("h", "INV", pins("2", "3")))) ==
        "h.Y = a second driver is illegal; legal: one driver to a net");
  CHECK(refusal(top(instance("g", "INV", pins("2", "2")))).find("g.Y = a second driver") == 0);
  CHECK(refusal(top(instance("g", "INV", pins("2", "\"0\"")))).find("g.Y = a second driver") == 0);
  CHECK(refusal(module("top", in("a", "2") + "," + in("b", "2"), "")).find("b = a second driver") ==
        0);
  // Through modules: a wire from the input to a net that a gate drives.
  CHECK(refusal(top(instance("w", "wire", R"("x": [2], "y": [3])") + "," +
                    instance("g", "INV", pins("2", "3"))) +
                "," + module("wire", in("x", "2") + "," + out("y", "2"), ""))
            .find("g.Y = a second driver") == 0);
}
