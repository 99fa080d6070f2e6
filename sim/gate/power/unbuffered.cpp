// SPDX-License-Identifier: Apache-2.0
#include "sim/gate/power/unbuffered.hpp"

#include <numeric>
#include <utility>
#include <vector>

#include "sim/gate/power/clock_network.hpp"

namespace td::gate {

namespace {

constexpr int kMostSinks = 32;

/// By net, which net it is without buffers: the one that drives the first of them in a row.
class Sources {
 public:
  explicit Sources(Net nets) : input_(at(nets)) { std::iota(input_.begin(), input_.end(), 0); }

  /// Joins a buffer's output to its input, unless that is driven by this output.
  bool join(Net input, Net output) {
    const Net source = of(input);
    if (source == output) return false;
    input_[at(output)] = source;
    return true;
  }

  Net of(Net net) {
    if (net == no_net) return net;
    Net source = net;
    while (input_[at(source)] != source) source = input_[at(source)];
    while (net != source) net = std::exchange(input_[at(net)], source);
    return source;
  }

 private:
  std::vector<Net> input_;
};

/// The nets in front of a gate and behind it, if it may be taken out.
struct Buffer {
  Net input = no_net;
  Net output = no_net;

  bool is_one() const { return output != no_net; }
};

/// By gate. Joins them all in `sources`.
std::vector<Buffer> find_buffers(const Library& library, Net clock, const Netlist& netlist,
                                 Sources& sources) {
  const std::vector<char> kept = find_clock_network(netlist, library, clock).clock_gates;
  std::vector<Buffer> buffers(netlist.gates.size());
  for (std::size_t number = 0; number < buffers.size(); ++number) {
    const Gate& gate = netlist.gates[number];
    const Cell& cell = library.cells[at(gate.cell)];
    if (kept[number] != 0 || !is_buffer(cell)) continue;
    const std::int32_t input = cell.pins[0].direction == PinDirection::input ? 0 : 1;
    const Buffer buffer{netlist.pin_nets[at(gate.first + input)],
                        netlist.pin_nets[at(gate.first + 1 - input)]};
    if (buffer.is_one() && sources.join(buffer.input, buffer.output)) buffers[number] = buffer;
  }
  return buffers;
}

/// Input pins of gates at each net without its buffers.
std::vector<int> count_sinks(const Library& library, const std::vector<Buffer>& buffers,
                             const Netlist& netlist, Sources& sources) {
  std::vector<int> sinks(at(netlist.nets), 0);
  for (std::size_t number = 0; number < buffers.size(); ++number) {
    if (buffers[number].is_one()) continue;
    const Gate& gate = netlist.gates[number];
    const std::vector<Pin>& pins = library.cells[at(gate.cell)].pins;
    for (std::size_t pin = 0; pin < pins.size(); ++pin) {
      const Net net = netlist.pin_nets[at(gate.first) + pin];
      if (net != no_net && pins[pin].direction == PinDirection::input) ++sinks[at(sources.of(net))];
    }
  }
  return sinks;
}

void rejoin(Sources& sources, std::vector<Port>& ports) {
  for (Port& port : ports) {
    for (Net& net : port.bits) net = sources.of(net);
  }
}

}  // namespace

std::size_t take_out_buffers(const Library& library, Net clock, Netlist& netlist) {
  Sources all(netlist.nets);
  const std::vector<Buffer> buffers = find_buffers(library, clock, netlist, all);
  const std::vector<int> sinks = count_sinks(library, buffers, netlist, all);
  Sources sources(netlist.nets);
  std::vector<Gate> left;
  for (std::size_t number = 0; number < buffers.size(); ++number) {
    const Buffer& buffer = buffers[number];
    const Net source = all.of(buffer.input);
    if (buffer.is_one() && source > net_one && sinks[at(source)] <= kMostSinks) {
      sources.join(buffer.input, buffer.output);
    } else {
      left.push_back(netlist.gates[number]);
    }
  }
  const std::size_t taken = netlist.gates.size() - left.size();
  netlist.gates = std::move(left);
  for (Net& net : netlist.pin_nets) net = sources.of(net);
  rejoin(sources, netlist.ports);
  for (Block& block : netlist.blocks) rejoin(sources, block.ports);
  return taken;
}

}  // namespace td::gate
