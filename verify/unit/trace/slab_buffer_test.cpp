// SPDX-License-Identifier: Apache-2.0
#include "sim/trace/slab_buffer.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <cstring>
#include <initializer_list>

using td::sim::SlabBuffer;

TEST_CASE("slab buffer: there is room for what was asked for, in bytes of its own") {
  SlabBuffer one, other;
  for (const std::size_t size : std::initializer_list<std::size_t>{1, 4096, 64, 100000}) {
    unsigned char* first = one.bytes(size);
    std::memset(first, 1, size);
    unsigned char* second = other.bytes(size);
    std::memset(second, 2, size);
    CHECK(first[0] == 1);
    CHECK(first[size - 1] == 1);
  }
}

TEST_CASE("slab buffer: bytes are used again, the fewest that have room") {
  unsigned char *few, *many;
  {
    SlabBuffer one, other;
    few = one.bytes(1 << 29);
    many = other.bytes(1 << 30);
  }
  {
    SlabBuffer first, second;
    CHECK(first.bytes((1 << 29) + 1) == many);
    CHECK(second.bytes(1 << 29) == few);
  }
  SlabBuffer first;
  CHECK(first.bytes((1 << 29) - 1) == few);
}
