// SPDX-License-Identifier: Apache-2.0
// Packed tensors: blocks of kBlockRows rows without the elements whose bits are all zero. A block
// stands where its rows would: mask_rows() rows with a bit for each element, row by row, then the
// other elements, behind each other. All blocks of a tensor take equally many rows, so what a load
// reads does not depend on the data; what is behind them is not looked at.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "gen/configuration/geometry.hpp"

namespace td::sim {

/// Bytes from block to block. Packed tensors begin at a multiple of them.
inline std::int64_t block_bytes(const Geometry& geometry) {
  return kBlockRows * geometry.row_bytes();
}

/// Rows that each packed block takes, in whole beats, if one has so many elements that are kept and
/// none more; 0 where that is not less than kBlockRows, or the hardware cannot unpack.
std::int64_t packed_rows(const Geometry& geometry, std::int64_t most);

/// ... of a tensor's rows in memory.
std::int64_t packed_rows(const Geometry& geometry, const std::vector<std::uint8_t>& tensor);

/// Whether loads may say so: 0, or what packed_rows() can be on this hardware.
bool is_packed_rows(const Geometry& geometry, std::int64_t packed);

/// A tensor's blocks, with zeros behind them.
std::vector<std::uint8_t> pack_blocks(const Geometry& geometry,
                                      const std::vector<std::uint8_t>& tensor);

/// The first rows of a packed block, up to kBlockRows: `rows` of them, to `to`. `block` holds
/// `packed` rows. Returns false where their masks have more ones than it has room for values.
bool unpack_block(const Geometry& geometry, const std::uint8_t* block, std::int64_t packed,
                  std::int64_t rows, std::uint8_t* to);

}  // namespace td::sim
