// SPDX-License-Identifier: Apache-2.0
// A verilated td1_control, of any sizes.
#pragma once

#include <verilated.h>

#include <cstring>

#include "verify/accelerator/control/signals.hpp"
#include "verify/accelerator/power_on.hpp"

namespace td::verify {

template <class Verilated>
class VerilatedControl : public ControlModel {
 public:
  explicit VerilatedControl(unsigned beat_rows) : beat_rows_(beat_rows) { power_on(model_); }

  unsigned beat_bytes() const override { return sizeof model_.fetch_r_data_i; }
  unsigned beat_rows() const override { return beat_rows_; }

  void settle(ControlSignals& s, bool reset) override {
    model_.rst_ni = !reset;
    model_.clk_i = 0;
    put_bus(s);
    put_engines(s);
    model_.eval();
    get(s);
  }

  void edge() override {
    model_.clk_i = 1;
    model_.eval();
  }

 private:
  void put_bus(const ControlSignals& s) {
    model_.aw_valid_i = s.registers.aw_valid;
    model_.aw_addr_i = s.registers.aw_addr & 0xfff;
    model_.w_valid_i = s.registers.w_valid;
    model_.w_data_i = s.registers.w_data;
    model_.w_strb_i = s.registers.w_strb & 15;
    model_.b_ready_i = s.registers.b_ready;
    model_.ar_valid_i = s.registers.ar_valid;
    model_.ar_addr_i = s.registers.ar_addr & 0xfff;
    model_.r_ready_i = s.registers.r_ready;
    model_.fetch_ar_ready_i = s.fetch_ar_ready;
    model_.fetch_r_valid_i = s.fetch_r_valid;
    model_.fetch_r_resp_i = s.fetch_r_resp & 3;
    std::memcpy(static_cast<void*>(&model_.fetch_r_data_i), s.fetch_r_data.data(), beat_bytes());
  }

  void put_engines(const ControlSignals& s) {
    const auto& [load, compute, store] = s.engines;
    model_.load_ready_i = load.ready;
    model_.load_done_i = load.done;
    model_.load_error_i = load.error & 15;
    model_.load_quiet_i = load.quiet;
    model_.compute_ready_i = compute.ready;
    model_.compute_done_i = compute.done;
    model_.compute_error_i = compute.error & 15;
    model_.store_ready_i = store.ready;
    model_.store_done_i = store.done;
    model_.store_error_i = store.error & 15;
    model_.store_quiet_i = store.quiet;
    model_.read_beat_i = s.read_beat;
    model_.written_i = static_cast<CData>(s.written);
    model_.stepped_i = s.stepped;
    model_.waiting_i = s.waiting;
    model_.filling_i = s.filling;
    model_.result_count_i = s.results & 0xff;
    model_.zero_count_i = s.zeros & 0xff;
    model_.nonfinite_i = s.nonfinite & 0x7f;
  }

  void get(ControlSignals& s) {
    s.registers.aw_ready = model_.aw_ready_o;
    s.registers.w_ready = model_.w_ready_o;
    s.registers.b_valid = model_.b_valid_o;
    s.registers.b_resp = model_.b_resp_o;
    s.registers.ar_ready = model_.ar_ready_o;
    s.registers.r_valid = model_.r_valid_o;
    s.registers.r_resp = model_.r_resp_o;
    s.registers.r_data = model_.r_data_o;
    s.fetch_ar_valid = model_.fetch_ar_valid_o;
    s.fetch_r_ready = model_.fetch_r_ready_o;
    s.fetch_ar_addr = model_.fetch_ar_addr_o;
    s.fetch_ar_len = model_.fetch_ar_len_o;
    s.irq = model_.irq_o;
    s.halt = model_.halt_o;
    s.engines_reset = !model_.engine_rst_no;
    engine(s.engines[0], model_.load_valid_o, model_.load_o);
    engine(s.engines[1], model_.compute_valid_o, model_.compute_o);
    engine(s.engines[2], model_.store_valid_o, model_.store_o);
  }

  template <class Port>
  static void engine(EngineSignals& s, bool valid, const Port& port) {
    s.valid = valid;
    std::memcpy(s.desc.data(), static_cast<const void*>(&port), sizeof port);
  }

  unsigned beat_rows_;
  Verilated model_;
};

}  // namespace td::verify
