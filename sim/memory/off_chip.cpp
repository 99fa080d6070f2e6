// SPDX-License-Identifier: Apache-2.0
#include "sim/memory/off_chip.hpp"

#include <algorithm>
#include <stdexcept>

#include "sim/mapping/mapping.hpp"

namespace td::sim {

namespace {

std::int64_t positions(const Shape& shape) { return shape.size() == 4 ? shape[2] * shape[3] : 1; }

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

std::int64_t row_bytes(const Config& config) { return config.lanes * (width(config.format) / 8); }

/// In a half of all banks of one kind.
std::int64_t half_rows_of(const Config& config, std::int64_t bytes) {
  const Accelerator& machine = config.accelerator;
  return machine.tiles * machine.sram_banks * (machine.sram_bank_bytes / bytes) / 2;
}

}  // namespace

std::int64_t channel_rows(const Shape& shape, int lanes) {
  return shape[0] * positions(shape) * ceil_div(shape[1], lanes);
}

std::int64_t compressed_bytes(std::int64_t elements, std::int64_t nonzero_elements,
                              std::int64_t element_bytes) {
  return std::min(elements * element_bytes,
                  ceil_div(elements, 8) + nonzero_elements * element_bytes);
}

StoredTensor stored_tensor(const LayerInfo& layer, const LayerInfo& on_chip, Op op, Operand operand,
                           const Config& config, std::int64_t nonzero_elements) {
  const std::int64_t elements = count(layer.shape(operand));
  const std::int64_t element_bytes = width(config.format) / 8;
  if (nonzero_elements < 0 || nonzero_elements > elements) {
    throw std::invalid_argument("stored_tensor: more non-zero elements than elements");
  }
  StoredTensor stored;
  stored.raw_bytes = elements * element_bytes;
  stored.compressed_bytes = compressed_bytes(elements, nonzero_elements, element_bytes);
  const bool transposed = is_transposed(op, operand);
  stored.blocks = transposed ? transpose_blocks(on_chip, operand, config.lanes) : 0;
  stored.rows = transposed ? config.lanes * stored.blocks
                           : channel_rows(on_chip.shape(operand), config.lanes);
  return stored;
}

std::int64_t half_rows(const Config& config) { return half_rows_of(config, row_bytes(config)); }

std::int64_t half_sums(const Config& config) {
  constexpr std::int64_t kSumBytes = 4;  // binary32
  return half_rows_of(config, config.lanes * kSumBytes) * config.lanes;
}

std::int64_t dram_cycles(const Accelerator& machine, std::int64_t clock_MHz, std::int64_t bytes) {
  // In parts that do not overflow: bytes * 8 * clock / (transfers * channels * bits * efficiency).
  const std::int64_t scale = 8 * 100 * clock_MHz;
  const std::int64_t bandwidth = machine.dram_MT_per_s * machine.dram_channels *
                                 machine.dram_channel_bits * machine.dram_efficiency_percent;
  return bytes / bandwidth * scale + ceil_div(bytes % bandwidth * scale, bandwidth);
}

std::int64_t transposer_cycles(const Config& config, std::int64_t blocks) {
  const Accelerator& machine = config.accelerator;
  const std::int64_t buffers =
      ceil_div(config.lanes * row_bytes(config), machine.transposer_buffer_bytes);
  return config.lanes * ceil_div(blocks * buffers, machine.transposers);
}

}  // namespace td::sim
