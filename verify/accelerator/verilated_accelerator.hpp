// SPDX-License-Identifier: Apache-2.0
// The top that tdgen emits, verilated.
#pragma once

#include <verilated.h>

#include <cstring>
#include <stdexcept>
#include <vector>

#include "verify/accelerator/accelerator_model.hpp"
#include "verify/accelerator/power_on.hpp"

namespace td::verify {

template <class Verilated>
class VerilatedAccelerator : public AcceleratorModel {
 public:
  VerilatedAccelerator() { power_on(model_); }
  ~VerilatedAccelerator() override { model_.final(); }

  void settle(AcceleratorSignals& signals, bool reset) override {
    model_.rst_ni = !reset;
    drive(signals.bus);
    drive(signals.lite);
    model_.clk_i = 0;
    model_.eval();
    sample(signals.bus);
    sample(signals.lite);
    signals.interrupt = model_.irq_o;
  }

  void rise() override {
    model_.clk_i = 1;
    model_.eval();
  }

 private:
  void drive(const AxiBus& bus) {
    model_.m_axi_arready_i = bus.ar_ready;
    model_.m_axi_rvalid_i = bus.r_valid;
    model_.m_axi_rid_i = bus.r_id & 1;
    // A word of a row is in the memory as in the model: the machine is little endian, too.
    if (!bus.r_data.empty()) {
      std::memcpy(&model_.m_axi_rdata_i, bus.r_data.data(), bus.r_data.size());
    }
    model_.m_axi_rresp_i = bus.r_resp & 3;
    model_.m_axi_rlast_i = bus.r_last;
    model_.m_axi_awready_i = bus.aw_ready;
    model_.m_axi_wready_i = bus.w_ready;
    model_.m_axi_bvalid_i = bus.b_valid;
    model_.m_axi_bresp_i = bus.b_resp & 3;
  }

  void drive(const AxiLiteBus& lite) {
    model_.s_axi_awvalid_i = lite.aw_valid;
    model_.s_axi_awaddr_i = lite.aw_addr & 0xfff;
    model_.s_axi_wvalid_i = lite.w_valid;
    model_.s_axi_wdata_i = lite.w_data;
    model_.s_axi_wstrb_i = lite.w_strb & 0xf;
    model_.s_axi_bready_i = lite.b_ready;
    model_.s_axi_arvalid_i = lite.ar_valid;
    model_.s_axi_araddr_i = lite.ar_addr & 0xfff;
    model_.s_axi_rready_i = lite.r_ready;
  }

  void sample(AxiBus& bus) {
    constexpr std::size_t beat = sizeof model_.m_axi_wdata_o;
    if (model_.m_axi_arburst_o != 1 || model_.m_axi_awburst_o != 1 ||
        std::size_t{1} << model_.m_axi_arsize_o != beat ||
        std::size_t{1} << model_.m_axi_awsize_o != beat) {
      throw std::runtime_error("addresses do not count up, or bursts are not of whole beats");
    }
    bus.ar_valid = model_.m_axi_arvalid_o;
    bus.ar_id = model_.m_axi_arid_o;
    bus.ar_addr = model_.m_axi_araddr_o;
    bus.ar_len = model_.m_axi_arlen_o;
    bus.r_ready = model_.m_axi_rready_o;
    bus.aw_valid = model_.m_axi_awvalid_o;
    bus.aw_addr = model_.m_axi_awaddr_o;
    bus.aw_len = model_.m_axi_awlen_o;
    bus.w_valid = model_.m_axi_wvalid_o;
    bus.aw_bytes = 1U << model_.m_axi_awsize_o;
    bus.w_data.resize(beat);
    std::memcpy(bus.w_data.data(), &model_.m_axi_wdata_o, beat);
    std::memcpy(&bus.w_strb, &model_.m_axi_wstrb_o, (beat + 7) / 8);
    bus.w_last = model_.m_axi_wlast_o;
    bus.b_ready = model_.m_axi_bready_o;
  }

  void sample(AxiLiteBus& lite) {
    lite.aw_ready = model_.s_axi_awready_o;
    lite.w_ready = model_.s_axi_wready_o;
    lite.b_valid = model_.s_axi_bvalid_o;
    lite.b_resp = model_.s_axi_bresp_o;
    lite.ar_ready = model_.s_axi_arready_o;
    lite.r_valid = model_.s_axi_rvalid_o;
    lite.r_data = model_.s_axi_rdata_o;
    lite.r_resp = model_.s_axi_rresp_o;
  }

  Verilated model_;
};

}  // namespace td::verify
