// SPDX-License-Identifier: Apache-2.0
// The products of a scan on tiles: cycles of each of its steps, beside ordinary back-propagation.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/configuration/config.hpp"
#include "sim/system/scan/jacobian.hpp"

namespace td::job {

/// Products that wait for no other of the same step, of all samples.
struct ScanStep {
  std::string name;                  ///< "up 0", "middle", "down 0"
  std::int64_t products = 0;         ///< of them:
  std::int64_t matrix_products = 0;  ///< whose operands are both matrices, no vectors
  std::int64_t zeros = 0;            ///< on side B, which is searched for them
  std::int64_t elements = 0;         ///< there
  std::int64_t dense_cycles = 0;     ///< of the array of dense tiles
  std::int64_t cycles = 0;           ///< of the array
};

struct ScanOnTiles {
  std::vector<ScanStep>
      steps;  ///< one after the other; those of the middle follow one another, too
  double largest_difference = 0;  ///< of its gradients from serial ones, of their largest
};

/// A scan of so many levels (all that there are, or `most`) for each sample of the chain, in
/// double precision. Each product is a linear layer's: rows of the second operand meet columns of
/// the first. The passes of a step are dealt to the tiles in turn, as those of an operation are.
ScanOnTiles scan_on_tiles(const LinearChain& chain, std::optional<std::size_t> most,
                          const Config& config);

/// The gradients of the same layers but for the first's, layer by layer: products with a matrix of
/// all samples, of operation dgrad, each behind the one before.
ScanStep back_propagation_on_tiles(const sim::OperandSource& source,
                                   const std::vector<sim::LayerInfo>& layers, const Config& config);

}  // namespace td::job
