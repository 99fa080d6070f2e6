// SPDX-License-Identifier: Apache-2.0
#include "base/configuration/geometry.hpp"
#include "gen/design/accelerator_top.hpp"

namespace td {

std::vector<Port> accelerator_ports(const Config& config) {
  constexpr auto in = Direction::input;
  constexpr auto out = Direction::output;
  const int beat = static_cast<int>(geometry_of(config).beat_bytes());
  const int address = kAddressBits;
  const int offset = kRegisterBits;
  return {
      {in, "clk_i", 1, {}, "clock"},
      {in, "rst_ni", 1, {}, "asynchronous reset, active low"},
      {out, "irq_o", 1, {}, "interrupt, high until the driver clears it"},
      {in, "s_axi_awvalid_i", 1, {}, "registers, AXI4-Lite: write address"},
      {out, "s_axi_awready_o", 1, {}, "..."},
      {in, "s_axi_awaddr_i", offset, {}, "..."},
      {in, "s_axi_wvalid_i", 1, {}, "write data"},
      {out, "s_axi_wready_o", 1, {}, "..."},
      {in, "s_axi_wdata_i", 32, {}, "..."},
      {in, "s_axi_wstrb_i", 4, {}, "..."},
      {out, "s_axi_bvalid_o", 1, {}, "write response"},
      {in, "s_axi_bready_i", 1, {}, "..."},
      {out, "s_axi_bresp_o", 2, {}, "..."},
      {in, "s_axi_arvalid_i", 1, {}, "read address"},
      {out, "s_axi_arready_o", 1, {}, "..."},
      {in, "s_axi_araddr_i", offset, {}, "..."},
      {out, "s_axi_rvalid_o", 1, {}, "read data"},
      {in, "s_axi_rready_i", 1, {}, "..."},
      {out, "s_axi_rdata_o", 32, {}, "..."},
      {out, "s_axi_rresp_o", 2, {}, "..."},
      {out, "m_axi_awvalid_o", 1, {}, "memory, AXI4: write address"},
      {in, "m_axi_awready_i", 1, {}, "..."},
      {out, "m_axi_awaddr_o", address, {}, "..."},
      {out, "m_axi_awlen_o", 8, {}, "..."},
      {out, "m_axi_awsize_o", 3, {}, "..."},
      {out, "m_axi_awburst_o", 2, {}, "..."},
      {out, "m_axi_wvalid_o", 1, {}, "write data"},
      {in, "m_axi_wready_i", 1, {}, "..."},
      {out, "m_axi_wdata_o", 8 * beat, {}, "..."},
      {out, "m_axi_wstrb_o", beat, {}, "..."},
      {out, "m_axi_wlast_o", 1, {}, "..."},
      {in, "m_axi_bvalid_i", 1, {}, "write response"},
      {out, "m_axi_bready_o", 1, {}, "..."},
      {in, "m_axi_bresp_i", 2, {}, "..."},
      {out, "m_axi_arvalid_o", 1, {}, "read address"},
      {in, "m_axi_arready_i", 1, {}, "..."},
      {out, "m_axi_arid_o", 1, {}, "0: operands, 1: descriptors"},
      {out, "m_axi_araddr_o", address, {}, "..."},
      {out, "m_axi_arlen_o", 8, {}, "..."},
      {out, "m_axi_arsize_o", 3, {}, "..."},
      {out, "m_axi_arburst_o", 2, {}, "..."},
      {in, "m_axi_rvalid_i", 1, {}, "read data"},
      {out, "m_axi_rready_o", 1, {}, "..."},
      {in, "m_axi_rid_i", 1, {}, "..."},
      {in, "m_axi_rdata_i", 8 * beat, {}, "..."},
      {in, "m_axi_rresp_i", 2, {}, "..."},
      {in, "m_axi_rlast_i", 1, {}, "..."},
  };
}

}  // namespace td
