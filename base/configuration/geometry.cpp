// SPDX-License-Identifier: Apache-2.0
#include "base/configuration/geometry.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/support/error.hpp"

namespace td {

namespace {

constexpr std::int64_t kMostTiles = 64;
constexpr std::int64_t kLeastRow = 4;  // bytes; what AXI4-Lite's master can be connected to
constexpr std::int64_t kMostRow = 64;
constexpr std::int64_t kMostBeat = 64;  // a descriptor's unit
constexpr std::int64_t kMostRows = std::int64_t{1} << 20;
constexpr std::int64_t kLeastWords = 8;
constexpr std::int64_t kMostWords = std::int64_t{1} << 16;  // a descriptor has 16 bits for them

bool is_power(std::int64_t value) { return value > 0 && (value & (value - 1)) == 0; }

template <class Value>
void demand(bool legal, const Config& config, const char* field, const Value& value,
            const std::string& range) {
  if (!legal) throw UserError(config.name, field, fmt::format("{}", value), range);
}

/// Rows that are unpacked in a clock are written like those of a beat; masks fill whole beats.
void check_unpacking(Geometry& geometry, const Config& config) {
  const std::int64_t most = std::max<std::int64_t>(1, config.accelerator.fill_rows / 2);
  const std::int64_t rows = config.accelerator.unpack_rows;
  geometry.unpack_rows = rows;
  const bool whole = geometry.mask_rows() % geometry.beat_rows == 0;
  demand(rows == 0 || (whole && is_power(rows) && geometry.beat_rows <= rows && rows <= most),
         config, "accelerator.unpack_rows", rows,
         whole ? fmt::format("0, or a power of two, {}..{}, in an accelerator whose fills bring {} "
                             "rows of {} bytes",
                             geometry.beat_rows, most, config.accelerator.fill_rows,
                             geometry.row_bytes())
               : fmt::format("0 in an accelerator with beats of {} rows", geometry.beat_rows));
}

void check_tile(const Config& config) {
  demand(config.scheduling != Scheduling::two_sided, config, "tile.scheduling", "two_sided",
         "one_sided, dense or zero_gated in an accelerator");
  demand(config.format != Format::fp16, config, "tile.numerics.format", to_string(config.format),
         "fp32, bf16 or fp8 in an accelerator");
  demand(config.output == Format::fp32, config, "tile.numerics.output", to_string(config.output),
         "fp32 in an accelerator");
  demand(config.rows == config.columns, config, "tile.rows", config.rows,
         fmt::format("{}, the columns, in an accelerator", config.columns));
  demand(is_power(config.rows) && config.rows > 1 && config.lanes % config.rows == 0, config,
         "tile.rows", config.rows,
         fmt::format("a power of two, 2 or more, that divides {} lanes in an accelerator",
                     config.lanes));
  const std::int64_t row = std::int64_t{config.lanes} * stored_width(config.format) / 8;
  demand(is_power(row) && row >= kLeastRow && row <= kMostRow, config, "tile.lanes", config.lanes,
         fmt::format("operand rows of {}..{} bytes, a power of two, in an accelerator (now {})",
                     kLeastRow, kMostRow, row));
}

}  // namespace

std::int64_t Geometry::set_groups(std::int64_t groups, std::int64_t of_lines) const {
  std::int64_t most = 0;
  for (std::int64_t line = 0; line < std::min(of_lines, sets()); ++line) {
    most = std::max(most, (line * groups % sets() + groups - 1) / sets() + 1);
  }
  return most;
}

std::int64_t Geometry::result_pitch(std::int64_t words, bool pairs) const {
  const bool even = words / block_words() % 2 == 0;
  return pairs && even ? words + block_words() : words;
}

std::int64_t Geometry::collect_clocks(std::int64_t result_pitch) const {
  const bool pairs = result_pitch % (2 * block_words()) == block_words();
  return collect_words == 2 && pairs ? lines / 2 : lines;
}

Geometry geometry_of(const Config& config) {
  check_tile(config);
  const Accelerator& sizes = config.accelerator;
  demand(is_power(sizes.tiles) && sizes.tiles <= kMostTiles, config, "accelerator.tiles",
         sizes.tiles, fmt::format("a power of two, 1..{}, in an accelerator", kMostTiles));
  Geometry geometry;
  geometry.lanes = config.lanes;
  geometry.lines = config.rows;
  geometry.depth = config.depth;
  geometry.tiles = sizes.tiles;
  geometry.format = config.format;
  geometry.dense = config.is_dense();
  const std::int64_t sram = sizes.sram_banks * sizes.sram_bank_bytes;
  geometry.operand_rows = sizes.tiles * sram / geometry.row_bytes();
  geometry.result_words = sram / (4 * geometry.lanes) * geometry.block_words();
  geometry.bank_rows = sizes.scratchpad_bank_bytes / geometry.row_bytes() / 2;
  geometry.fill_rows = sizes.fill_rows;
  const std::int64_t most_fill = std::min<std::int64_t>(2 * config.rows, config.lanes);
  demand(is_power(sizes.fill_rows) && sizes.fill_rows <= most_fill, config, "accelerator.fill_rows",
         sizes.fill_rows,
         fmt::format("a power of two, 1..{}, in an accelerator of these tiles", most_fill));
  geometry.beat_rows = sizes.beat_rows;
  // Rows of a beat are written to different banks, wherever they begin: see td1_interleave.
  const std::int64_t most_beat =
      std::max<std::int64_t>(1, std::min(sizes.fill_rows / 2, kMostBeat / geometry.row_bytes()));
  demand(
      is_power(sizes.beat_rows) && sizes.beat_rows <= most_beat, config, "accelerator.beat_rows",
      sizes.beat_rows,
      fmt::format("a power of two, 1..{}, in an accelerator whose fills bring {} rows of {} bytes",
                  most_beat, sizes.fill_rows, geometry.row_bytes()));
  check_unpacking(geometry, config);
  geometry.collect_words = sizes.collect_words;
  demand(sizes.collect_words <= geometry.block_words(), config, "accelerator.collect_words",
         sizes.collect_words,
         fmt::format("1 in an accelerator of tiles of {} rows and {} lanes", config.rows,
                     config.lanes));
  geometry.outstanding = sizes.outstanding;
  const std::int64_t least_rows = 2 * sizes.fill_rows;  // two in each bank
  demand(sizes.fill_rows == 1 ||
             (is_power(geometry.operand_rows) && geometry.operand_rows >= least_rows),
         config, "accelerator.sram.bank_bytes", sizes.sram_bank_bytes,
         fmt::format("operand memories of a power of two of rows, {} or more, where fills bring {}",
                     least_rows, sizes.fill_rows));
  demand(geometry.operand_rows <= kMostRows, config, "accelerator.sram.bank_bytes",
         sizes.sram_bank_bytes,
         fmt::format("operand memories of up to {} rows in an accelerator", kMostRows));
  const std::int64_t least_words =
      std::max(kLeastWords, 2 * geometry.beat_rows * geometry.block_words());
  demand(least_words <= geometry.result_words && geometry.result_words <= kMostWords, config,
         "accelerator.sram.bank_bytes", sizes.sram_bank_bytes,
         fmt::format("result memories of {}..{} words of {} results in an accelerator", least_words,
                     kMostWords, geometry.lines));
  const std::int64_t sets = geometry.sets();
  demand(geometry.bank_rows > 1, config, "accelerator.scratchpad.bank_bytes",
         sizes.scratchpad_bank_bytes,
         fmt::format("4 rows of {} bytes or more in an accelerator", geometry.row_bytes()));
  demand(geometry.bank_rows % sets == 0 && geometry.bank_rows > sets, config,
         "accelerator.scratchpad.bank_bytes", sizes.scratchpad_bank_bytes,
         fmt::format("{} rows of {} bytes or more, by {}, where {} are filled at once", 4 * sets,
                     geometry.row_bytes(), 2 * sets, sizes.fill_rows));
  return geometry;
}

std::optional<std::string> accelerator_obstacle(const Config& config) {
  try {
    geometry_of(config);
    return std::nullopt;
  } catch (const UserError& error) {
    return error.what();
  }
}

}  // namespace td
