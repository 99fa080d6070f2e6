// SPDX-License-Identifier: Apache-2.0
// What a fused sum must be, by its definition in docs/microarchitecture.md, from GMP's integers and
// MPFR's rounding. It shares nothing with sim/.
#pragma once

#include <cstdint>
#include <vector>

#include "verify/leaf/reference.hpp"
#include "verify/leaf/stimulus.hpp"

namespace td::leaf::exact {

/// The fused sum of a row of `pairs` and a binary32 value, in binary32. lanes: of the PE; those
/// without a pair idle.
std::uint32_t fused(Layout layout, int lanes, const std::vector<Operands>& pairs,
                    std::uint32_t accumulator);

/// Whether a binary32 result is as near to the exact sum of finite operands as a tree of adders
/// would promise: |error| <= u |sum| + L u (sum of |products|) + 2^-150, where u = 2^-24 and L is
/// the tree's levels. The tree's own bound has higher terms too, and roundings of products.
bool within_tree_bound(Layout layout, int lanes, const std::vector<Operands>& pairs,
                       std::uint32_t accumulator, std::uint32_t result);

}  // namespace td::leaf::exact
