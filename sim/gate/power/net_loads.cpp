// SPDX-License-Identifier: Apache-2.0
#include "sim/gate/power/net_loads.hpp"

#include <fmt/format.h>

#include <sstream>

#include "base/support/error.hpp"
#include "base/support/text_file.hpp"

namespace td::gate {

namespace {

constexpr std::size_t kMaxLoadBytes = std::size_t{1} << 30;

NetLoads read_buffers(const std::string& path, const std::string& heading, const Library& library) {
  std::istringstream words(heading);
  std::string format, repeater, clock_buffer;
  words >> format >> repeater >> clock_buffer;
  const auto is_one = [&library](const std::string& name) {
    const Cell* cell = library.find(name);
    return cell != nullptr && is_buffer(*cell);
  };
  if (format != "tensordash-loads-3" || !is_one(repeater) || !is_one(clock_buffer)) {
    throw UserError(path, "line 1", heading,
                    "tensordash-loads-3 REPEATER CLOCK_BUFFER, cells of " + library.path +
                        " whose outputs repeat their one input");
  }
  return {at(library.index(repeater)), at(library.index(clock_buffer)), {}};
}

}  // namespace

NetLoads read_net_loads(const std::string& path, const Netlist& netlist, const Library& library) {
  std::istringstream text(read_text(path, "a readable file of loads", kMaxLoadBytes));
  std::string line;
  std::getline(text, line);
  NetLoads loads = read_buffers(path, line, library);
  loads.nets.resize(at(netlist.nets));
  for (int number = 2; std::getline(text, line); ++number) {
    std::istringstream words(line);
    Net net = no_net;
    NetLoad load;
    std::string more;
    const bool read =
        static_cast<bool>(words >> net >> load.driver_pF >> load.behind_pF >> load.buffers) &&
        !(words >> more);
    const bool legal = read && net > net_one && net < netlist.nets && !loads.nets[at(net)].placed &&
                       load.driver_pF >= 0 && load.behind_pF >= 0 && load.buffers >= 0 &&
                       (load.buffers > 0 || load.behind_pF == 0);
    if (!legal) {
      throw UserError(path, fmt::format("line {}", number), line,
                      fmt::format("NET DRIVER_PF BEHIND_PF BUFFERS, each net of 2..{} once, "
                                  "none negative",
                                  netlist.nets - 1));
    }
    load.placed = true;
    loads.nets[at(net)] = load;
  }
  return loads;
}

}  // namespace td::gate
