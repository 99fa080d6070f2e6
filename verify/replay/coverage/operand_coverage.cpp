// SPDX-License-Identifier: Apache-2.0
#include "verify/replay/coverage/operand_coverage.hpp"

#include <fmt/format.h>

namespace td::verify {
namespace {

constexpr const char* kDense = "a dense tile drops nothing";
constexpr const char* kOneSided = "one-sided: side B's own zeros alone are dropped";
constexpr const char* kOneSidedPair = "one-sided: a zero of side A alone drops nothing";

/// Why an operand of this kind is never dropped; empty if it can be.
const char* never_dropped(const Config& config, char side, OperandKind kind) {
  if (config.is_dense()) return kDense;
  const bool one_sided = config.scheduling == Scheduling::one_sided;
  return one_sided && side == 'B' && !is_zero(kind) ? kOneSided : "";
}

}  // namespace

OperandCoverage::OperandCoverage(const Config& config, Bins& bins) : config_(config), bins_(bins) {
  for (char side : {'A', 'B'}) {
    for (OperandKind kind = 0; kind < kOrdinary; ++kind) {
      const std::string text = fmt::format("side {} {}", side, kOperandKinds[kind]);
      (side == 'A' ? a_ : b_)[kind] = {
          bins.unreachable("interconnect", text + " dropped", never_dropped(config, side, kind)),
          bins.declare("multiplier", text + " multiplied")};
    }
  }
  const std::string dense = config.is_dense() ? kDense : "";
  const bool one_sided = config.scheduling == Scheduling::one_sided;
  dropped_ = {
      bins.unreachable("row", "pair dropped: side A alone zero", one_sided ? kOneSidedPair : dense),
      bins.unreachable("row", "pair dropped: side B alone zero", dense),
      bins.unreachable("row", "pair dropped: both sides zero", dense)};
  nonfinite_ = {
      bins.unreachable("window", "Inf or NaN of side A dropped", dense),
      bins.unreachable("row", "Inf or NaN of side B dropped", one_sided ? kOneSided : dense)};
}

void OperandCoverage::on_leaving(const HeldRow& a, const HeldRow& b) {
  const auto lanes = static_cast<std::size_t>(config_.lanes);
  for (std::size_t r = 0; r < b.taken.size(); ++r) {
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      const bool multiplied = (b.taken[r] >> lane & 1) != 0;
      for (std::size_t at = lane; at < a.kinds.size(); at += lanes) {
        on_pair(a.kinds[at], b.kinds[r * lanes + lane], multiplied);
      }
    }
  }
}

void OperandCoverage::on_pair(OperandKind a, OperandKind b, bool multiplied) {
  if (a != kOrdinary) bins_.hit(a_[a][multiplied ? 1 : 0]);
  if (b != kOrdinary) bins_.hit(b_[b][multiplied ? 1 : 0]);
  if (multiplied) return;
  if (is_zero(a) || is_zero(b)) bins_.hit(dropped_[is_zero(b) ? (is_zero(a) ? 2 : 1) : 0]);
  if (is_nonfinite(a)) bins_.hit(nonfinite_[0]);
  if (is_nonfinite(b)) bins_.hit(nonfinite_[1]);
}

}  // namespace td::verify
