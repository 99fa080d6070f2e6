// SPDX-License-Identifier: Apache-2.0
// What load and store descriptors mean, as plain loops over beats; no more than descriptors.toml
// and the error codes are known here.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <vector>

#include "verify/accelerator/axi.hpp"

namespace td::verify {

/// Sizes of the engines.
struct DmaShape {
  unsigned lanes;
  unsigned segment;  ///< results of a word
  unsigned width;    ///< bits of an operand
  unsigned tiles;
  unsigned operand_rows;
  unsigned result_words;
  unsigned beat_rows;    ///< rows of a beat
  unsigned unpack_rows;  ///< packed rows that come at once; 0: none do
  unsigned write_rows() const { return std::max(beat_rows, unpack_rows); }
  unsigned row_bytes() const { return lanes * width / 8; }
  /// A power of two: as many as a row's number in the operand memory may say.
  unsigned row_numbers() const {
    unsigned numbers = 1;
    while (numbers < operand_rows) numbers *= 2;
    return numbers;
  }
  unsigned beat_bytes() const { return beat_rows * row_bytes(); }
};

/// A load or a store.
struct Transfer {
  bool store = false;
  unsigned target = 0;  ///< side of a load, tile of a store
  bool wide = false;
  std::uint64_t address = 0;
  std::uint32_t local = 0;  ///< first row or word
  unsigned rows = 1;
  unsigned segments = 1;
  unsigned planes = 1;
  std::uint32_t segment_pitch = 0;
  std::uint32_t plane_pitch = 0;
  unsigned word_pitch = 0;
  unsigned packed = 0;      ///< rows of a packed block; 0: not packed
  unsigned interleave = 0;  ///< of a load, which hands it to the operand memory

  std::array<std::uint32_t, 16> words() const;  ///< as a descriptor
};

/// Bytes that may be touched.
struct Window {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
};

/// A row in memory: its address, and its row in the operand memory, or first result (words *
/// segment + element) in the result memory.
using OnBeat = std::function<void(std::uint64_t address, std::uint64_t local)>;

/// Bytes of memory from an address on.
struct DmaImage {
  const std::vector<std::uint8_t>& bytes;
  std::uint64_t begin;
};

/// Calls on_beat for the rows of all bursts before the first that is not legal; returns the error
/// code, or 0. Where there is an image, packed blocks that do not add up are not legal.
unsigned walk(const DmaShape& shape, const Transfer& transfer, const Window& window,
              const OnBeat& on_beat, const DmaImage* image = nullptr);

/// The block that a packed row is in.
std::uint64_t block_of(const DmaShape& shape, std::uint64_t address);

/// A row of a load as it comes into an operand memory.
std::vector<std::uint8_t> loaded_row(const DmaShape& shape, const Transfer& transfer,
                                     const DmaImage& image, std::uint64_t address);

constexpr unsigned kPacked = 10;  ///< the code of packed blocks that do not add up

/// Results in a beat of a store.
unsigned results_of_beat(const DmaShape& shape, const Transfer& transfer);

/// Bytes of a result as a store writes it; returns whether they are 0 or -0.
bool write_result(const DmaShape& shape, const Transfer& transfer, std::uint32_t bits,
                  std::uint8_t* bytes);

/// What packed blocks have: some values, few, so that many blocks come before one has left, or as
/// many as there may be, in long loads, so that the room for values is full.
enum class Blocks { any, sparse, full };

/// A random transfer within the window and the local memories, most of the time.
Transfer draw_transfer(Draw& draw, const DmaShape& shape, const Window& window, bool store,
                       Blocks blocks);

/// Makes a field of it wrong, most of the time.
void spoil(Draw& draw, const DmaShape& shape, const Window& window, Transfer& transfer);

}  // namespace td::verify
