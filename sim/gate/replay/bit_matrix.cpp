// SPDX-License-Identifier: Apache-2.0
#include "sim/gate/replay/bit_matrix.hpp"

namespace td::gate_replay {

/// Swaps the off-diagonal quarters of ever smaller squares: of 64x64 bits, of 32x32, …, of 2x2.
void transpose(BitMatrix& matrix) {
  std::uint64_t lower = 0x00000000ffffffffu;  // of each square's columns
  for (std::size_t half = 32; half > 0; half /= 2, lower ^= lower << half) {
    for (std::size_t square = 0; square < 64; square += 2 * half) {
      for (std::size_t row = square; row < square + half; ++row) {
        const std::uint64_t change = (matrix[row] >> half ^ matrix[row + half]) & lower;
        matrix[row] ^= change << half;
        matrix[row + half] ^= change;
      }
    }
  }
}

}  // namespace td::gate_replay
