// SPDX-License-Identifier: Apache-2.0
// Shapes by hand, operands by a generator with a fixed seed.
#include "verify/authors/odd_layers.hpp"

#include <fmt/format.h>

#include <random>

namespace td::authors {
namespace {

/// Shares of zeros, in percent, of A, W and GO. Images differ: in every second one A and GO have
/// the share of the other.
struct OddZeros {
  std::uint32_t a;
  std::uint32_t w;
  std::uint32_t go;
};

/// A convolution's geometry; the kernel is square.
struct Geometry {
  std::int64_t height;
  std::int64_t width;
  std::int64_t kernel;
  std::int64_t stride;
  std::int64_t padding;
};

constexpr Geometry kGeometries[] = {
    {7, 7, 3, 1, 0},  {6, 9, 3, 1, 2},  {5, 5, 5, 1, 1},   {9, 9, 3, 2, 1}, {8, 8, 3, 2, 1},
    {9, 12, 3, 2, 0}, {10, 7, 2, 2, 0}, {11, 11, 5, 3, 2}, {7, 7, 1, 2, 0}, {8, 9, 4, 3, 3}};

constexpr OddZeros kZeros[] = {{50, 0, 40}, {20, 80, 30}, {85, 30, 90}};

constexpr std::int64_t kImages = 3;
constexpr std::int64_t kChannels = 20;
constexpr std::int64_t kFilters = 35;

/// `slabs` runs of equally many elements, zero with the share of their parity.
std::vector<std::uint32_t> operand(std::int64_t elements, std::int64_t slabs,
                                   const std::uint32_t (&percent)[2], std::mt19937& random) {
  const std::uint32_t one = 0x3f80;  // in bf16
  std::vector<std::uint32_t> bits;
  for (std::int64_t i = 0; i < elements; ++i) {
    const std::uint32_t zeros = percent[i / (elements / slabs) % 2];
    bits.push_back(random() % 100 < zeros ? 0 : one);
  }
  return bits;
}

Layer fill(const sim::LayerInfo& info, const OddZeros& zeros, std::mt19937& random) {
  Layer layer;
  layer.info = info;
  layer.a = operand(sim::count(info.a), kImages, {zeros.a, zeros.go}, random);
  layer.w = operand(sim::count(info.w), 1, {zeros.w, zeros.w}, random);
  layer.go = operand(sim::count(info.go), kImages, {zeros.go, zeros.a}, random);
  return layer;
}

sim::LayerInfo conv_info(const Geometry& geometry) {
  const auto out = [&](std::int64_t in) {
    return (in + 2 * geometry.padding - geometry.kernel) / geometry.stride + 1;
  };
  sim::LayerInfo info;
  info.snapshot = "odd";
  info.name =
      fmt::format("conv{}x{} on {}x{}, stride {}, padding {}", geometry.kernel, geometry.kernel,
                  geometry.height, geometry.width, geometry.stride, geometry.padding);
  for (int i = 0; i < 2; ++i) {
    info.conv.stride[i] = geometry.stride;
    info.conv.padding[i] = geometry.padding;
  }
  info.a = {kImages, kChannels, geometry.height, geometry.width};
  info.w = {kFilters, kChannels, geometry.kernel, geometry.kernel};
  info.go = {kImages, kFilters, out(geometry.height), out(geometry.width)};
  return info;
}

sim::LayerInfo linear_info() {
  sim::LayerInfo info;
  info.snapshot = "odd";
  info.name = "linear";
  info.type = sim::LayerType::linear;
  info.a = {kImages, kChannels};
  info.w = {kFilters, kChannels};
  info.go = {kImages, kFilters};
  return info;
}

}  // namespace

std::vector<Layer> odd_layers() {
  std::mt19937 random(3);
  std::vector<Layer> layers;
  for (const OddZeros& zeros : kZeros) {
    for (const Geometry& geometry : kGeometries) {
      layers.push_back(fill(conv_info(geometry), zeros, random));
    }
    layers.push_back(fill(linear_info(), zeros, random));
  }
  return layers;
}

}  // namespace td::authors
