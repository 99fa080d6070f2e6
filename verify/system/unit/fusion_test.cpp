// SPDX-License-Identifier: Apache-2.0
// What fusing two kernels must not promise.
#include "sim/system/fusion/fusion.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>

using td::job::fused_time;
using td::job::fusion_gain;
using td::job::Kernel;

TEST_CASE("fusion: by hand") {
  const Kernel computes{2, 0.8, 0.1, 0.5};
  const Kernel reads{3, 0.1, 0.9, 0.5};
  // Their resources are apart: the longer one hides the shorter, memory is (0.1·2 + 0.9·3) / 0.9.
  CHECK(fused_time(computes, reads) == doctest::Approx(2.9 / 0.9));
  // Twice the same: nothing is gained, nothing lost.
  CHECK(fusion_gain(computes, computes) == doctest::Approx(0));
  // One that needs twice the registers halves the other's warps.
  const Kernel heavy{2, 0.8, 0.1, 0.25};
  CHECK(fused_time(computes, heavy) >= 4);
}

TEST_CASE("fusion: never sooner than the longer one, nor than any resource allows") {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> share(0.01, 1);
  for (int i = 0; i < 2000; ++i) {
    const Kernel one{share(random), share(random), share(random), share(random)};
    const Kernel other{share(random), share(random), share(random), share(random)};
    const double time = fused_time(one, other);
    CHECK(time == fused_time(other, one));
    CHECK(time >= std::max(one.seconds, other.seconds));
    CHECK(time >= one.issue * one.seconds + other.issue * other.seconds - 1e-12);
    Kernel slower = one;
    slower.seconds *= 1.5;
    CHECK(fused_time(slower, other) >= time);
  }
}
