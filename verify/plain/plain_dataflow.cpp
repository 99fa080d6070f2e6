// SPDX-License-Identifier: Apache-2.0
#include "verify/plain/plain_dataflow.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "sim/mapping/mapping.hpp"
#include "sim/model/tile.hpp"
#include "verify/plain/plain_cycles.hpp"

namespace td::verify {
namespace {

using sim::Block;
using sim::Dataflow;
using sim::Mapping;
using sim::StreamRows;
using sim::Which;

/// A stream of one block.
using Stream = std::pair<std::size_t, std::int64_t>;
using Group = std::vector<Stream>;

/// Rows asked for at once: of the moving side or not, of which stream, which.
using Requests = std::set<std::tuple<bool, Stream, std::int64_t>>;

/// Rows of a stream, as runs of rows without a boundary of scheduling inside.
using Chunk = std::vector<std::pair<std::int64_t, std::int64_t>>;

std::int64_t chunk_rows(const Chunk& chunk) { return chunk.back().second - chunk.front().first; }

std::vector<Chunk> cut(const Block& block, std::int64_t most) {
  if (most == 0) most = block.rows();
  std::int64_t parts = 1;  // of all segments if a whole one is short enough, else of a segment
  const bool whole = block.segment_rows <= most;
  const auto equal = [&](std::int64_t all) { return all / parts + (all % parts != 0 ? 1 : 0); };
  while (whole ? equal(block.segments) * block.segment_rows > most
               : equal(block.segment_rows) > most) {
    ++parts;
  }
  std::vector<Chunk> result;
  for (std::int64_t segment = 0; segment < block.segments; ++segment) {
    const std::int64_t begin = segment * block.segment_rows;
    const std::int64_t end = begin + block.segment_rows;
    if (whole) {
      if (segment % equal(block.segments) == 0) result.emplace_back();
      result.back().push_back({begin, end});
      continue;
    }
    const std::int64_t step = equal(block.segment_rows);
    for (std::int64_t row = begin; row < end; row += step) {
      result.push_back({{row, std::min(row + step, end)}});
    }
  }
  return result;
}

/// Two operands of one super-block, and all tiles.
class PlainNest {
 public:
  PlainNest(const Config& config, const sim::OperandSource& source, const sim::LayerInfo& layer,
            sim::Op op, Which scheduled, const Dataflow& dataflow)
      : config_(config),
        mapping_(layer, op, config.lanes),
        scheduled_(scheduled),
        dataflow_(dataflow),
        first_moves_(dataflow.stationary == Which::second),
        nonzero_(plain_nonzero(source, layer, operand(op, scheduled), config.format)),
        tile_(config),
        held_(static_cast<std::size_t>(dataflow.first_tiles * dataflow.second_tiles)) {}

  PlainDataflow run() {
    // Of each part of the images, blocks with equal second streams, in the order in which they
    // come. wgrad's have a piece of every image: all of them run in each part, on its chunks.
    std::map<std::array<std::int64_t, 4>, std::vector<std::size_t>> all;
    for (std::size_t i = 0; i < mapping_.blocks().size(); ++i) {
      const Block block = mapping_.blocks()[i];
      if (block.rows() == 0) continue;
      if (is_wgrad()) parts_ = part_of(block.segments - 1) + 1;
      for (std::int64_t part = 0; part < parts_; ++part) {
        all[{part, block.group, 0, 0}].push_back(i);
      }
      if (!is_wgrad()) all[{part_of(block.image), block.group, block.y, block.x}].push_back(i);
    }
    for (const auto& [key, blocks] : all) {
      part_ = key[0];
      run_super_block(blocks);
    }
    return result_;
  }

 private:
  bool is_wgrad() const { return mapping_.op() == sim::Op::wgrad; }

  std::int64_t part_of(std::int64_t image) const {
    return dataflow_.images == 0 ? 0 : image / dataflow_.images;
  }

  /// Whether the chunk's turn is in the current part.
  bool is_of_part(std::size_t chunk) {
    if (!is_wgrad()) return true;
    const std::int64_t first = part_of(chunks_[chunk].front().first / segment_rows_);
    const std::int64_t last = part_of((chunks_[chunk].back().second - 1) / segment_rows_);
    if (first != last) result_.tears_chunks = true;
    return first == part_;
  }

  std::vector<Group> split(const std::vector<std::size_t>& blocks, Which side) const {
    const int lines = side == scheduled_ ? config_.rows : config_.columns;
    std::vector<Group> groups;
    for (std::size_t block : blocks) {
      const Block one = mapping_.blocks()[block];
      const std::int64_t streams = side == Which::first ? one.first_streams : one.second_streams;
      for (std::int64_t stream = 0; stream < streams; ++stream) {
        if (stream % lines == 0) groups.emplace_back();
        groups.back().push_back({block, stream});
      }
    }
    return groups;
  }

