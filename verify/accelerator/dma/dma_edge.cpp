// SPDX-License-Identifier: Apache-2.0
// What happens at a clock edge of a run, and what must not.
#include <fmt/format.h>

#include <algorithm>

#include "verify/accelerator/dma/dma_run.hpp"

namespace td::verify {

void DmaRun::fetch_edge() {
  if (s_.fetch_r_valid && s_.fetch_r_ready) {
    if (fetch_left_ == 0) {
      fault("the other reader gets what it did not ask for");
    } else {
      if (!std::equal(s_.bus.r_data.begin(), s_.bus.r_data.end(),
                      image_.begin() + static_cast<std::ptrdiff_t>(fetch_address_))) {
        fault("the other reader gets wrong bytes");
      }
      fetch_address_ += shape_.beat_bytes();
      --fetch_left_;
      ++count_.fetched;
    }
  }
  if (s_.fetch_ar_valid && s_.fetch_ar_ready) {
    fetch_asks_ = false;
    fetch_left_ = s_.fetch_ar_len + 1;
  }
}

void DmaRun::engine_edge(Engine& engine) {
  EngineSignals& signals = *engine.signals;
  if (signals.valid && signals.ready) {
    signals.valid = false;
    ++engine.next;
  }
  if (!signals.done) return;
  if (++engine.done > engine.next || engine.done > engine.fails) {
    fault(fmt::format("{} done is one too many", engine.done));
  }
}

void DmaRun::memories_edge() {
  const std::ptrdiff_t bytes = shape_.row_bytes();
  for (unsigned i = 0; i < 2 * shape_.write_rows(); ++i) {
    if (((s_.write_en >> i) & 1U) == 0) continue;
    const unsigned side = i / shape_.write_rows(), place = i % shape_.write_rows();
    // Numbers wrap: the first row of a beat may be none of the burst's.
    const unsigned row = (s_.write_row + place) & (shape_.row_numbers() - 1);
    if (row >= shape_.operand_rows) fault(fmt::format("row {} written", row));
    const std::size_t at = row_place(side, row) % rows_.size();
    std::copy_n(s_.write_data.begin() + place * bytes, bytes,
                rows_.begin() + static_cast<std::ptrdiff_t>(at));
    rows_[at + shape_.row_bytes()] = static_cast<std::uint8_t>(s_.write_interleave);
  }
  reading_[1] = reading_[0];
  reading_[0].fill(-1);
  const unsigned results = shape_.result_words * shape_.segment;  // of a tile
  for (unsigned set = 0; set < shape_.beat_rows; ++set) {
    if (((s_.read_en >> set) & 1U) == 0) continue;
    const unsigned row = s_.read_row[set] * shape_.beat_rows + set;
    if (s_.read_tile >= shape_.tiles || (row + 1) * shape_.lanes > results) {
      fault(fmt::format("row {} of tile {} read", row, s_.read_tile));
    } else {
      reading_[0][set] = static_cast<int>(s_.read_tile * results + row * shape_.lanes);
    }
  }
}

/// Of bytes that were written in the clock before, how many they are, how many results, and how
/// many of these are 0 or -0.
void DmaRun::counts_edge() {
  results_seen_ += s_.result_count;
  zeros_seen_ += s_.zero_count;
  written_seen_ += s_.written;
  const std::size_t size = s_.result_count == 0 ? 0 : written_.size() / s_.result_count;
  const bool whole = size * s_.result_count == written_.size() &&
                     (written_.empty() || size == 4 || size == shape_.width / 8);
  unsigned zeros = 0;
  for (std::size_t at = 0; whole && at < written_.size(); at += size) {
    unsigned bits = written_[at + size - 1] & 0x7fU;  // without the sign
    for (std::size_t i = 0; i + 1 < size; ++i) bits |= written_[at + i];
    zeros += bits == 0;
  }
  if (s_.written != written_.size() || !whole || s_.zero_count != zeros) {
    fault(fmt::format("{} bytes, {} results, {} zeros are told of {} bytes, {} zeros", s_.written,
                      s_.result_count, s_.zero_count, written_.size(), zeros));
  }
  written_.clear();
  for (std::size_t i = 0; i < s_.bus.w_data.size(); ++i) {
    const bool strobe = (s_.bus.w_strb >> i & 1U) != 0;
    if (s_.bus.w_valid && s_.bus.w_ready && strobe) written_.push_back(s_.bus.w_data[i]);
  }
}

/// What the engines may still do once they are stopped: what was offered stays as it is.
void DmaRun::bus_edge() {
  const AxiBus& bus = s_.bus;
  if (bus.w_valid && bus.w_ready) {
    if (store_.stopped && bus.w_strb != 0 && ++late_beats_ > 1) {
      fault("beats are written after the halt");
    }
  }
  load_.late += load_.stopped && bus.ar_valid && bus.ar_ready && bus.ar_id == 0;
  store_.late += store_.stopped && bus.aw_valid && bus.aw_ready;
  for (Engine* engine : {&load_, &store_}) {
    if (engine->late > 1) fault("new bursts after the halt");
    engine->stopped |= s_.halt || engine->signals->error != 0;
  }
  load_.bus_error |= bus.r_valid && bus.r_id == 0 && bus.r_resp > 1 && !s_.halt;
  store_.bus_error |= bus.b_valid && bus.b_resp > 1 && !s_.halt;
}

}  // namespace td::verify
