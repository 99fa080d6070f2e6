// SPDX-License-Identifier: Apache-2.0
// Counts of rows and bytes, in closed form over the blocks of a mapping.
#include "sim/memory/memory.hpp"

#include <algorithm>
#include <numeric>
#include <stdexcept>

#include "sim/mapping/mapping.hpp"

namespace td::sim {

namespace {

std::int64_t positions(const Shape& shape) { return shape.size() == 4 ? shape[2] * shape[3] : 1; }

/// SRAM rows of a tensor: lanes channels of one position each.
std::int64_t channel_rows(const Shape& shape, int lanes) {
  return shape[0] * positions(shape) * ceil_div(shape[1], lanes);
}

/// Blocks of lanes by lanes that the operand is cut into to be turned.
std::int64_t transpose_blocks(const LayerInfo& layer, Operand operand, int lanes) {
  const Shape& shape = layer.shape(operand);
  const std::int64_t across = ceil_div(shape[1], lanes);
  if (operand == Operand::W) {
    const std::int64_t groups = layer.conv.groups;
    return groups * ceil_div(shape[0] / groups, lanes) * positions(shape) * across;
  }
  if (layer.type == LayerType::linear) return ceil_div(shape[0], lanes) * across;
  return shape[0] * ceil_div(positions(shape), lanes) * across;
}

bool is_transposed(Op op, Operand operand) {
  return op == Op::wgrad || (op == Op::dgrad && operand == Operand::W);
}

/// One tensor of the operation, as it is stored on and off the chip.
struct Stored {
  std::int64_t rows = 0;  ///< in the SRAM
  std::int64_t blocks = 0;
  std::int64_t raw_bytes = 0;
  std::int64_t compressed_bytes = 0;
};

Stored stored_bytes(const Shape& shape, std::int64_t element_bytes, std::int64_t nonzero_elements) {
  const std::int64_t elements = count(shape);
  if (nonzero_elements < 0 || nonzero_elements > elements) {
    throw std::invalid_argument("memory_traffic: more non-zero elements than elements");
  }
  Stored stored;
  stored.raw_bytes = elements * element_bytes;
  stored.compressed_bytes =
      std::min(stored.raw_bytes, ceil_div(elements, 8) + nonzero_elements * element_bytes);
  return stored;
}

class Counter {
 public:
  Counter(const LayerInfo& layer, Op op, const Config& config, std::int64_t clock_MHz,
          ChipOrder order)
      : layer_(layer),
        op_(op),
        order_(order),
        lanes_(config.lanes),
        depth_(config.depth),
        element_bytes_(width(config.format) / 8),
        output_bytes_(output_width(config) / 8),
        machine_(config.accelerator),
        clock_MHz_(clock_MHz) {
    traffic_.row_bytes = lanes_ * element_bytes_;
    traffic_.output_row_bytes = lanes_ * output_bytes_;
  }

  MemoryTraffic run(const Config& config, const OpCycles& cycles, const TensorContents& contents) {
    const Mapping mapping(layer_, op_, lanes_);
    count_scratchpads(mapping, config, cycles.scheduled);
    const Shape& output_shape = mapping.output_shape();
    traffic_.output_rows = channel_rows(output_shape, lanes_);
    const Stored first = stored(mapping.first(), contents.first_nonzero_elements);
    const Stored second = stored(mapping.second(), contents.second_nonzero_elements);
    const std::int64_t output_bytes = count(output_shape) * output_bytes_;
    traffic_.raw = off_chip(first, second, first.raw_bytes, second.raw_bytes, output_bytes);
    traffic_.compressed =
        off_chip(first, second, first.compressed_bytes, second.compressed_bytes, output_bytes);
    traffic_.dense_raw_cycles = bound(cycles.dense_cycles, traffic_.raw);
    traffic_.dense_cycles = bound(cycles.dense_cycles, traffic_.compressed);
    traffic_.cycles = bound(cycles.cycles, traffic_.compressed);
    return std::move(traffic_);
  }

 private:
  void count_scratchpads(const Mapping& mapping, const Config& config, Which scheduled) {
    const bool first_on_b = scheduled == Which::first;
    const std::int64_t first_lines = first_on_b ? config.rows : config.columns;
    const std::int64_t second_lines = first_on_b ? config.columns : config.rows;
    const std::int64_t half_rows =
        depth_ * (machine_.scratchpad_bank_bytes / traffic_.row_bytes / 2);
    const auto banks = static_cast<std::size_t>(depth_);
    traffic_.first.scratchpad_read_rows.assign(banks, 0);
    traffic_.second.scratchpad_read_rows.assign(banks, 0);
    for (const Block& block : mapping.blocks()) {
      const std::int64_t first_groups = ceil_div(block.first_streams, first_lines);
      const std::int64_t second_groups = ceil_div(block.second_streams, second_lines);
      const bool stays = block.rows() <= half_rows;
      const std::int64_t first_fills =
          stays ? std::min(second_groups, machine_.tiles) : second_groups;
      const std::int64_t second_fills = stays && machine_.tiles % second_groups == 0
                                            ? std::min(first_groups, machine_.tiles / second_groups)
                                            : first_groups;
      add(traffic_.first, block.rows(), block.first_streams * second_groups,
          block.first_streams * first_fills);
      add(traffic_.second, block.rows(), block.second_streams * first_groups,
          block.second_streams * second_fills);
    }
  }

  /// Streams of `rows` rows, read `reads` times and filled `fills` times, all streams together.
  static void add(SideRows& side, std::int64_t rows, std::int64_t reads, std::int64_t fills) {
    const auto banks = static_cast<std::int64_t>(side.scratchpad_read_rows.size());
    for (std::int64_t bank = 0; bank < banks; ++bank) {
      const std::int64_t in_bank = ceil_div(rows - bank, banks);
      side.scratchpad_read_rows[static_cast<std::size_t>(bank)] += in_bank * reads;
    }
    side.filled_rows += rows * fills;
  }

