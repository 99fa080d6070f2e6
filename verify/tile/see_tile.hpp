// SPDX-License-Identifier: Apache-2.0
// What coverage is told of a clock: the tile's signals and ports, as the next rising edge finds
// them.
#pragma once

#include <Vtile___024root.h>

#include <algorithm>

#include "sim/arithmetic/fp8.hpp"
#include "sim/replay/stimulus.hpp"
#include "verify/replay/coverage/seen.hpp"
#include "verify/tile/signals.hpp"

namespace td::verify {

inline int ones(std::uint32_t bits) { return __builtin_popcount(bits); }

/// `width` bits (at most 64) of a signal from bit `low`.
inline std::uint64_t bits(std::uint64_t signal, int low, int width) {
  return (signal >> low) & (~std::uint64_t{0} >> (64 - width));
}
template <std::size_t Words>
std::uint64_t bits(const VlWide<Words>& signal, int low, int width) {
  std::uint64_t value = 0;
  for (int i = 0; i < width; ++i) {
    const std::uint32_t word = signal[static_cast<std::size_t>((low + i) / 32)];
    value |= std::uint64_t{word >> ((low + i) % 32) & 1} << i;
  }
  return value;
}

/// The rows that move at a side's port, and what the tile holds of it. e5m2: see Offer.
template <int Bits>
void see_side(const Config& config, const Pin<Bits>& rows, std::uint32_t e5m2, int lines,
              SeenSide& side) {
  const int bits = stored_width(config.format);
  const int of_row = lines * config.lanes;
  const int elements = std::min(side.offered, side.ready) * of_row;
  for (int i = 0; i < elements; ++i) {
    const auto stored = static_cast<std::uint32_t>(field<Bits>(rows, i * bits, bits));
    const sim::Fp8 kind = (e5m2 >> i / of_row & 1) != 0 ? sim::Fp8::e5m2 : sim::Fp8::e4m3;
    side.moved.push_back(config.format == Format::fp8 ? sim::from_code(kind, stored) : stored);
  }
}

#ifdef TD_DENSE_TILE
/// A dense tile has one row, all of which is taken.
inline void see_choices(const Config&, const Vtile___024root& root, Seen& seen) {
  seen.dense = true;
  seen.eligible = 1;
  seen.advance = root.TD_STEP != 0 ? 1 : 0;
}
#else
inline void see_choices(const Config& config, const Vtile___024root& root, Seen& seen) {
  seen.dense = root.TD_MODE != 0;
  seen.eligible = ones(root.TD_ELIGIBLE);
  seen.advance = root.TD_ADVANCE == 0 ? 0 : 1 + __builtin_ctz(root.TD_ADVANCE);
  const int options = static_cast<int>(config.options.size());
#define TD_APPEND_SELECT(signal)         \
  for (int i = 0; i < config.lanes; ++i) \
    seen.selects.push_back(bits(root.signal, i* options, options));
#define TD_APPEND_CLEAR(signal) \
  seen.row_advance.push_back(   \
      std::min(seen.eligible, __builtin_ctz(~static_cast<std::uint32_t>(root.signal))));
  TD_SELECTS(TD_APPEND_SELECT)
  TD_CLEARS(TD_APPEND_CLEAR)
#undef TD_APPEND_SELECT
#undef TD_APPEND_CLEAR
}
#endif

inline Seen see_tile(const Config& config, const Signals& signals, const Vtile___024root& root,
                     const replay::Stimulus& stimulus) {
  Seen seen;
  seen.open = root.TD_OPEN != 0;
  seen.enable = root.TD_ENABLE != 0;
  seen.step = root.TD_STEP != 0;
  seen.final_step = root.TD_FINAL_STEP != 0;
  see_choices(config, root, seen);
  seen.a = {ones(root.TD_A_PRESENT),
            static_cast<int>(signals.a_valid.read()),
            static_cast<int>(signals.a_ready.read()),
            stimulus.more(replay::Side::a),
            {}};
  seen.b = {ones(root.TD_B_PRESENT),
            static_cast<int>(signals.b_valid.read()),
            static_cast<int>(signals.b_ready.read()),
            stimulus.more(replay::Side::b),
            {}};
#ifdef TD_FP8
  const auto a_e5m2 = static_cast<std::uint32_t>(signals.a_e5m2.read());
  const auto b_e5m2 = static_cast<std::uint32_t>(signals.b_e5m2.read());
#else
  const std::uint32_t a_e5m2 = 0;
  const std::uint32_t b_e5m2 = 0;
#endif
  see_side<TD_A_BITS>(config, signals.a_rows.read(), a_e5m2, config.columns, seen.a);
  see_side<TD_B_BITS>(config, signals.b_rows.read(), b_e5m2, config.rows, seen.b);
  seen.last = static_cast<std::uint32_t>(signals.b_last.read());
  seen.out_valid = signals.out_valid.read();
  seen.out_ready = signals.out_ready.read();
  seen.waiting_outputs = root.TD_BUFFER_VALID == 0 ? 0 : (root.TD_BUFFER_READY != 0 ? 1 : 2);
  seen.counters = {signals.cycles.read(), signals.stalls.read(), signals.skipped.read()};
  return seen;
}

}  // namespace td::verify
