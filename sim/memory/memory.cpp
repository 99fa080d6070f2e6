// SPDX-License-Identifier: Apache-2.0
// Counts of rows and bytes, in closed form over the blocks of a mapping.
#include "sim/memory/memory.hpp"

#include <algorithm>
#include <numeric>

#include "sim/mapping/mapping.hpp"
#include "sim/memory/off_chip.hpp"

namespace td::sim {

namespace {

class Counter {
 public:
  Counter(const LayerInfo& layer, Op op, const Config& config, std::int64_t clock_MHz,
          const ChipPlan& plan)
      : layer_(layer),
        on_chip_(plan.on_chip == nullptr ? layer : *plan.on_chip),
        op_(op),
        plan_(plan),
        config_(config),
        lanes_(config.lanes),
        depth_(config.depth),
        output_bytes_(output_width(config) / 8),
        machine_(config.accelerator),
        clock_MHz_(clock_MHz) {
    traffic_.row_bytes = lanes_ * (width(config.format) / 8);
    traffic_.output_row_bytes = lanes_ * output_bytes_;
  }

  MemoryTraffic run(const OpCycles& cycles, const TensorContents& contents) {
    const Mapping mapping(on_chip_, op_, lanes_);
    count_scratchpads(mapping, cycles.scheduled);
    const Shape& output_shape = mapping.output_shape();
    traffic_.output_rows = channel_rows(output_shape, lanes_);
    const StoredTensor first = stored(mapping.first(), contents.first_nonzero_elements);
    const StoredTensor second = stored(mapping.second(), contents.second_nonzero_elements);
    const std::int64_t output_bytes = count(output_shape) * output_bytes_;
    const LeavingResult plain{output_bytes, 0};
    traffic_.raw = off_chip(first, second, first.raw_bytes, second.raw_bytes, plain);
    traffic_.compressed = off_chip(first, second, first.compressed_bytes, second.compressed_bytes,
                                   plan_.result == nullptr ? plain : *plan_.result);
    traffic_.dense_raw_cycles = bound(cycles.dense_cycles, traffic_.raw);
    traffic_.dense_cycles = bound(cycles.dense_cycles, traffic_.compressed);
    traffic_.cycles = bound(cycles.cycles, traffic_.compressed);
    return std::move(traffic_);
  }

 private:
  void count_scratchpads(const Mapping& mapping, Which scheduled) {
    const bool first_on_b = scheduled == Which::first;
    const std::int64_t first_lines = first_on_b ? config_.rows : config_.columns;
    const std::int64_t second_lines = first_on_b ? config_.columns : config_.rows;
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

  StoredTensor stored(Operand operand, std::int64_t nonzero_elements) const {
    return stored_tensor(layer_, on_chip_, op_, operand, config_, nonzero_elements);
  }

  /// Parts of the operand's groups that fit its share of the SRAM.
  std::int64_t chunks(const StoredTensor& operand) const {
    return ceil_div(operand.rows, layer_.conv.groups * half_rows(config_));
  }

  /// Times that the operands come in, and the bytes of that.
  struct Fetches {
    std::int64_t first;
    std::int64_t second;
    std::int64_t bytes;
  };

  /// The fewest bytes; where equal, the first of the orders.
  Fetches fetches(const StoredTensor& first, const StoredTensor& second, std::int64_t first_bytes,
                  std::int64_t second_bytes) const {
    if (plan_.order == ChipOrder::gradients) {
      return {1, 1, first_bytes + (op_ == Op::wgrad ? 0 : second_bytes)};
    }
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
    if (plan_.order == ChipOrder::results && op_ == Op::wgrad) {
      const Shape& weights = layer_.shape(Operand::W);
      const std::int64_t filters = weights[0] / layer_.conv.groups;
      const std::int64_t channel_sums = count(weights) / weights[0] / weights[1];  // of a filter
      for (std::int64_t parts = 1; parts <= weights[1]; ++parts) {
        const std::int64_t filter_sums = channel_sums * ceil_div(weights[1], parts);
        const std::int64_t part_filters = half_sums(config_) / filter_sums;
        if (part_filters > 0) try_one(ceil_div(filters, part_filters), parts);
      }
    }
    return best;
  }

  OffChip off_chip(const StoredTensor& first, const StoredTensor& second, std::int64_t first_bytes,
                   std::int64_t second_bytes, const LeavingResult& results) const {
    const Fetches best = fetches(first, second, first_bytes, second_bytes);
    OffChip result;
    result.first_fetches = best.first;
    result.second_fetches = best.second;
    result.read_bytes = best.bytes + results.mask_bytes;
    result.written_bytes = results.written_bytes;
    result.first_written_rows = result.first_fetches * first.rows;
    result.sram_written_rows = result.first_written_rows + result.second_fetches * second.rows;
    result.transposed_blocks =
        result.first_fetches * first.blocks + result.second_fetches * second.blocks;
    result.transposer_cycles = sim::transposer_cycles(config_, result.transposed_blocks);
    result.dram_cycles =
        sim::dram_cycles(machine_, clock_MHz_, result.read_bytes + result.written_bytes);
    return result;
  }

  static std::int64_t bound(std::int64_t tile_cycles, const OffChip& off_chip) {
    return std::max({tile_cycles, off_chip.transposer_cycles, off_chip.dram_cycles});
  }

  const LayerInfo& layer_;
  const LayerInfo& on_chip_;
  Op op_;
  const ChipPlan& plan_;
  const Config& config_;
  int lanes_;
  std::int64_t depth_;
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
                             const TensorContents& contents, const ChipPlan& plan) {
  return Counter(layer, op, config, clock_MHz, plan).run(cycles, contents);
}

}  // namespace td::sim
