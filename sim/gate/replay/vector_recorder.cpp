// SPDX-License-Identifier: Apache-2.0
#include "sim/gate/replay/vector_recorder.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <set>

#include "base/support/error.hpp"
#include "sim/gate/replay/block_activity.hpp"

namespace td::gate_replay {
namespace {

const gate::Block& find_block(const gate::Netlist& netlist, const std::string& configuration,
                              const std::string& block) {
  std::set<std::string> names;
  for (const gate::Block& one : netlist.blocks) {
    const std::string name = block_name(one.module, configuration);
    if (name == block) return one;
    names.insert(name);
  }
  throw UserError("command line", "--record", block, fmt::format("{}", fmt::join(names, ", ")));
}

/// Of all inputs, the last port's lowest bit first.
std::vector<gate::Net> input_nets(const gate::Block& block) {
  std::vector<gate::Net> nets;
  for (const gate::Port& port : block.ports) {
    if (port.direction != gate::PinDirection::input) continue;
    nets.insert(nets.begin(), port.bits.begin(), port.bits.end());
  }
  return nets;
}

}  // namespace

VectorRecorder::VectorRecorder(const gate::Netlist& netlist, const std::string& configuration,
                               const std::string& block) {
  const gate::Block& found = find_block(netlist, configuration, block);
  std::vector<std::string> inputs;
  for (const gate::Port& port : found.ports) {
    if (port.direction != gate::PinDirection::input) continue;
    inputs.push_back(fmt::format("{}[{}]", port.name, port.bits.size()));
  }
  if (inputs.empty()) throw UserError("command line", "--record", block, "a block with inputs");
  for (const gate::Block& one : netlist.blocks) {
    if (one.module == found.module) instances_.push_back(input_nets(one));
  }
  heading_ = fmt::format("// module {}\n// instances {}, another every {} clocks\n// inputs {}\n",
                         found.module, instances_.size(), kStretch, fmt::join(inputs, " "));
}

void VectorRecorder::record(const gate::Simulator& simulator) {
  if (clocks_++ % kStretch == 0) instance_ = random_() % instances_.size();
  const std::vector<gate::Net>& nets = instances_[instance_];
  for (std::size_t digit = (nets.size() + 3) / 4; digit-- > 0;) {
    unsigned value = 0;
    for (std::size_t bit = 4 * digit; bit < std::min(4 * digit + 4, nets.size()); ++bit) {
      value |= static_cast<unsigned>(simulator.get(nets[bit]) & 1) << (bit - 4 * digit);
    }
    lines_ += "0123456789abcdef"[value];
  }
  lines_ += '\n';
}

std::string VectorRecorder::text() const {
  return heading_ + fmt::format("// clocks {}\n", clocks_) + lines_;
}

}  // namespace td::gate_replay
