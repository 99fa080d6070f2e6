// SPDX-License-Identifier: Apache-2.0
// Memory that a slab is written to.
#pragma once

#include <cstddef>
#include <memory>

namespace td::sim {

/// Bytes from a stock that all threads share, and that goes back to the system at the end. Slabs of
/// many MB are drawn many times over; fresh memory would come as zeros, page by page, which takes
/// longer than the drawing.
class SlabBuffer {
 public:
  SlabBuffer() = default;
  SlabBuffer(const SlabBuffer&) = delete;
  SlabBuffer& operator=(const SlabBuffer&) = delete;
  ~SlabBuffer();

  /// `size` bytes, whatever is in them; valid until the next call, or the buffer's end.
  unsigned char* bytes(std::size_t size);

 private:
  std::unique_ptr<unsigned char[]> bytes_;
  std::size_t size_ = 0;
};

}  // namespace td::sim