  void run_super_block(const std::vector<std::size_t>& blocks) {
    chunks_ = cut(mapping_.blocks()[blocks[0]], dataflow_.chunk_rows);
    segment_rows_ = mapping_.blocks()[blocks[0]].segment_rows;
    const Which moving = first_moves_ ? Which::first : Which::second;
    stays_groups_ = split(moving == Which::first ? std::vector<std::size_t>{blocks[0]} : blocks,
                          dataflow_.stationary);
    moves_groups_ =
        split(moving == Which::first ? blocks : std::vector<std::size_t>{blocks[0]}, moving);
    chunks_fit_ = fits();
    ++super_block_;
    const auto waves = static_cast<std::int64_t>(moves_groups_.size() - 1) / tiles(moving) + 1;
    const std::int64_t block = std::max<std::int64_t>(block_waves(), 1);  // too many show
    for (std::int64_t begin = 0; begin < waves; begin += block) {
      ++result_.moving_blocks;
      run_moving_block(begin, std::min(begin + block, waves));
    }
  }

  std::int64_t tiles(Which side) const { return dataflow_.tiles(side); }

  /// Whether every chunk of a stream fits half of a scratchpad, bank by bank.
  bool fits() const {
    const std::int64_t row_bytes = config_.lanes * width(config_.format) / 8;
    const std::int64_t bank_rows = config_.accelerator.scratchpad_bank_bytes / row_bytes / 2;
    return std::all_of(chunks_.begin(), chunks_.end(), [&](const Chunk& chunk) {
      return (chunk_rows(chunk) + config_.depth - 1) / config_.depth <= bank_rows;
    });
  }

  std::int64_t capacity() const {
    const Accelerator& machine = config_.accelerator;
    const std::int64_t half =
        machine.tiles * machine.sram_banks * (machine.sram_bank_bytes / (4 * config_.lanes)) / 2;
    return half - dataflow_.kept_rows;
  }

  /// Waves are taken into a moving block as long as there is room for sums of full groups.
  std::int64_t block_waves() const {
    const bool all_stay = parts_ > 1;
    if (chunks_.size() == 1 || all_stay) return static_cast<std::int64_t>(moves_groups_.size());
    std::int64_t rows = 0;
    std::int64_t waves = 0;
    while (true) {
      for (std::int64_t tile = 0; tile < dataflow_.first_tiles * dataflow_.second_tiles; ++tile) {
        rows += (config_.rows * config_.columns + config_.lanes - 1) / config_.lanes;
      }
      if (rows > capacity()) return waves;
      ++waves;
    }
  }

  void run_moving_block(std::int64_t begin, std::int64_t end) {
    const std::int64_t step = tiles(dataflow_.stationary);
    for (std::size_t wave = 0; wave < stays_groups_.size();
         wave += static_cast<std::size_t>(step)) {
      for (std::size_t chunk = 0; chunk < chunks_.size(); ++chunk) {
        if (!is_of_part(chunk)) continue;
        for (std::int64_t moving = begin; moving < end; ++moving) run_wave(wave, moving, chunk);
      }
    }
  }

  void run_wave(std::size_t stays_begin, std::int64_t moving_wave, std::size_t chunk) {
    const Which moving = first_moves_ ? Which::first : Which::second;
    Requests requested;
    std::int64_t longest = 0;
    std::int64_t dense = 0;
    for (std::int64_t i = 0; i < tiles(dataflow_.stationary); ++i) {
      for (std::int64_t j = 0; j < tiles(moving); ++j) {
        const std::size_t one = stays_begin + static_cast<std::size_t>(i);
        const auto two = static_cast<std::size_t>(moving_wave * tiles(moving) + j);
        if (one >= stays_groups_.size() || two >= moves_groups_.size()) continue;
        const auto tile = static_cast<std::size_t>(i * tiles(moving) + j);
        fill(tile, one, chunk, requested);
        move(moves_groups_[two], true, chunk, requested);
        keep_partial_sums(one, two, chunk);
        const Group& searched =
            dataflow_.stationary == scheduled_ ? stays_groups_[one] : moves_groups_[two];
        const std::int64_t cycles = schedule(searched, chunk);
        longest = std::max(longest, cycles);
        result_.tile_cycles += cycles;
        dense = chunk_rows(chunks_[chunk]);
        result_.counts.tile_rows += dense;
        ++result_.counts.passes;
      }
    }
    result_.cycles += longest;
    result_.counts.array_rows += dense;
    for (const auto& [moves, stream, row] : requested) ++rows(moves).sram_read;
  }

