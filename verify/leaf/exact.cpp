// SPDX-License-Identifier: Apache-2.0
// What the leaf cells must answer, from MPFR: correctly rounded by integer arithmetic alone.
#include "verify/leaf/exact.hpp"

#include <gmp.h>
#include <mpfr.h>

namespace td::leaf::exact {

namespace {

/// Numbers to work with, one set for each thread.
struct Scratch {
  mpfr_t a, b, result;
  mpz_t significand;

  Scratch() {
    mpfr_init2(a, 1 + binary32.fraction);
    mpfr_init2(b, 1 + binary32.fraction);
    mpfr_init2(result, 1 + binary32.fraction);
    mpz_init(significand);
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  ~Scratch() {
    mpfr_clears(a, b, result, static_cast<mpfr_ptr>(nullptr));
    mpz_clear(significand);
    mpfr_free_cache();
  }
};

thread_local Scratch scratch;

int bias_of(Layout layout) { return (1 << (layout.exponent - 1)) - 1; }

/// Exponent of the last place of subnormal numbers.
int unit_of(Layout layout) { return 1 - bias_of(layout) - layout.fraction; }

/// Makes results have the range of a format. MPFR's significands are 0.1…, one place further down.
void set_range(Layout layout) {
  mpfr_set_emin(unit_of(layout) + 1);
  mpfr_set_emax(bias_of(layout) + 1);
}

std::uint32_t exponent_field(Layout layout, std::uint32_t bits) {
  return (bits >> layout.fraction) & layout.exponent_mask();
}

bool is_nan(Layout layout, std::uint32_t bits) {
  return exponent_field(layout, bits) == layout.exponent_mask() &&
         (bits & layout.fraction_mask()) != 0;
}

bool is_signalling(Layout layout, std::uint32_t bits) {
  return is_nan(layout, bits) && ((bits >> (layout.fraction - 1)) & 1) == 0;
}

/// Sets x from a pattern, rounded to x's own precision; returns MPFR's ternary value.
int set(mpfr_ptr x, Layout layout, std::uint32_t bits) {
  const std::uint32_t field = exponent_field(layout, bits);
  const std::uint32_t fraction = bits & layout.fraction_mask();
  const int sign = (bits >> (layout.width() - 1)) != 0 ? -1 : 1;
  if (is_nan(layout, bits)) {
    mpfr_set_nan(x);
  } else if (field == layout.exponent_mask()) {
    mpfr_set_inf(x, sign);
  } else if (field == 0 && fraction == 0) {
    mpfr_set_zero(x, sign);
  } else {
    const long significand = long{fraction} + (field != 0 ? 1L << layout.fraction : 0);
    const int place = unit_of(layout) + (field != 0 ? static_cast<int>(field) - 1 : 0);
    return mpfr_set_si_2exp(x, sign * significand, place, MPFR_RNDN);
  }
  return 0;
}

std::uint32_t bits_of(Layout layout, mpfr_srcptr x) {
  const std::uint32_t infinity = layout.exponent_mask() << layout.fraction;
  if (mpfr_nan_p(x) != 0) return infinity | (1U << (layout.fraction - 1));
  const std::uint32_t sign = mpfr_signbit(x) != 0 ? 1U << (layout.width() - 1) : 0;
  if (mpfr_inf_p(x) != 0) return sign | infinity;
  if (mpfr_zero_p(x) != 0) return sign;
  const auto above = static_cast<int>(mpfr_get_z_2exp(scratch.significand, x)) - unit_of(layout);
  const auto significand = static_cast<std::uint32_t>(mpz_get_ui(scratch.significand));
  if (above < 0) return sign | (significand >> -above);  // subnormal: these places are zeros
  // The hidden one counts as one more of the exponent.
  return sign | ((static_cast<std::uint32_t>(above) << layout.fraction) + significand);
}

/// The result of an operation that left `ternary`, in the bits of the format. signalling,
/// nan_operand: whether an operand was a signalling NaN, or any.
Rounded finish(Layout layout, mpfr_ptr result, int ternary, bool signalling, bool nan_operand) {
  // Tiny: below the smallest normal number after rounding to full precision.
  const bool tiny = mpfr_zero_p(result) != 0 ||
                    (mpfr_regular_p(result) != 0 && mpfr_get_exp(result) < 2 - bias_of(layout));
  ternary = mpfr_subnormalize(result, ternary, MPFR_RNDN);
  std::uint32_t flags = 0;
  if (ternary != 0) {
    flags |= inexact;
    if (tiny) flags |= underflow;
    if (mpfr_inf_p(result) != 0) flags |= overflow;
  }
  if (signalling || (mpfr_nan_p(result) != 0 && !nan_operand)) flags |= invalid;
  return {bits_of(layout, result), flags};
}

using Operation = int (*)(mpfr_ptr, mpfr_srcptr, mpfr_srcptr, mpfr_rnd_t);

Rounded apply(Operation operation, Layout layout, std::uint32_t a, std::uint32_t b) {
  set_range(binary32);
  mpfr_set_prec(scratch.result, 1 + binary32.fraction);
  set(scratch.a, layout, a);
  set(scratch.b, layout, b);
  const int ternary = operation(scratch.result, scratch.a, scratch.b, MPFR_RNDN);
  return finish(binary32, scratch.result, ternary,
                is_signalling(layout, a) || is_signalling(layout, b),
                is_nan(layout, a) || is_nan(layout, b));
}

}  // namespace

Rounded product(Layout layout, std::uint32_t a, std::uint32_t b) {
  return apply(mpfr_mul, layout, a, b);
}

Rounded sum(std::uint32_t a, std::uint32_t b) { return apply(mpfr_add, binary32, a, b); }

Rounded converted(Layout target, std::uint32_t x) {
  set_range(target);
  mpfr_set_prec(scratch.result, 1 + target.fraction);
  const int ternary = set(scratch.result, binary32, x);
  return finish(target, scratch.result, ternary, is_signalling(binary32, x), is_nan(binary32, x));
}

}  // namespace td::leaf::exact
