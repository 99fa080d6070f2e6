// SPDX-License-Identifier: Apache-2.0
// Synthetic zeros follow their law: shares, runs and spread as networks/README.md states them, each
// within five standard deviations.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

#include "sim/network/synthetic_slab.hpp"

namespace {

using td::sim::Shape;
using td::sim::SlabGenerator;
using td::sim::ZeroLaw;

constexpr double kSigmas = 5;
constexpr std::uint64_t kKey = 20200748;

/// 1 where the slab's element is zero; everything else in it must be one.
std::vector<std::uint8_t> zeros_of(const SlabGenerator& generator, std::int64_t index) {
  std::vector<std::uint16_t> elements(static_cast<std::size_t>(generator.elements()));
  std::vector<unsigned char> bytes(2 * elements.size());
  generator.generate(index, bytes.data());
  std::memcpy(elements.data(), bytes.data(), bytes.size());
  std::vector<std::uint8_t> zeros(elements.size());
  bool legal = true;
  for (std::size_t i = 0; i < elements.size(); ++i) {
    zeros[i] = elements[i] == 0;
    legal &= elements[i] == 0 || elements[i] == 0x3f80;
  }
  if (!legal) FAIL("an element is neither 0 nor 1");
  return zeros;
}

double mean_of(const std::vector<std::uint8_t>& values) {
  std::int64_t sum = 0;
  for (const std::uint8_t value : values) sum += value;
  return static_cast<double>(sum) / static_cast<double>(values.size());
}

double share_of(const ZeroLaw& law, const Shape& shape) {
  const SlabGenerator generator(law, shape, kKey);
  double sum = 0;
  for (std::int64_t i = 0; i < shape[0]; ++i) sum += mean_of(zeros_of(generator, i));
  return sum / static_cast<double>(shape[0]);
}

void check_within(double measured, double expected, double deviation) {
  CAPTURE(measured);
  CAPTURE(expected);
  CAPTURE(deviation);
  CHECK(std::abs(measured - expected) <= kSigmas * deviation);
}

/// Share of a channel that takes the quantile u.
double channel_share(const ZeroLaw& law, double u) {
  const double s = law.zeros;
  return (1 - law.spread) * s + law.spread * (1 - std::pow(u, s / (1 - s)));
}

/// Mean correlation of two positions of a line, the same one included.
double line_correlation(double run, std::int64_t width) {
  double sum = 0;
  for (std::int64_t i = 0; i < width; ++i) {
    for (std::int64_t j = 0; j < width; ++j) {
      sum += std::pow(1 - 1 / run, static_cast<double>(std::abs(i - j)));
    }
  }
  return sum / static_cast<double>(width * width);
}

/// Standard deviation of a clustered tensor's share.
double share_deviation(const ZeroLaw& law, const Shape& shape) {
  constexpr int points = 1000;
  const std::int64_t count = shape[1];
  const auto channels = static_cast<double>(count);
  double between = 0;  // variance of a channel's share within its part of 0..1, summed
  double within = 0;   // mean variance of an element within its channel
  for (std::int64_t c = 0; c < count; ++c) {
    double sum = 0;
    double squares = 0;
    for (int i = 0; i < points; ++i) {
      const double share =
          channel_share(law, (static_cast<double>(c) + (i + 0.5) / points) / channels);
      sum += share;
      squares += share * share;
      within += share * (1 - share) / points / channels;
    }
    between += squares / points - (sum / points) * (sum / points);
  }
  const double plane =
      shape.size() == 2 ? 1
                        : line_correlation(law.run, shape[2]) * line_correlation(law.run, shape[3]);
  return std::sqrt(between / (channels * channels) +
                   within * plane / (channels * static_cast<double>(shape[0])));
}

/// As many pairs are in order as in a random permutation.
void check_mixed(const std::vector<double>& values) {
  double in_order = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) in_order += values[j] < values[i] ? 1 : 0;
  }
  const auto n = static_cast<double>(values.size());
  check_within(in_order, n * (n - 1) / 4, std::sqrt(n * (n - 1) * (2 * n + 5) / 72));
}

}  // namespace

TEST_CASE("zero law: shares of random zeros") {
  const Shape shape = {512, 16, 64, 64};
  const auto slabs = static_cast<double>(shape[0]);
  // The last ones lie between bounds of 16 bits.
  for (const double zeros : {0.5, 1.0 / 3, 0.9, 0.001, 1.5 / 65536, 1 - 1.5 / 65536}) {
    CAPTURE(zeros);
    const double elements = static_cast<double>(td::sim::count(shape));
    const double fraction = zeros * 65536 - std::floor(zeros * 65536);
    const double rounding = fraction * (1 - fraction) / 65536 / 65536;
    check_within(share_of({zeros, 1, 0}, shape), zeros,
                 std::sqrt(zeros * (1 - zeros) / elements + rounding / slabs));
  }
}

TEST_CASE("zero law: shares of clustered zeros") {
  const ZeroLaw laws[] = {
      {0.5, 2, 0}, {0.7, 2, 0.8}, {0.95, 1, 1}, {0.1, 3.5, 0.5}, {0.72, 1, 0.8}};
  const Shape shapes[] = {{32, 96, 14, 14}, {16, 256, 7, 7}, {128, 64, 3, 3},
                          {4, 16, 56, 40},  {512, 300},      {64, 128, 1, 1}};
  for (const ZeroLaw& law : laws) {
    for (const Shape& shape : shapes) {
      CAPTURE(law.zeros);
      CAPTURE(law.run);
      CAPTURE(law.spread);
      CAPTURE(td::sim::to_string(shape));
      check_within(share_of(law, shape), law.zeros, share_deviation(law, shape));
    }
  }
}

