// SPDX-License-Identifier: Apache-2.0
#include "sim/system/loadgen/early_stopping.hpp"

#include <algorithm>
#include <cmath>

namespace td::job {
namespace {

/// P[at most `over` of `queries` independent ones fail], each with a probability of `rate`. Terms
/// are summed from the largest on, so that none that counts is below what a number can hold.
double at_most(std::uint64_t over, std::uint64_t queries, double rate) {
  if (over >= queries) return 1;
  const auto n = static_cast<long double>(queries), k = static_cast<long double>(over);
  const auto q = static_cast<long double>(rate), p = 1 - q;
  const long double largest = std::min(k, std::floor((n + 1) * q));
  const long double first =
      std::exp(std::lgamma(n + 1) - std::lgamma(largest + 1) - std::lgamma(n - largest + 1) +
               largest * std::log(q) + (n - largest) * std::log(p));
  long double sum = first;
  long double term = first;
  for (long double i = largest; i > 0; --i) sum += term *= i / (n - i + 1) * p / q;
  term = first;
  for (long double i = largest; i < k; ++i) sum += term *= (n - i) / (i + 1) * q / p;
  return static_cast<double>(sum);
}

}  // namespace

std::uint64_t least_within(const LatencyClaim& claim, std::uint64_t over) {
  const auto enough = [&](std::uint64_t within) {
    return at_most(over, within + over, 1 - claim.percentile) < 1 - claim.confidence;
  };
  std::uint64_t most = 1;
  while (!enough(most)) most *= 2;
  std::uint64_t least = 0;  // the answer is in least..most
  while (least < most) {
    const std::uint64_t middle = least + (most - least) / 2;
    if (enough(middle)) {
      most = middle;
    } else {
      least = middle + 1;
    }
  }
  return least;
}

}  // namespace td::job