  StreamRows& rows(bool moves) {
    return moves == first_moves_ ? result_.counts.first : result_.counts.second;
  }

  /// The stationary group, unless the tile holds its chunk.
  void fill(std::size_t tile, std::size_t group, std::size_t chunk, Requests& requested) {
    const std::tuple<std::int64_t, std::size_t, std::size_t> wanted{super_block_, group, chunk};
    if (chunks_fit_ && held_[tile] == wanted) {
      const auto streams = static_cast<std::int64_t>(stays_groups_[group].size());
      rows(false).scratchpad_read += streams * chunk_rows(chunks_[chunk]);
      return;
    }
    held_[tile] = wanted;
    move(stays_groups_[group], false, chunk, requested);
  }

  /// From the SRAM into the scratchpads of a tile, and out of them.
  void move(const Group& group, bool moves, std::size_t chunk, Requests& requested) {
    for (const Stream& stream : group) {
      for (const auto& [begin, end] : chunks_[chunk]) {
        for (std::int64_t row = begin; row < end; ++row) {
          requested.insert({moves, stream, row});
          ++rows(moves).filled;
          ++rows(moves).scratchpad_read;
        }
      }
    }
  }

  void keep_partial_sums(std::size_t one, std::size_t two, std::size_t chunk) {
    const auto outputs = static_cast<int>(stays_groups_[one].size() * moves_groups_[two].size());
    const std::int64_t rows = (outputs + config_.lanes - 1) / config_.lanes;
    if (chunk > 0) {
      result_.partial_rows_read += rows;
      partial_rows_ -= rows;
    }
    if (chunk + 1 < chunks_.size()) {
      result_.counts.partial_rows += rows;
      partial_rows_ += rows;
      result_.most_partial_rows = std::max(result_.most_partial_rows, partial_rows_);
    }
  }

  /// Cycles of a pass: the chunk's runs, each a stream of its own.
  std::int64_t schedule(const Group& group, std::size_t chunk) {
    const auto [found, is_new] = cycles_.try_emplace({group.front(), chunk});
    if (!is_new) return found->second;
    const auto lanes = static_cast<std::size_t>(config_.lanes);
    const auto tile_rows = static_cast<std::size_t>(config_.rows);
    const std::int64_t begin = chunks_[chunk].front().first;
    const auto count = static_cast<std::size_t>(chunk_rows(chunks_[chunk]));
    sim::PassData data;
    for (const auto& [from, to] : chunks_[chunk]) data.segment_rows.push_back(to - from);
    data.dense.assign(data.segment_rows.size(), false);
    data.a.resize(count * static_cast<std::size_t>(config_.columns) * lanes);
    data.b.resize(count * tile_rows * lanes);
    for (std::size_t line = 0; line < group.size(); ++line) {
      const Block block = mapping_.blocks()[group[line].first];
      std::vector<std::int64_t> indices(static_cast<std::size_t>(block.rows()) * lanes);
      mapping_.gather_indices(block, scheduled_, group[line].second, indices.data());
      for (std::size_t i = 0; i < count * lanes; ++i) {
        const std::int64_t index = indices[static_cast<std::size_t>(begin) * lanes + i];
        const bool set = index >= 0 && nonzero_[static_cast<std::size_t>(index)];
        data.b[(i / lanes * tile_rows + line) * lanes + i % lanes] = set ? 1 : 0;
      }
    }
    sim::PassResult pass;
    tile_.run(data, pass);
    found->second = pass.cycles;
    return pass.cycles;
  }

  const Config& config_;
  Mapping mapping_;
  Which scheduled_;
  const Dataflow& dataflow_;
  bool first_moves_;
  std::vector<bool> nonzero_;
  sim::TileModel tile_;
  /// [tile]: super-block, group and chunk of the stationary side
  std::vector<std::tuple<std::int64_t, std::size_t, std::size_t>> held_;
  std::map<std::pair<Stream, std::size_t>, std::int64_t> cycles_;

  std::int64_t parts_ = 0;  ///< of wgrad's chunks
  std::int64_t part_ = 0;
  std::int64_t super_block_ = 0;
  std::int64_t segment_rows_ = 0;
  std::vector<Chunk> chunks_;
  std::vector<Group> stays_groups_;
  std::vector<Group> moves_groups_;
  bool chunks_fit_ = false;
  std::int64_t partial_rows_ = 0;
  PlainDataflow result_;
};

}  // namespace

PlainDataflow plain_dataflow(const Config& config, const sim::OperandSource& source,
                             const sim::LayerInfo& layer, sim::Op op, Which scheduled,
                             const Dataflow& dataflow) {
  return PlainNest(config, source, layer, op, scheduled, dataflow).run();
}

}  // namespace td::verify
