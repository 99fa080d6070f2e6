// SPDX-License-Identifier: Apache-2.0
// What a run must leave in memories.
#include <fmt/format.h>

#include <algorithm>

#include "verify/accelerator/dma/dma_run.hpp"

namespace td::verify {

/// Of transfers that are done, every byte; of the one that failed by itself, its legal bursts; of
/// what was stopped, any of its bytes or none.
void DmaRun::expect_stores() {
  const unsigned beat = shape_.row_bytes();
  const bool exact = !store_.bus_error && (halt_at_ == kNever || s_.store.error != 0);
  Bytes bytes(beat);
  for (std::size_t i = 0; i < store_.transfers.size() && i <= store_.fails; ++i) {
    const Transfer& t = store_.transfers[i];
    const bool open = i >= store_.done && !exact;
    const unsigned count = results_of_beat(shape_, t);
    const std::size_t first = std::size_t{t.target} * shape_.result_words * shape_.segment;
    walk(shape_, t, window_, [&](std::uint64_t address, std::uint64_t local) {
      for (unsigned k = 0; k < count; ++k) {
        const bool zero =
            write_result(shape_, t, results_[first + local + k], &bytes[k * beat / count]);
        zeros_wanted_ += zero;
      }
      results_wanted_ += count;
      written_wanted_ += beat;
      for (unsigned k = 0; k < beat; ++k) {
        image_[address - settings_.begin + k] = bytes[k];
        image_open_[address - settings_.begin + k] = open;
      }
    });
  }
}

void DmaRun::expect_loads() {
  const unsigned beat = shape_.row_bytes();
  const bool exact = !load_.bus_error && (halt_at_ == kNever || s_.load.error != 0);
  const DmaImage image = {image_, settings_.begin};
  Bytes stored(image_.size());  // bytes that change meanwhile
  for (const Transfer& t : store_.transfers) {
    walk(shape_, t, window_, [&](std::uint64_t address, std::uint64_t) {
      std::fill_n(stored.begin() + static_cast<std::ptrdiff_t>(address - settings_.begin), beat, 1);
    });
  }
  for (std::size_t i = 0; i < load_.transfers.size() && i <= load_.fails; ++i) {
    const Transfer& t = load_.transfers[i];
    const bool open = i >= load_.done && !exact;
    walk(
        shape_, t, window_,
        [&](std::uint64_t address, std::uint64_t local) {
          const std::size_t row = row_place(t.target, local);
          const Bytes bytes = loaded_row(shape_, t, image, address);
          for (unsigned k = 0; k < beat; ++k) {
            wanted_rows_[row + k] = bytes[k];
            rows_open_[row + k] = open || stored[address - settings_.begin + k] != 0;
          }
          wanted_rows_[row + beat] = static_cast<std::uint8_t>(t.interleave);
          rows_open_[row + beat] = open;
        },
        &image);
  }
  if (load_.code == kPacked) open_rows_behind();
}

/// Rows of a packed block that does not add up may come, and those on the way behind it.
void DmaRun::open_rows_behind() {
  for (std::size_t i = load_.fails; i < load_.transfers.size(); ++i) {
    const Transfer& t = load_.transfers[i];
    walk(shape_, t, window_, [&](std::uint64_t, std::uint64_t local) {
      const auto row = static_cast<std::ptrdiff_t>(row_place(t.target, local));
      std::fill_n(rows_open_.begin() + row, shape_.row_bytes() + 1, 1);
    });
  }
}

void DmaRun::compare(const char* what, const Bytes& is, const Bytes& should, const Bytes& open) {
  for (std::size_t i = 0; i < is.size(); ++i) {
    if (open[i] != 0) continue;
    ++count_.bytes;
    if (is[i] != should[i]) {
      fault(fmt::format("{}: byte {:#x} is {:#04x}, not {:#04x}", what, i, is[i], should[i]));
      return;
    }
  }
}

}  // namespace td::verify
