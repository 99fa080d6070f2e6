// SPDX-License-Identifier: Apache-2.0
#include "sim/trace/slab_buffer.hpp"

#include <map>
#include <mutex>
#include <utility>

namespace td::sim {

namespace {

/// What no buffer has.
struct Stock {
  std::mutex mutex;
  std::multimap<std::size_t, std::unique_ptr<unsigned char[]>> pieces;  ///< by their bytes
};

Stock& stock() {
  static Stock all;
  return all;
}

}  // namespace

SlabBuffer::~SlabBuffer() {
  if (bytes_ == nullptr) return;
  const std::lock_guard<std::mutex> lock(stock().mutex);
  stock().pieces.emplace(size_, std::move(bytes_));
}

unsigned char* SlabBuffer::bytes(std::size_t size) {
  if (bytes_ != nullptr && size <= size_) return bytes_.get();
  bytes_.reset();
  {
    // The smallest one that has room. Where none has, the largest makes room for a new one: there
    // are no more pieces than there were buffers at once.
    const std::lock_guard<std::mutex> lock(stock().mutex);
    auto& pieces = stock().pieces;
    auto found = pieces.lower_bound(size);
    if (found == pieces.end() && !pieces.empty()) --found;
    if (found != pieces.end()) {
      size_ = found->first;
      bytes_ = std::move(found->second);
      pieces.erase(found);
    }
  }
  if (bytes_ == nullptr || size_ < size) {
    bytes_.reset();
    bytes_.reset(new unsigned char[size]);  // not written: make_unique writes zeros
    size_ = size;
  }
  return bytes_.get();
}

}  // namespace td::sim
