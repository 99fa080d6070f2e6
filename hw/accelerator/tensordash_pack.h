/* SPDX-License-Identifier: 0BSD
 * Packs tensors for the loads of the TensorDash accelerator, for C99 and later: blocks of 64 rows
 * without the elements whose bits are all zero. A row has `lanes` elements of `width` bits, 8,
 * 16 or 32, little endian; the sizes are in registers SHAPE, SIZES and BUS. */
#ifndef TENSORDASH_PACK_H
#define TENSORDASH_PACK_H

#include <stdint.h>
#include <string.h>

#define TD1_BLOCK_ROWS 64u

/* Whether an element is kept. */
static inline int td1_is_kept(const uint8_t *element, unsigned width) {
  unsigned byte;
  for (byte = 0; byte < width / 8; ++byte) {
    if (element[byte] != 0) return 1;
  }
  return 0;
}

/* Rows that the longest block of so many rows takes, packed, in whole beats, where BUS.unpack_rows is
 * not 0. Of a tensor 0 says that a block would be no shorter: it stays as it is. Otherwise this is
 * `packed` of all its loads; or of each load the most of those blocks that its segments lie in. */
static inline unsigned td1_packed_rows(const void *tensor, uint64_t rows, unsigned lanes,
                                       unsigned width, unsigned beat_rows) {
  const uint8_t *element = (const uint8_t *)tensor;
  unsigned most = 0, kept = 0, packed;
  uint64_t row;
  unsigned lane;
  for (row = 0; row < rows; ++row) {
    if (row % TD1_BLOCK_ROWS == 0) kept = 0;
    for (lane = 0; lane < lanes; ++lane, element += width / 8) {
      kept += (unsigned)td1_is_kept(element, width);
    }
    if (kept > most) most = kept;
  }
  packed = TD1_BLOCK_ROWS / width + (most + lanes - 1) / lanes;
  packed = (packed + beat_rows - 1) / beat_rows * beat_rows;
  return packed < TD1_BLOCK_ROWS ? packed : 0;
}

/* The tensor's blocks, to where memory for its rows, filled up to whole blocks, begins: a multiple
 * of a block's bytes. The tensor lies elsewhere. */
static inline void td1_pack(void *to, const void *tensor, uint64_t rows, unsigned lanes,
                            unsigned width) {
  const uint8_t *element = (const uint8_t *)tensor;
  const uint64_t row_bytes = (uint64_t)lanes * width / 8;
  uint8_t *block = (uint8_t *)to, *value = block;
  uint64_t number = 0; /* of an element in its block */
  uint64_t row;
  unsigned lane;
  for (row = 0; row < rows; ++row) {
    if (row % TD1_BLOCK_ROWS == 0) {
      block = (uint8_t *)to + row * row_bytes;
      value = block + TD1_BLOCK_ROWS / width * row_bytes;
      memset(block, 0, TD1_BLOCK_ROWS * row_bytes);
      number = 0;
    }
    for (lane = 0; lane < lanes; ++lane, ++number, element += width / 8) {
      if (!td1_is_kept(element, width)) continue;
      block[number / 8] = (uint8_t)(block[number / 8] | 1u << number % 8);
      memcpy(value, element, width / 8);
      value += width / 8;
    }
  }
}

#endif
