// SPDX-License-Identifier: Apache-2.0
// The netlist of an accelerator, as its testbench sees it: gates around memories of words.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <unordered_map>
#include <vector>

#include "sim/gate/netlist/netlist.hpp"
#include "sim/gate/simulation/simulator.hpp"
#include "verify/accelerator/accelerator_model.hpp"

namespace td::verify {

/// The ports of a memory's instance in a netlist.
struct MemoryPorts {
  std::vector<gate::Net> write_en, write_word, write_data, read_en, read_word, read_data;
};

/// Takes the memories' gates out of a netlist, which stand for macros there; what they read becomes
/// inputs of the netlist.
std::vector<MemoryPorts> cut_memories(gate::Netlist& netlist, const std::string& configuration);

class GateAccelerator : public AcceleratorModel {
 public:
  /// Of a netlist that was cut; `observe` sees every counted clock. All must outlive this.
  GateAccelerator(const gate::Netlist& netlist, const gate::Library& library,
                  const std::vector<MemoryPorts>& memories,
                  std::function<void(const gate::Simulator&)> observe);

  void settle(AcceleratorSignals& signals, bool reset) override;
  void rise() override;

  gate::Simulator& simulator() { return simulator_; }

 private:
  /// td1_ram's words, a byte for each bit.
  struct Memory {
    explicit Memory(const MemoryPorts& ports);
    void rise(const gate::Simulator& simulator);
    void drive(gate::Simulator& simulator) const;

    const MemoryPorts& at;
    std::vector<std::uint8_t> bits;
    std::vector<std::uint8_t> read;
  };

  void put(const char* port, std::uint64_t value);
  void put(const char* port, const std::vector<std::uint8_t>& bytes);
  std::uint64_t get(const char* port) const;
  void drive(const AxiBus& bus);
  void drive(const AxiLiteBus& lite);
  void sample(AxiBus& bus) const;
  void sample(AxiLiteBus& lite) const;

  gate::Simulator simulator_;
  std::unordered_map<std::string, std::vector<gate::Net>> ports_;
  std::vector<Memory> memories_;
  std::function<void(const gate::Simulator&)> observe_;
};

}  // namespace td::verify
