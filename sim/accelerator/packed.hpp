// SPDX-License-Identifier: Apache-2.0
// Packed tensors: blocks of kBlockRows rows without the elements whose bits are all zero. A block
// stands where its rows would: mask_rows() rows with a bit for each element, row by row, then the
// other elements, behind each other. Of each block a load reads as many rows as the longest of its
// own takes, so clocks depend on what descriptors say; what is behind a block is not looked at.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "base/configuration/geometry.hpp"

namespace td::sim {

/// Bytes from block to block. Packed tensors begin at a multiple of them.
inline std::int64_t block_bytes(const Geometry& geometry) {
  return kBlockRows * geometry.row_bytes();
}

/// Rows that each block of a tensor takes, in whole beats.
using BlockRows = std::vector<std::uint8_t>;

/// ... if so many elements of each are kept; empty where one takes no less than kBlockRows, or the
/// hardware cannot unpack.
BlockRows block_rows(const Geometry& geometry, const std::vector<std::int64_t>& kept);

/// ... of a tensor's rows in memory.
BlockRows block_rows(const Geometry& geometry, const std::vector<std::uint8_t>& tensor);

/// How a tensor lies packed, or that it does not.
struct PackedBlocks {
  std::int64_t usual = 0;                 ///< rows that blocks of a load take, about; 0: it is raw
  std::shared_ptr<const BlockRows> rows;  ///< null: all take the usual ones

  PackedBlocks() = default;
  /// All blocks take so many.
  explicit PackedBlocks(std::int64_t all) : usual(all) {}
  /// Of blocks, if there are any. Loads are taken to have a few of them.
  PackedBlocks(const Geometry& geometry, const BlockRows& blocks);
};

/// Whether loads may say so: 0, or what blocks can take on this hardware.
bool is_packed_rows(const Geometry& geometry, std::int64_t packed);

/// A tensor's blocks, with zeros behind them.
std::vector<std::uint8_t> pack_blocks(const Geometry& geometry,
                                      const std::vector<std::uint8_t>& tensor);

/// The first rows of a packed block, up to kBlockRows: `rows` of them, to `to`. `block` holds
/// `packed` rows. Returns false where their masks have more ones than it has room for values.
bool unpack_block(const Geometry& geometry, const std::uint8_t* block, std::int64_t packed,
                  std::int64_t rows, std::uint8_t* to);

}  // namespace td::sim