  Stored stored(Operand operand, std::int64_t nonzero_elements) const {
    const Shape& shape = layer_.shape(operand);
    Stored result = stored_bytes(shape, element_bytes_, nonzero_elements);
    const bool transposed = is_transposed(op_, operand);
    result.blocks = transposed ? transpose_blocks(layer_, operand, lanes_) : 0;
    result.rows = transposed ? lanes_ * result.blocks : channel_rows(shape, lanes_);
    return result;
  }

  /// Parts of the operand's groups that fit its share of the SRAM.
  std::int64_t chunks(const Stored& operand) const {
    const std::int64_t bank_rows = machine_.sram_bank_bytes / traffic_.row_bytes;
    const std::int64_t share_rows = machine_.tiles * machine_.sram_banks * bank_rows / 2;
    return ceil_div(operand.rows, layer_.conv.groups * share_rows);
  }

  /// Times that the operands come in, and the bytes of that.
  struct Fetches {
    std::int64_t first;
    std::int64_t second;
    std::int64_t bytes;
  };

  /// The fewest bytes; where equal, the first of the orders.
  Fetches fetches(const Stored& first, const Stored& second, std::int64_t first_bytes,
                  std::int64_t second_bytes) const {
    Fetches best{1, chunks(first), 0};
    const auto bytes = [&](const Fetches& one) {
      return one.first * first_bytes + one.second * second_bytes;
    };
    best.bytes = bytes(best);
    const auto try_one = [&](std::int64_t first_times, std::int64_t second_times) {
      Fetches one{first_times, second_times, 0};
      one.bytes = bytes(one);
      if (one.bytes < best.bytes) best = one;
    };
    try_one(chunks(second), 1);
    if (order_ == ChipOrder::results && op_ == Op::wgrad) {
      const Shape& weights = layer_.shape(Operand::W);
      const std::int64_t filters = weights[0] / layer_.conv.groups;
      const std::int64_t channel_sums = positions(weights);  // of one filter
      for (std::int64_t parts = 1; parts <= weights[1]; ++parts) {
        const std::int64_t filter_sums = channel_sums * ceil_div(weights[1], parts);
        const std::int64_t part_filters = result_sums() / filter_sums;
        if (part_filters > 0) try_one(ceil_div(filters, part_filters), parts);
      }
    }
    return best;
  }

  /// Partial sums that stay: half of the results' SRAM, results leave through the other.
  std::int64_t result_sums() const {
    constexpr std::int64_t kSumBytes = 4;  // binary32
    const std::int64_t bank_rows = machine_.sram_bank_bytes / (lanes_ * kSumBytes);
    return machine_.tiles * machine_.sram_banks * bank_rows / 2 * lanes_;
  }

  OffChip off_chip(const Stored& first, const Stored& second, std::int64_t first_bytes,
                   std::int64_t second_bytes, std::int64_t output_bytes) const {
    const Fetches best = fetches(first, second, first_bytes, second_bytes);
    OffChip result;
    result.first_fetches = best.first;
    result.second_fetches = best.second;
    result.read_bytes = best.bytes;
    result.written_bytes = output_bytes;
    result.first_written_rows = result.first_fetches * first.rows;
    result.sram_written_rows = result.first_written_rows + result.second_fetches * second.rows;
    result.transposed_blocks =
        result.first_fetches * first.blocks + result.second_fetches * second.blocks;
    result.transposer_cycles = transposer_cycles(result.transposed_blocks);
    result.dram_cycles = dram_cycles(result.read_bytes + result.written_bytes);
    return result;
  }

  std::int64_t transposer_cycles(std::int64_t blocks) const {
    const std::int64_t buffers =
        ceil_div(lanes_ * traffic_.row_bytes, machine_.transposer_buffer_bytes);
    return lanes_ * ceil_div(blocks * buffers, machine_.transposers);
  }

  /// ceil(bytes * 8 * clock / (transfers * channels * bits * efficiency)), in parts that do not
  /// overflow.
  std::int64_t dram_cycles(std::int64_t bytes) const {
    const std::int64_t scale = 8 * 100 * clock_MHz_;
    const std::int64_t bandwidth = machine_.dram_MT_per_s * machine_.dram_channels *
                                   machine_.dram_channel_bits * machine_.dram_efficiency_percent;
    return bytes / bandwidth * scale + ceil_div(bytes % bandwidth * scale, bandwidth);
  }

  static std::int64_t bound(std::int64_t tile_cycles, const OffChip& off_chip) {
    return std::max({tile_cycles, off_chip.transposer_cycles, off_chip.dram_cycles});
  }

  const LayerInfo& layer_;
  Op op_;
  ChipOrder order_;
  int lanes_;
  std::int64_t depth_;
  std::int64_t element_bytes_;
  std::int64_t output_bytes_;
  const Accelerator& machine_;
  std::int64_t clock_MHz_;
  MemoryTraffic traffic_;
};

}  // namespace

std::int64_t SideRows::total_scratchpad_read_rows() const {
  return std::accumulate(scratchpad_read_rows.begin(), scratchpad_read_rows.end(), std::int64_t{0});
}

MemoryTraffic memory_traffic(const LayerInfo& layer, Op op, const Config& config,
                             std::int64_t clock_MHz, const OpCycles& cycles,
                             const TensorContents& contents, ChipOrder order) {
  return Counter(layer, op, config, clock_MHz, order).run(config, cycles, contents);
}

}  // namespace td::sim
