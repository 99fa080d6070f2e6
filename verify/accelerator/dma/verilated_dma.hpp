// SPDX-License-Identifier: Apache-2.0
// A verilated module dma_bench, of any sizes.
#pragma once

#include <verilated.h>

#include <cstring>
#include <vector>

#include "verify/accelerator/dma/dma_model.hpp"
#include "verify/accelerator/power_on.hpp"

namespace td::verify {

template <class Verilated>
class VerilatedDma : public DmaModel {
 public:
  VerilatedDma() { power_on(model_); }

  void settle(DmaSignals& s, bool reset) override {
    model_.rst_ni = !reset;
    model_.window_begin_i = s.window_begin;
    model_.window_end_i = s.window_end;
    model_.halt_i = s.halt;
    model_.load_valid_i = s.load.valid;
    put(model_.load_i, s.load.desc.data(), sizeof s.load.desc);
    model_.store_valid_i = s.store.valid;
    put(model_.store_i, s.store.desc.data(), sizeof s.store.desc);
    model_.fetch_ar_valid_i = s.fetch_ar_valid;
    model_.fetch_ar_addr_i = s.fetch_ar_addr;
    model_.fetch_ar_len_i = static_cast<CData>(s.fetch_ar_len);
    model_.fetch_r_ready_i = s.fetch_r_ready;
    put(model_.read_data_i, s.read_data.data(), s.read_data.size());
    model_.ar_ready_i = s.bus.ar_ready;
    model_.r_valid_i = s.bus.r_valid;
    model_.r_id_i = s.bus.r_id & 1;
    put(model_.r_data_i, s.bus.r_data.data(), s.bus.r_data.size());
    model_.r_resp_i = s.bus.r_resp & 3;
    model_.r_last_i = s.bus.r_last;
    model_.aw_ready_i = s.bus.aw_ready;
    model_.w_ready_i = s.bus.w_ready;
    model_.b_valid_i = s.bus.b_valid;
    model_.b_resp_i = s.bus.b_resp & 3;
    model_.clk_i = 0;
    model_.eval();
    engine(s.load, model_.load_ready_o, model_.load_done_o, model_.load_error_o,
           model_.load_quiet_o);
    engine(s.store, model_.store_ready_o, model_.store_done_o, model_.store_error_o,
           model_.store_quiet_o);
    s.fetch_ar_ready = model_.fetch_ar_ready_o;
    s.fetch_r_valid = model_.fetch_r_valid_o;
    s.write_en = model_.write_en_o;
    s.write_row = model_.write_row_o;
    s.write_interleave = model_.write_interleave_o;
    get(s.write_data, model_.write_data_o);
    s.read_en = model_.read_en_o;
    s.read_tile = model_.read_tile_o;
    std::memcpy(s.read_row.data(), static_cast<const void*>(&model_.read_row_o),
                sizeof model_.read_row_o);
    s.written = model_.written_o;
    s.result_count = model_.result_count_o;
    s.zero_count = model_.zero_count_o;
    s.bus.ar_valid = model_.ar_valid_o;
    s.bus.ar_id = model_.ar_id_o;
    s.bus.ar_addr = model_.ar_addr_o;
    s.bus.ar_len = model_.ar_len_o;
    s.bus.r_ready = model_.r_ready_o;
    s.bus.aw_valid = model_.aw_valid_o;
    s.bus.aw_addr = model_.aw_addr_o;
    s.bus.aw_len = model_.aw_len_o;
    s.bus.w_valid = model_.w_valid_o;
    get(s.bus.w_data, model_.w_data_o);
    s.bus.w_strb = model_.w_strb_o;
    s.bus.w_last = model_.w_last_o;
    s.bus.b_ready = model_.b_ready_o;
  }

  void edge() override {
    model_.clk_i = 1;
    model_.eval();
  }

 private:
  template <class Port>
  static void put(Port& port, const void* bytes, std::size_t size) {
    std::memcpy(static_cast<void*>(&port), bytes, size);
  }
  template <class Port>
  static void get(std::vector<std::uint8_t>& bytes, const Port& port) {
    std::memcpy(bytes.data(), static_cast<const void*>(&port), bytes.size());
  }
  static void engine(EngineSignals& s, bool ready, bool done, unsigned error, bool quiet) {
    s.ready = ready;
    s.done = done;
    s.error = error;
    s.quiet = quiet;
  }

  Verilated model_;
};

}  // namespace td::verify
