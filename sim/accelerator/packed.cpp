// SPDX-License-Identifier: Apache-2.0
#include "sim/accelerator/packed.hpp"

#include <algorithm>
#include <cstring>

#include "sim/mapping/mapping.hpp"

namespace td::sim {

namespace {

std::int64_t element_bytes(const Geometry& geometry) { return width(geometry.format) / 8; }

/// Calls use(number, element) for elements of a block whose bits are not all zero.
template <class Use>
void each_value(const Geometry& geometry, const std::uint8_t* begin, const std::uint8_t* end,
                Use use) {
  const std::int64_t bytes = element_bytes(geometry);
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

std::int64_t packed_rows(const Geometry& geometry, std::int64_t most) {
  const std::int64_t rows = geometry.mask_rows() + ceil_div(most, geometry.lanes);
  const std::int64_t whole = ceil_div(rows, geometry.beat_rows) * geometry.beat_rows;
  return geometry.unpack_rows > 0 && whole < kBlockRows ? whole : 0;
}

std::int64_t packed_rows(const Geometry& geometry, const std::vector<std::uint8_t>& tensor) {
  std::int64_t most = 0;
  each_block(geometry, tensor, [&](const std::uint8_t* begin, const std::uint8_t* end) {
    std::int64_t values = 0;
    each_value(geometry, begin, end, [&](std::int64_t, const std::uint8_t*) { ++values; });
    most = std::max(most, values);
  });
  return packed_rows(geometry, most);
}

bool is_packed_rows(const Geometry& geometry, std::int64_t packed) {
  return packed == 0 || (geometry.unpack_rows > 0 && geometry.mask_rows() <= packed &&
                         packed < kBlockRows && packed % geometry.beat_rows == 0);
}

std::vector<std::uint8_t> pack_blocks(const Geometry& geometry,
                                      const std::vector<std::uint8_t>& tensor) {
  const std::int64_t bytes = element_bytes(geometry);
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
  const std::int64_t bytes = element_bytes(geometry);
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
