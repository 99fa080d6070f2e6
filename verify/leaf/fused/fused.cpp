// SPDX-License-Identifier: Apache-2.0
#include "verify/leaf/fused/fused.hpp"

#include <gmpxx.h>
#include <mpfr.h>

#include <algorithm>
#include <cstring>

namespace td::leaf::exact {
namespace {

constexpr int kUnit = -400;  ///< all integers here count 2^kUnit
constexpr std::uint32_t kNan = 0x7fc00000;

/// A finite value: significand * 2^place, and the exponent that its format gives it.
struct Value {
  mpz_class significand;
  int exponent, place;
  bool nan, infinite, negative;

  mpz_class units() const { return significand << static_cast<mp_bitcnt_t>(place - kUnit); }
};

Value value(Layout layout, std::uint32_t bits) {
  const std::uint32_t field = (bits >> layout.fraction) & layout.exponent_mask();
  const std::uint32_t fraction = bits & layout.fraction_mask();
  const bool negative = (bits >> (layout.width() - 1)) != 0;
  const bool special = field == layout.exponent_mask();
  const int bias = static_cast<int>(layout.exponent_mask() >> 1);
  const int exponent = std::max(1, static_cast<int>(field)) - bias;
  mpz_class significand = fraction + (field != 0 ? 1U << layout.fraction : 0);
  if (negative) significand = -significand;
  return {significand,
          exponent,
          exponent - layout.fraction,
          special && fraction != 0,
          special && fraction == 0,
          negative};
}

struct Product {
  mpz_class units;
  int exponent;
};

/// Exact products of finite pairs.
std::vector<Product> products(Layout layout, const std::vector<Operands>& pairs) {
  std::vector<Product> result;
  for (const Operands pair : pairs) {
    const Value a = value(layout, pair.a);
    const Value b = value(layout, pair.b);
    const mpz_class significand = a.significand * b.significand;
    const auto places = static_cast<mp_bitcnt_t>(a.place + b.place - kUnit);
    result.push_back({significand << places, a.exponent + b.exponent});
  }
  return result;
}

int levels(int lanes) {
  int count = 0;
  for (; (1 << count) < lanes; ++count) {
  }
  return count;
}

/// Half units of 2^unit: a whole one in between stands for everything between two units.
mpz_class halves(const mpz_class& units, int unit) {
  const auto places = static_cast<mp_bitcnt_t>(unit - kUnit);
  mpz_class floor, rest;
  mpz_fdiv_q_2exp(floor.get_mpz_t(), units.get_mpz_t(), places);
  mpz_fdiv_r_2exp(rest.get_mpz_t(), units.get_mpz_t(), places);
  return 2 * floor + (rest != 0 ? 1 : 0);
}

std::uint32_t to_binary32(const mpz_class& integer, int place) {
  mpfr_set_emin(-148);
  mpfr_set_emax(128);
  mpfr_t x;
  mpfr_init2(x, 24);
  const int ternary = mpfr_set_z_2exp(x, integer.get_mpz_t(), place, MPFR_RNDN);
  mpfr_subnormalize(x, ternary, MPFR_RNDN);
  const float result = mpfr_get_flt(x, MPFR_RNDN);
  mpfr_clear(x);
  std::uint32_t bits;
  std::memcpy(&bits, &result, sizeof bits);
  return bits;
}

/// The result where an operand is Inf or NaN; 0 where none is.
std::uint32_t special(Layout layout, const std::vector<Operands>& pairs, const Value& held) {
  bool nan = held.nan;
  bool plus = held.infinite && !held.negative;
  bool minus = held.infinite && held.negative;
  for (const Operands pair : pairs) {
    const Value a = value(layout, pair.a);
    const Value b = value(layout, pair.b);
    if (!a.nan && !b.nan && !a.infinite && !b.infinite) continue;
    nan = nan || a.nan || b.nan || a.significand == 0 || b.significand == 0;
    (a.negative == b.negative ? plus : minus) = true;
  }
  if (nan || (plus && minus)) return kNan;
  return plus ? 0x7f800000 : minus ? 0xff800000 : 0;
}

}  // namespace

std::uint32_t fused(Layout layout, int lanes, const std::vector<Operands>& pairs,
                    std::uint32_t accumulator) {
  const Value held = value(binary32, accumulator);
  if (const std::uint32_t bits = special(layout, pairs, held); bits != 0) return bits;
  const std::vector<Product> terms = products(layout, pairs);
  int unit = held.place - 3;
  const int below = layout.fraction + 24 + levels(lanes);
  int row_unit = kUnit;
  for (const Product& term : terms) {
    if (term.units != 0) row_unit = std::max(row_unit, term.exponent - below);
  }
  mpz_class sum;
  for (const Product& term : terms) {
    mpz_class cut;  // towards zero
    mpz_tdiv_q_2exp(cut.get_mpz_t(), term.units.get_mpz_t(),
                    static_cast<mp_bitcnt_t>(row_unit - kUnit));
    sum += cut << static_cast<mp_bitcnt_t>(row_unit - kUnit);
  }
  unit = std::max(unit, row_unit);
  return to_binary32(halves(sum, unit) + halves(held.units(), unit), unit - 1);
}

bool within_tree_bound(Layout layout, int lanes, const std::vector<Operands>& pairs,
                       std::uint32_t accumulator, std::uint32_t result) {
  mpz_class sum = value(binary32, accumulator).units();
  mpz_class magnitudes;
  for (const Product& term : products(layout, pairs)) {
    sum += term.units;
    magnitudes += abs(term.units);
  }
  const mpz_class error = abs(sum - value(binary32, result).units());
  const mpz_class smallest = mpz_class(1) << static_cast<mp_bitcnt_t>(24 - 150 - kUnit);
  return (error << 24) <= abs(sum) + levels(lanes) * magnitudes + smallest;
}

}  // namespace td::leaf::exact
