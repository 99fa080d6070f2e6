// SPDX-License-Identifier: Apache-2.0
#include "sim/accelerator/model/compute_model.hpp"

#include <algorithm>
#include <cstddef>

#include "sim/accelerator/job_error.hpp"
#include "sim/arithmetic/arith.hpp"
#include "sim/mapping/mapping.hpp"

namespace td::sim {

namespace {

/// old + output, as td1_adder adds.
std::uint32_t add(std::uint32_t old, std::uint32_t output) {
  return canonical_bits(widen(Format::fp32, old) + widen(Format::fp32, output));
}

/// Puts the streams of a group into one side of a pass: operand bits [row][line][lane].
void fill_side(const Streams& streams, std::int64_t group, std::int64_t lines, std::int64_t rows,
               std::int64_t lanes, std::vector<std::uint32_t>& side) {
  side.resize(static_cast<std::size_t>(rows * lines * lanes));
  for (std::int64_t line = 0; line < lines; ++line) {
    for (std::int64_t row = 0; row < rows; ++row) {
      const auto from = ((group * lines + line) * rows + row) * lanes;
      const auto to = (row * lines + line) * lanes;
      std::copy_n(streams.begin() + from, lanes, side.begin() + to);
    }
  }
}

}  // namespace

ComputeModel::ComputeModel(const Config& config)
    : geometry_(geometry_of(config)),
      tile_(config),
      results_(static_cast<std::size_t>(geometry_.tiles)) {
  for (auto& memory : operands_) {
    memory.resize(static_cast<std::size_t>(geometry_.operand_rows * geometry_.lanes));
  }
  for (auto& memory : results_) {
    memory.resize(static_cast<std::size_t>(geometry_.result_words * geometry_.lines));
  }
  counts_.tile_cycles.resize(results_.size());
}

void ComputeModel::check(const ComputeDescriptor& d) const {
  const std::int64_t bank_rows = ceil_div(d.chunk_rows, geometry_.depth);
  const std::int64_t groups = std::max(d.a_groups, d.b_groups);
  const std::int64_t across = std::int64_t{1} << d.across;
  const std::int64_t result_rows = (d.lanes_on_b ? d.a_groups : d.b_groups) * geometry_.lines;
  const std::int64_t last_word = d.result_word + (result_rows - 1) * d.result_pitch +
                                 (d.lanes_on_b ? d.b_groups : d.a_groups) - 1;
  const bool legal = d.chunk_rows > 0 && d.a_groups > 0 && d.b_groups > 0 && d.a_lines > 0 &&
                     d.b_lines > 0 && d.a_lines <= across && across <= geometry_.tiles &&
                     d.b_lines <= geometry_.tiles / across && bank_rows <= d.group_pitch &&
                     (groups - 1) * d.group_pitch + bank_rows <= geometry_.bank_rows &&
                     last_word < geometry_.result_words;
  if (!legal) throw DescriptorFault{ErrorCode::field};
}

void ComputeModel::run(const ComputeDescriptor& d) {
  check(d);
  const std::int64_t lines = geometry_.lines;
  const std::int64_t streams[] = {d.a_lines * d.a_groups * lines, d.b_lines * d.b_groups * lines};
  a_ = walk_operands(geometry_, d.a, operands_[0], streams[0], d.chunk_rows,
                     counts_.operand_rows_read);
  b_ = walk_operands(geometry_, d.b, operands_[1], streams[1], d.chunk_rows,
                     counts_.operand_rows_read);
  // Side A's line goes to all tiles below each other, side B's to all beside each other.
  const std::int64_t across = std::int64_t{1} << d.across;
  counts_.scratchpad_rows_written +=
      (streams[0] * (geometry_.tiles / across) + streams[1] * across) * d.chunk_rows;
  pass_cycles_.assign(results_.size(), {});
  pass_.segment_rows = {d.chunk_rows};
  pass_.dense = {d.dense};
  for (int tile = 0; tile < geometry_.tiles; ++tile) {
    const int line_b = tile >> d.across;
    const int line_a = tile - (line_b << d.across);
    if (line_b < d.b_lines && line_a < d.a_lines) run_tile(d, tile);
  }
}

void ComputeModel::run_tile(const ComputeDescriptor& d, int tile) {
  const std::int64_t line_b = tile >> d.across;
  const std::int64_t line_a = tile - (line_b << d.across);
  // With each row that leaves a bank the next one is read; at first all banks are.
  const std::int64_t rows = std::int64_t{d.a_groups} * d.b_groups * d.chunk_rows + geometry_.depth;
  counts_.scratchpad_rows_read += 2 * geometry_.lines * rows;
  for (std::int64_t gb = 0; gb < d.b_groups; ++gb) {
    fill_side(b_, line_b * d.b_groups + gb, geometry_.lines, d.chunk_rows, geometry_.lanes,
              pass_.b);
    for (std::int64_t ga = 0; ga < d.a_groups; ++ga) {
      fill_side(a_, line_a * d.a_groups + ga, geometry_.lines, d.chunk_rows, geometry_.lanes,
                pass_.a);
      tile_.run(pass_, outputs_);
      counts_.tile_cycles[static_cast<std::size_t>(tile)] += outputs_.cycles;
      pass_cycles_[static_cast<std::size_t>(tile)].push_back(outputs_.cycles);
      ++counts_.passes;
      counts_.rows += d.chunk_rows;
      counts_.skipped += outputs_.skipped;
      counts_.result_words_added_to += d.accumulate ? geometry_.lines : 0;
      counts_.result_words_written += geometry_.lines;
      const std::vector<bool>& flags = outputs_.nonfinite;
      counts_.nonfinite += std::find(flags.begin(), flags.end(), true) != flags.end() ? 1 : 0;
      collect(d, tile, gb, ga);
    }
  }
}

void ComputeModel::collect(const ComputeDescriptor& d, int tile, std::int64_t gb, std::int64_t ga) {
  const std::int64_t lines = geometry_.lines;
  std::vector<std::uint32_t>& memory = results_[static_cast<std::size_t>(tile)];
  for (std::int64_t r = 0; r < lines; ++r) {
    for (std::int64_t c = 0; c < lines; ++c) {
      const std::int64_t row = d.lanes_on_b ? ga * lines + c : gb * lines + r;
      const std::int64_t word = d.result_word + row * d.result_pitch + (d.lanes_on_b ? gb : ga);
      std::uint32_t& result =
          memory[static_cast<std::size_t>(word * lines + (d.lanes_on_b ? r : c))];
      const std::uint32_t output = outputs_.outputs[static_cast<std::size_t>(r * lines + c)];
      result = d.accumulate ? add(result, output) : output;
    }
  }
}

}  // namespace td::sim