TEST_CASE("zero law: none and all") {
  for (const ZeroLaw& law : {ZeroLaw{0, 1, 0}, ZeroLaw{0, 3, 0.5}, ZeroLaw{0, 1, 1}}) {
    CHECK(share_of(law, {4, 7, 5, 3}) == 0);
    CHECK(share_of({1, law.run, law.spread}, {4, 7, 5, 3}) == 1);
  }
}

TEST_CASE("zero law: random elements do not depend on each other") {
  constexpr double zeros = 0.4;
  const SlabGenerator generator({zeros, 1, 0}, {2, 1 << 20}, kKey);
  const auto first = zeros_of(generator, 0);
  const auto second = zeros_of(generator, 1);
  const auto check_pairs = [&](std::size_t distance, const std::vector<std::uint8_t>& other) {
    CAPTURE(distance);
    std::vector<std::uint8_t> both(first.size() - distance);
    for (std::size_t i = 0; i < both.size(); ++i) both[i] = first[i] & other[i + distance];
    const double expected = zeros * zeros;
    // Pairs that share an element are correlated: three times the variance is a bound.
    check_within(mean_of(both), expected, std::sqrt(3 * expected / static_cast<double>(1 << 20)));
  };
  for (std::size_t distance = 1; distance <= 70; ++distance) check_pairs(distance, first);
  check_pairs(0, second);
}

TEST_CASE("zero law: elements of a channel correlate with their distance") {
  const Shape shape = {1, 20000, 9, 8};
  const std::size_t channels = 20000;
  const std::size_t height = 9;
  const std::size_t width = 8;
  const std::size_t distances[][2] = {{0, 1}, {1, 0}, {1, 1}, {0, 3}, {2, 0}, {3, 2}, {8, 0}};
  for (const ZeroLaw& law : {ZeroLaw{0.7, 2, 0}, ZeroLaw{0.3, 5, 0}, ZeroLaw{0.5, 1.2, 0}}) {
    const auto zeros = zeros_of(SlabGenerator(law, shape, kKey), 0);
    for (const auto& distance : distances) {
      const std::size_t dy = distance[0];
      const std::size_t dx = distance[1];
      CAPTURE(law.run);
      CAPTURE(dy);
      CAPTURE(dx);
      double sum = 0;
      double squares = 0;
      for (std::size_t c = 0; c < channels; ++c) {
        const std::uint8_t* plane = &zeros[c * height * width];
        int differ = 0;
        for (std::size_t y = 0; y + dy < height; ++y) {
          for (std::size_t x = 0; x + dx < width; ++x) {
            differ += plane[y * width + x] != plane[(y + dy) * width + x + dx];
          }
        }
        const double share = differ / static_cast<double>((height - dy) * (width - dx));
        sum += share / channels;
        squares += share * share / channels;
      }
      const double correlation = std::pow(1 - 1 / law.run, static_cast<double>(dy + dx));
      check_within(sum, 2 * law.zeros * (1 - law.zeros) * (1 - correlation),
                   std::sqrt((squares - sum * sum) / channels));
    }
  }
}

TEST_CASE("zero law: stretches along a line are as long as stated") {
  for (const ZeroLaw& law : {ZeroLaw{0.7, 2, 0}, ZeroLaw{0.3, 5, 0}, ZeroLaw{0.5, 1.5, 0}}) {
    const auto zeros = zeros_of(SlabGenerator(law, {1, 1, 1, 1 << 21}, kKey), 0);
    std::int64_t stretches = 0;
    for (std::size_t i = 1; i < zeros.size(); ++i) stretches += zeros[i] < zeros[i - 1];
    // Lengths are geometric: a stretch ends where an element is drawn and is not zero.
    const double ends = (1 - law.zeros) / law.run;
    const double length =
        mean_of(zeros) * static_cast<double>(zeros.size()) / static_cast<double>(stretches);
    CAPTURE(law.run);
    check_within(length, 1 / ends,
                 std::sqrt(1 - ends) / ends / std::sqrt(static_cast<double>(stretches)));
  }
}

TEST_CASE("zero law: channels take their shares from equal parts of the distribution, mixed") {
  constexpr std::size_t channels = 50;
  constexpr double samples = 65536;  // of a channel
  for (const Shape& shape : {Shape{65536, channels}, Shape{16384, channels, 2, 2}}) {
    const std::size_t plane = shape.size() == 2 ? 1 : 4;
    const ZeroLaw law{0.7, plane == 1 ? 3.0 : 1.0, 0.8};  // no runs, or none that matter
    const SlabGenerator generator(law, shape, kKey);
    std::vector<double> shares(channels, 0.0);
    for (std::int64_t image = 0; image < shape[0]; ++image) {
      const auto zeros = zeros_of(generator, image);
      for (std::size_t i = 0; i < zeros.size(); ++i) shares[i / plane] += zeros[i] / samples;
    }
    check_mixed(shares);
    std::sort(shares.begin(), shares.end(), std::greater<>());
    for (std::size_t i = 0; i < channels; ++i) {
      const double most = channel_share(law, static_cast<double>(i) / channels);
      const double least = channel_share(law, static_cast<double>(i + 1) / channels);
      const double noise = kSigmas * std::sqrt(least * (1 - least) / samples);
      CAPTURE(i);
      CHECK(shares[i] <= most + noise);
      CHECK(shares[i] >= least - noise);
    }
  }
}
