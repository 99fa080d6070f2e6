// SPDX-License-Identifier: Apache-2.0
// Sets of small integers, of a size known when the program runs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace td::job {

/// A subset of 0..size-1. Sets that meet in an operation are of the same size.
class NodeSet {
 public:
  NodeSet() = default;
  explicit NodeSet(std::size_t size) : words_((size + kBits - 1) / kBits) {}

  void insert(std::size_t i) { words_[i / kBits] |= bit(i); }
  bool contains(std::size_t i) const { return (words_[i / kBits] & bit(i)) != 0; }

  /// Adds all of `other`.
  NodeSet& operator|=(const NodeSet& other) {
    for (std::size_t w = 0; w < words_.size(); ++w) words_[w] |= other.words_[w];
    return *this;
  }

  /// Whether all of these are in `other`, too.
  bool within(const NodeSet& other) const {
    for (std::size_t w = 0; w < words_.size(); ++w) {
      if ((words_[w] & ~other.words_[w]) != 0) return false;
    }
    return true;
  }

  bool meets(const NodeSet& other) const {
    for (std::size_t w = 0; w < words_.size(); ++w) {
      if ((words_[w] & other.words_[w]) != 0) return true;
    }
    return false;
  }

  bool operator==(const NodeSet& other) const { return words_ == other.words_; }

  /// For tables (FNV-1a over the words).
  struct Hash {
    std::size_t operator()(const NodeSet& set) const {
      std::uint64_t hash = 0xcbf29ce484222325;
      for (const std::uint64_t word : set.words_) {
        hash = (hash ^ word) * 0x100000001b3;
        hash ^= hash >> 29;
      }
      return static_cast<std::size_t>(hash);
    }
  };

 private:
  static constexpr std::size_t kBits = 64;
  static std::uint64_t bit(std::size_t i) { return std::uint64_t{1} << (i % kBits); }

  std::vector<std::uint64_t> words_;
};

}  // namespace td::job
