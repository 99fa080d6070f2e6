// SPDX-License-Identifier: Apache-2.0
#include "sim/accelerator/model/compute_model.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>

#include "sim/accelerator/job_error.hpp"
#include "sim/arithmetic/arith.hpp"
#include "sim/arithmetic/fp8.hpp"

namespace td::sim {

namespace {

/// old + output, as td1_adder adds.
std::uint32_t add(std::uint32_t old, std::uint32_t output) {
  return canonical_bits(widen(Format::fp32, old) + widen(Format::fp32, output));
}

/// Puts the streams of a group into one side of a pass: operand bits [row][line][lane]. What lies
/// in memory is a code of `kind`, if there is one.
void fill_side(const Streams& streams, std::int64_t group, std::int64_t lines, std::int64_t rows,
               std::int64_t lanes, std::optional<Fp8> kind, std::vector<std::uint32_t>& side) {
  side.resize(static_cast<std::size_t>(rows * lines * lanes));
  for (std::int64_t line = 0; line < lines; ++line) {
    for (std::int64_t row = 0; row < rows; ++row) {
      const auto from = ((group * lines + line) * rows + row) * lanes;
      const auto to = (row * lines + line) * lanes;
      std::transform(streams.begin() + from, streams.begin() + from + lanes, side.begin() + to,
                     [&](std::uint32_t bits) { return kind ? from_code(*kind, bits) : bits; });
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

void ComputeModel::run(const ComputeDescriptor& d) {
  check_compute(geometry_, d);
  const std::optional<ComputeDescriptor> before = std::exchange(running_, d);
  const unsigned alike = before ? alike_sides(d, *before) : 0;
  if ((d.keep & ~alike) != 0 || (d.keeps(0) && d.keeps(1))) {
    throw DescriptorFault{ErrorCode::field};
  }
  const auto brought = [&](const OperandWalk& walk, int side) {
    return walk_operands(geometry_, walk, operands_[side], streams_of(geometry_, d, side),
                         d.chunk_rows, counts_.operand_rows_read);
  };
  if (!d.keeps(0)) a_ = brought(d.a, 0);
  if (!d.keeps(1)) b_ = brought(d.b, 1);
  count_compute(geometry_, d, counts_);
  pass_steps_.groups.assign(std::size_t{d.b_lines} * d.b_groups, 0);
  pass_steps_.behind.assign(d.b_lines, 0);
  pass_.segment_rows = {d.chunk_rows};
  pass_.dense = {d.dense};
  for (int tile = 0; tile < geometry_.tiles; ++tile) {
    const TileLines lines = lines_of(d, tile);
    if (lines.used(d)) run_tile(d, tile, lines);
  }
}

void ComputeModel::run_tile(const ComputeDescriptor& d, int tile, const TileLines& lines) {
  const auto kind = [&](bool e5m2) -> std::optional<Fp8> {
    if (geometry_.format != Format::fp8) return std::nullopt;
    return e5m2 ? Fp8::e5m2 : Fp8::e4m3;
  };
  for (std::int64_t gb = 0; gb < d.b_groups; ++gb) {
    const std::int64_t group = lines.b * d.b_groups + gb;
    fill_side(b_, group, geometry_.lines, d.chunk_rows, geometry_.lanes, kind(d.b_e5m2), pass_.b);
    for (std::int64_t ga = 0; ga < d.a_groups; ++ga) {
      fill_side(a_, lines.a * d.a_groups + ga, geometry_.lines, d.chunk_rows, geometry_.lanes,
                kind(d.a_e5m2), pass_.a);
      tile_.run(pass_, outputs_);
      counts_.tile_cycles[static_cast<std::size_t>(tile)] += outputs_.cycles;
      pass_steps_.groups[static_cast<std::size_t>(group)] = outputs_.cycles;
      counts_.skipped += outputs_.skipped;
      const std::vector<bool>& flags = outputs_.nonfinite;
      counts_.nonfinite += std::find(flags.begin(), flags.end(), true) != flags.end() ? 1 : 0;
      collect(d, tile, gb, ga);
    }
  }
  pass_steps_.behind[static_cast<std::size_t>(lines.b)] =
      steps_behind(outputs_.advances, geometry_.depth, d.dense || geometry_.dense);
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
