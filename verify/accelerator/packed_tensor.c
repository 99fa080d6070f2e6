/* SPDX-License-Identifier: Apache-2.0
 * packed_tensor ROWS LANES WIDTH BEAT_ROWS: reads a tensor's rows, writes the rows that its packed
 * blocks take, as a line, and then the blocks. */
#include <stdio.h>
#include <stdlib.h>

#include "hw/accelerator/tensordash_pack.h"

int main(int argc, char **argv) {
  static uint8_t tensor[1 << 16], blocks[1 << 16];
  if (argc != 5) return 2;
  const unsigned rows = (unsigned)atoi(argv[1]), lanes = (unsigned)atoi(argv[2]);
  const unsigned width = (unsigned)atoi(argv[3]), beat_rows = (unsigned)atoi(argv[4]);
  const unsigned row_bytes = lanes * width / 8;
  const unsigned whole = (rows + TD1_BLOCK_ROWS - 1) / TD1_BLOCK_ROWS * TD1_BLOCK_ROWS;
  if (fread(tensor, row_bytes, rows, stdin) != rows) return 2;
  memset(blocks, 0xa5, sizeof blocks);
  td1_pack(blocks, tensor, rows, lanes, width);
  printf("%u\n", td1_packed_rows(tensor, rows, lanes, width, beat_rows));
  return fwrite(blocks, row_bytes, whole, stdout) != whole;
}
