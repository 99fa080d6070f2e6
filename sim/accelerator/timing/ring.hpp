// SPDX-License-Identifier: Apache-2.0
// A queue that the timeline looks into in every clock.
#pragma once

#include <cstddef>
#include <iterator>
#include <utility>
#include <vector>

namespace td::sim {

/// First in, first out, in one piece of memory that grows with the most that has been in there.
/// Looking at it takes less than with std::deque, whose size is counted from four pointers.
template <class T>
class Ring {
  template <class R, class Element>
  class Iterator {
   public:
    using iterator_category = std::input_iterator_tag;
    using value_type = T;
    using difference_type = std::ptrdiff_t;
    using pointer = Element*;
    using reference = Element&;

    Iterator(R& ring, std::size_t number) : ring_(&ring), number_(number) {}
    Element& operator*() const { return (*ring_)[number_]; }
    Iterator& operator++() {
      ++number_;
      return *this;
    }
    bool operator==(const Iterator& other) const { return number_ == other.number_; }
    bool operator!=(const Iterator& other) const { return number_ != other.number_; }

   private:
    R* ring_;
    std::size_t number_;
  };

 public:
  bool empty() const { return size_ == 0; }
  std::size_t size() const { return size_; }

  /// The oldest one has 0.
  T& operator[](std::size_t number) { return slots_[slot(number)]; }
  const T& operator[](std::size_t number) const { return slots_[slot(number)]; }
  T& front() { return (*this)[0]; }
  const T& front() const { return (*this)[0]; }
  T& back() { return (*this)[size_ - 1]; }
  const T& back() const { return (*this)[size_ - 1]; }

  auto begin() { return Iterator<Ring, T>(*this, 0); }
  auto end() { return Iterator<Ring, T>(*this, size_); }
  auto begin() const { return Iterator<const Ring, const T>(*this, 0); }
  auto end() const { return Iterator<const Ring, const T>(*this, size_); }

  void push_back(const T& one) {
    if (size_ == slots_.size()) grow();
    slots_[slot(size_++)] = one;
  }
  void pop_front() {
    first_ = slot(1);
    --size_;
  }

 private:
  std::size_t slot(std::size_t number) const { return (first_ + number) & (slots_.size() - 1); }

  /// Slots are a power of two.
  void grow() {
    std::vector<T> more(slots_.empty() ? 4 : 2 * slots_.size());
    for (std::size_t i = 0; i < size_; ++i) more[i] = (*this)[i];
    slots_ = std::move(more);
    first_ = 0;
  }

  std::vector<T> slots_;
  std::size_t first_ = 0, size_ = 0;
};

}  // namespace td::sim
