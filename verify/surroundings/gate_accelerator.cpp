// SPDX-License-Identifier: Apache-2.0
#include "verify/surroundings/gate_accelerator.hpp"

#include <algorithm>
#include <utility>

#include "sim/gate/replay/block_activity.hpp"

namespace td::verify {
namespace {

constexpr gate::Word kCopies = 1;  // one is simulated

bool bit(const gate::Simulator& simulator, gate::Net net) {
  return (simulator.get(net) & kCopies) != 0;
}

std::uint64_t number(const gate::Simulator& simulator, const std::vector<gate::Net>& nets) {
  std::uint64_t value = 0;
  for (std::size_t i = nets.size(); i-- > 0;)
    value = value << 1 | (bit(simulator, nets[i]) ? 1 : 0);
  return value;
}

const std::vector<gate::Net>& nets_of(const gate::Block& block, const std::string& port) {
  return std::find_if(block.ports.begin(), block.ports.end(),
                      [&](const gate::Port& one) { return one.name == port; })
      ->bits;
}

}  // namespace

std::vector<MemoryPorts> cut_memories(gate::Netlist& netlist, const std::string& configuration) {
  std::vector<MemoryPorts> memories;
  std::vector<char> inside(netlist.blocks.size(), 0);
  for (std::size_t i = 0; i < netlist.blocks.size(); ++i) {
    const gate::Block& block = netlist.blocks[i];
    if (block.parent >= 0) inside[i] = inside[static_cast<std::size_t>(block.parent)];
    // Behind the name stands which of its sets of parameters it is.
    const std::string name = gate_replay::block_name(block.module, configuration);
    if (name.substr(0, name.find("__")) != "ram") continue;
    inside[i] = 1;
    memories.push_back({nets_of(block, "write_en_i"), nets_of(block, "write_word_i"),
                        nets_of(block, "write_data_i"), nets_of(block, "read_en_i"),
                        nets_of(block, "read_word_i"), nets_of(block, "read_data_o")});
    netlist.ports.push_back(
        {block.path + "/read_data_o", gate::PinDirection::input, memories.back().read_data});
  }
  const auto taken = [&](const gate::Gate& gate) { return inside[gate::at(gate.block)] != 0; };
  netlist.gates.erase(std::remove_if(netlist.gates.begin(), netlist.gates.end(), taken),
                      netlist.gates.end());
  return memories;
}

GateAccelerator::Memory::Memory(const MemoryPorts& ports)
    : at(ports),
      bits(ports.read_data.size() << ports.read_word.size(), 0),
      read(ports.read_data.size(), 0) {}

/// As the Verilog: what is read of a word that is written is not looked at.
void GateAccelerator::Memory::rise(const gate::Simulator& simulator) {
  const std::size_t width = read.size();
  if (bit(simulator, at.read_en.front())) {
    const auto from = static_cast<std::ptrdiff_t>(number(simulator, at.read_word) * width);
    std::copy_n(bits.begin() + from, width, read.begin());
  }
  const std::size_t part = width / at.write_en.size();
  const auto word_bits = static_cast<std::ptrdiff_t>(at.read_word.size());
  for (std::size_t p = 0; p < at.write_en.size(); ++p) {
    if (!bit(simulator, at.write_en[p])) continue;
    const auto word = at.write_word.begin() + static_cast<std::ptrdiff_t>(p) * word_bits;
    const std::size_t to = number(simulator, {word, word + word_bits}) * width;
    for (std::size_t i = p * part; i < (p + 1) * part; ++i) {
      bits[to + i] = bit(simulator, at.write_data[i]) ? 1 : 0;
    }
  }
}

void GateAccelerator::Memory::drive(gate::Simulator& simulator) const {
  for (std::size_t i = 0; i < read.size(); ++i) {
    simulator.set(at.read_data[i], read[i] != 0 ? kCopies : 0);
  }
}

GateAccelerator::GateAccelerator(const gate::Netlist& netlist, const gate::Library& library,
                                 const std::vector<MemoryPorts>& memories,
                                 std::function<void(const gate::Simulator&)> observe)
    : simulator_(netlist, library, netlist.port("clk_i").bits.front()),
      observe_(std::move(observe)) {
  for (const gate::Port& port : netlist.ports) ports_.emplace(port.name, port.bits);
  for (const MemoryPorts& ports : memories) memories_.emplace_back(ports);
}

void GateAccelerator::settle(AcceleratorSignals& signals, bool reset) {
  put("rst_ni", reset ? 0 : 1);
  drive(signals.bus);
  drive(signals.lite);
  for (const Memory& memory : memories_) memory.drive(simulator_);
  simulator_.settle(reset ? 0 : kCopies);
  if (!reset) observe_(simulator_);
  sample(signals.bus);
  sample(signals.lite);
  signals.interrupt = get("irq_o") != 0;
}

void GateAccelerator::rise() {
  for (Memory& memory : memories_) memory.rise(simulator_);
  simulator_.clock();
}

void GateAccelerator::put(const char* port, std::uint64_t value) {
  for (const gate::Net net : ports_.at(port)) {
    simulator_.set(net, (value & 1) != 0 ? kCopies : 0);
    value >>= 1;
  }
}

void GateAccelerator::put(const char* port, const std::vector<std::uint8_t>& bytes) {
  const std::vector<gate::Net>& nets = ports_.at(port);
  for (std::size_t i = 0; i < nets.size() && i / 8 < bytes.size(); ++i) {
    simulator_.set(nets[i], (bytes[i / 8] >> i % 8 & 1) != 0 ? kCopies : 0);
  }
}

std::uint64_t GateAccelerator::get(const char* port) const {
  return number(simulator_, ports_.at(port));
}

void GateAccelerator::drive(const AxiBus& bus) {
  put("m_axi_arready_i", bus.ar_ready);
  put("m_axi_rvalid_i", bus.r_valid);
  put("m_axi_rid_i", bus.r_id);
  put("m_axi_rdata_i", bus.r_data);
  put("m_axi_rresp_i", bus.r_resp);
  put("m_axi_rlast_i", bus.r_last);
  put("m_axi_awready_i", bus.aw_ready);
  put("m_axi_wready_i", bus.w_ready);
  put("m_axi_bvalid_i", bus.b_valid);
  put("m_axi_bresp_i", bus.b_resp);
}

void GateAccelerator::drive(const AxiLiteBus& lite) {
  put("s_axi_awvalid_i", lite.aw_valid);
  put("s_axi_awaddr_i", lite.aw_addr);
  put("s_axi_wvalid_i", lite.w_valid);
  put("s_axi_wdata_i", lite.w_data);
  put("s_axi_wstrb_i", lite.w_strb);
  put("s_axi_bready_i", lite.b_ready);
  put("s_axi_arvalid_i", lite.ar_valid);
  put("s_axi_araddr_i", lite.ar_addr);
  put("s_axi_rready_i", lite.r_ready);
}

void GateAccelerator::sample(AxiBus& bus) const {
  bus.ar_valid = get("m_axi_arvalid_o") != 0;
  bus.ar_id = static_cast<unsigned>(get("m_axi_arid_o"));
  bus.ar_addr = get("m_axi_araddr_o");
  bus.ar_len = static_cast<unsigned>(get("m_axi_arlen_o"));
  bus.r_ready = get("m_axi_rready_o") != 0;
  bus.aw_valid = get("m_axi_awvalid_o") != 0;
  bus.aw_addr = get("m_axi_awaddr_o");
  bus.aw_len = static_cast<unsigned>(get("m_axi_awlen_o"));
  bus.aw_bytes = 1U << get("m_axi_awsize_o");
  bus.w_valid = get("m_axi_wvalid_o") != 0;
  const std::vector<gate::Net>& data = ports_.at("m_axi_wdata_o");
  bus.w_data.assign(data.size() / 8, 0);
  for (std::size_t i = 0; i < data.size(); ++i) {
    if (bit(simulator_, data[i])) bus.w_data[i / 8] |= static_cast<std::uint8_t>(1U << i % 8);
  }
  bus.w_strb = get("m_axi_wstrb_o");
  bus.w_last = get("m_axi_wlast_o") != 0;
  bus.b_ready = get("m_axi_bready_o") != 0;
}

void GateAccelerator::sample(AxiLiteBus& lite) const {
  lite.aw_ready = get("s_axi_awready_o") != 0;
  lite.w_ready = get("s_axi_wready_o") != 0;
  lite.b_valid = get("s_axi_bvalid_o") != 0;
  lite.b_resp = static_cast<unsigned>(get("s_axi_bresp_o"));
  lite.ar_ready = get("s_axi_arready_o") != 0;
  lite.r_valid = get("s_axi_rvalid_o") != 0;
  lite.r_data = static_cast<std::uint32_t>(get("s_axi_rdata_o"));
  lite.r_resp = static_cast<unsigned>(get("s_axi_rresp_o"));
}

}  // namespace td::verify
