// SPDX-License-Identifier: Apache-2.0
// What the leaf cells must answer, from MPFR: correctly rounded by integer arithmetic alone.
//
// The second oracle. It shares nothing with the processor's float arithmetic, nor with sim/.
#pragma once

#include <cstdint>

#include "verify/leaf/reference.hpp"

namespace td::leaf::exact {

/// IEEE exceptions, in the bits that TestFloat gives them.
enum Flag : std::uint32_t { inexact = 1, underflow = 2, overflow = 4, infinite = 8, invalid = 16 };

/// A result, and the exceptions it raises. Underflow is for results that are inexact, and tiny
/// after rounding.
struct Rounded {
  std::uint32_t bits;
  std::uint32_t flags;
};

/// The product of two operands, in binary32.
Rounded product(Layout layout, std::uint32_t a, std::uint32_t b);

/// The sum of two binary32 values.
Rounded sum(std::uint32_t a, std::uint32_t b);

/// A binary32 value rounded to a shorter format.
Rounded converted(Layout target, std::uint32_t x);

}  // namespace td::leaf::exact
