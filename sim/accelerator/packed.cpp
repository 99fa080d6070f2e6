// SPDX-License-Identifier: Apache-2.0
#include "sim/accelerator/packed.hpp"

#include <algorithm>
#include <cstring>

#include "sim/mapping/mapping.hpp"

namespace td::sim {

namespace {

constexpr std::ptrdiff_t kUsualBlocks = 4;  // of a load

/// Calls use(number, element) for elements of a block whose bits are not all zero.
template <class Use>
void each_value(const Geometry& geometry, const std::uint8_t* begin, const std::uint8_t* end,
                Use use) {
  const std::int64_t bytes = geometry.element_bytes();
  std::int64_t number = 0;
  for (const std::uint8_t* element = begin; element != end; element += bytes, ++number) {
    if (std::any_of(element, element + bytes, [](std::uint8_t byte) { return byte != 0; })) {
      use(number, element);
    }
  }
}

/// Calls use(first byte, behind the last) for every block.
template <class Use>
void each_block(const Geometry& geometry, const std::vector<std::uint8_t>& tensor, Use use) {
  const auto bytes = static_cast<std::size_t>(block_bytes(geometry));
  for (std::size_t begin = 0; begin < tensor.size(); begin += bytes) {
    use(tensor.data() + begin, tensor.data() + std::min(begin + bytes, tensor.size()));
  }
}

}  // namespace

BlockRows block_rows(const Geometry& geometry, const std::vector<std::int64_t>& kept) {
  BlockRows blocks;
  if (geometry.unpack_rows == 0) return blocks;
  for (const std::int64_t values : kept) {
    const std::int64_t rows = geometry.mask_rows() + ceil_div(values, geometry.lanes);
    const std::int64_t whole = ceil_div(rows, geometry.beat_rows) * geometry.beat_rows;
    if (whole >= kBlockRows) return {};
    blocks.push_back(static_cast<std::uint8_t>(whole));
  }
  return blocks;
}

BlockRows block_rows(const Geometry& geometry, const std::vector<std::uint8_t>& tensor) {
  std::vector<std::int64_t> kept;
  each_block(geometry, tensor, [&](const std::uint8_t* begin, const std::uint8_t* end) {
    kept.push_back(0);
    each_value(geometry, begin, end, [&](std::int64_t, const std::uint8_t*) { ++kept.back(); });
  });
  return block_rows(geometry, kept);
}

PackedBlocks::PackedBlocks(const Geometry& geometry, const BlockRows& blocks) {
  if (blocks.empty()) return;
  rows = std::make_shared<const BlockRows>(blocks);
  const auto together = std::min<std::ptrdiff_t>(kUsualBlocks, blocks.end() - blocks.begin());
  std::int64_t sum = 0, loads = 0;
  for (auto first = blocks.begin(); blocks.end() - first >= together; ++first, ++loads) {
    sum += *std::max_element(first, first + together);
  }
  usual = ceil_div(sum, loads * geometry.beat_rows) * geometry.beat_rows;
}

bool is_packed_rows(const Geometry& geometry, std::int64_t packed) {
  return packed == 0 || (geometry.unpack_rows > 0 && geometry.mask_rows() <= packed &&
                         packed < kBlockRows && packed % geometry.beat_rows == 0);
}

std::vector<std::uint8_t> pack_blocks(const Geometry& geometry,
                                      const std::vector<std::uint8_t>& tensor) {
  const std::int64_t bytes = geometry.element_bytes();
  std::vector<std::uint8_t> blocks;
  each_block(geometry, tensor, [&](const std::uint8_t* begin, const std::uint8_t* end) {
    const std::size_t masks = blocks.size();
    std::size_t at = masks + static_cast<std::size_t>(geometry.mask_rows() * geometry.row_bytes());
    blocks.resize(masks + static_cast<std::size_t>(block_bytes(geometry)));
    each_value(geometry, begin, end, [&](std::int64_t number, const std::uint8_t* element) {
      blocks[masks + static_cast<std::size_t>(number / 8)] |=
          static_cast<std::uint8_t>(1 << number % 8);
      std::copy(element, element + bytes, blocks.begin() + static_cast<std::ptrdiff_t>(at));
      at += static_cast<std::size_t>(bytes);
    });
  });
  return blocks;
}

bool unpack_block(const Geometry& geometry, const std::uint8_t* block, std::int64_t packed,
                  std::int64_t rows, std::uint8_t* to) {
  const std::int64_t bytes = geometry.element_bytes();
  const std::uint8_t* value = block + geometry.mask_rows() * geometry.row_bytes();
  const std::uint8_t* end = block + packed * geometry.row_bytes();
  for (std::int64_t number = 0; number < rows * geometry.lanes; ++number, to += bytes) {
    std::memset(to, 0, static_cast<std::size_t>(bytes));
    if ((block[number / 8] >> number % 8 & 1) == 0) continue;
    if (value == end) return false;
    std::memcpy(to, value, static_cast<std::size_t>(bytes));
    value += bytes;
  }
  return true;
}

}  // namespace td::sim
