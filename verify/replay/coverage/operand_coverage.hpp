// SPDX-License-Identifier: Apache-2.0
// Coverage of operands: what IEEE-754 treats apart, multiplied and dropped on either side.
#pragma once

#include <array>

#include "verify/replay/coverage/bins.hpp"
#include "verify/replay/coverage/held_rows.hpp"

namespace td::verify {

class OperandCoverage {
 public:
  OperandCoverage(const Config& config, Bins& bins);

  /// A row of both sides that leaves, with what was taken of it.
  void on_leaving(const HeldRow& a, const HeldRow& b);

 private:
  void on_pair(OperandKind a, OperandKind b, bool multiplied);

  const Config config_;
  Bins& bins_;
  using KindBins = std::array<std::array<Bins::Id, 2>, kOperandKinds.size()>;
  KindBins a_{};                         ///< [kind][multiplied]
  KindBins b_{};                         ///< [kind][multiplied]
  std::array<Bins::Id, 3> dropped_{};    ///< pairs: side A alone is zero, side B alone, both
  std::array<Bins::Id, 2> nonfinite_{};  ///< dropped Inf or NaN: of side A, of side B
};

}  // namespace td::verify
