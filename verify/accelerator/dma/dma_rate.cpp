// SPDX-License-Identifier: Apache-2.0
#include "verify/accelerator/dma/dma_rate.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "verify/accelerator/axi_memory.hpp"

namespace td::verify {
namespace {

constexpr std::uint64_t kBegin = 0x10000;
constexpr unsigned kRows = 256;
constexpr unsigned kBursts = 4;        ///< that may be on the way
constexpr unsigned kRateHang = 10000;  ///< clocks

/// Clocks from the first beat to the last of a transfer, and how many beats it had.
struct Rate {
  unsigned clocks = 0;
  unsigned beats = 0;
};

Rate measure(DmaModel& model, const DmaShape& shape, const Transfer& transfer) {
  AxiMemorySettings settings;
  settings.beat_bytes = shape.beat_bytes();
  settings.begin = kBegin;
  settings.latency = 40;
  AxiMemory memory(settings);
  memory.watch_read(kBegin, kBegin + settings.bytes);
  memory.watch_written(kBegin, kBegin + settings.bytes);
  DmaSignals s;
  s.window_begin = kBegin;
  s.window_end = kBegin + settings.bytes;
  s.write_data.resize(shape.write_rows() * shape.row_bytes());
  s.bus.w_data.resize(shape.beat_bytes());
  s.bus.aw_bytes = shape.beat_bytes();
  s.read_data.resize(std::size_t{4} * shape.lanes * shape.beat_rows);
  EngineSignals& engine = transfer.store ? s.store : s.load;
  engine.desc = transfer.words();
  Rate rate;
  unsigned first = 0;
  for (unsigned clock = 0; clock < kRateHang && !engine.done; ++clock) {
    const bool reset = clock < 2;
    engine.valid = clock == 2 || (engine.valid && !engine.ready);
    memory.drive(s.bus);
    model.settle(s, reset);
    if (!reset) memory.edge(s.bus);
    model.edge();
    if (transfer.store ? s.bus.w_valid && s.bus.w_ready : s.bus.r_valid) {
      if (rate.beats++ == 0) first = clock;
      rate.clocks = clock - first + 1;
    }
  }
  return rate;
}

}  // namespace

std::vector<std::string> check_rates(DmaModel& model, const DmaShape& shape) {
  std::vector<std::string> faults;
  for (const bool store : {false, true}) {
    for (const bool wide : {false, true}) {
      if (wide && !store) continue;
      for (const bool scattered : {false, true}) {
        Transfer t;
        t.store = store;
        t.wide = wide;
        t.address = kBegin;
        const unsigned words = shape.result_words * shape.segment / shape.lanes;
        const unsigned rows = std::min(kRows, store ? words : shape.operand_rows);
        t.rows = scattered ? 1 : rows;
        t.segments = scattered ? kBursts : 1;
        t.segment_pitch = 4 * shape.beat_bytes();
        t.word_pitch = shape.lanes / shape.segment;
        const Rate rate = measure(model, shape, t);
        const unsigned rows_of_memory = t.rows * shape.lanes / results_of_beat(shape, t);
        const unsigned beats =
            t.segments * ((rows_of_memory + shape.beat_rows - 1) / shape.beat_rows);
        if (rate.beats != beats || rate.clocks != beats) {
          faults.push_back(fmt::format("{}{}{}: {} beats in {} clocks, not {} in as many",
                                       scattered ? "scattered " : "", wide ? "wide " : "",
                                       store ? "store" : "load", rate.beats, rate.clocks, beats));
        }
      }
    }
  }
  return faults;
}

}  // namespace td::verify
