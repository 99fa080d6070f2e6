// SPDX-License-Identifier: Apache-2.0
// The operator beside the reference model of the tile, bit for bit, on random layers.
#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include "sim/operator/operation.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <utility>
#include <xsimd/xsimd.hpp>

#include "base/configuration/preset.hpp"
#include "sim/arithmetic/arith.hpp"
#include "sim/operator/operands.hpp"
#include "sim/trace/quantised_operands.hpp"
#include "verify/trained/reference_passes.hpp"

namespace td::verify {
namespace {

using sim::Op;
using sim::Operand;
using sim::Which;

/// What the random tensors hold beside ordinary numbers.
enum class Kind { ordinary, clustered, wide, cancelling, nonfinite };
constexpr int kKinds = 5;

class Random {
 public:
  explicit Random(std::uint32_t seed) : random_(seed) {}

  std::int64_t between(std::int64_t low, std::int64_t high) {
    return low + static_cast<std::int64_t>(random_() % static_cast<std::uint64_t>(high - low + 1));
  }
  double uniform() { return static_cast<double>(random_() >> 8) * 0x1p-24; }

  std::vector<float> tensor(std::int64_t count, double zeros, Kind kind) {
    std::vector<float> values(static_cast<std::size_t>(count));
    bool zero = false;
    for (std::size_t i = 0; i < values.size(); ++i) {
      // Clusters: zeros and numbers come in runs.
      if (kind != Kind::clustered || random_() % 24 == 0) zero = uniform() < zeros;
      values[i] = zero ? 0.0F : number(kind);
      if (zero && random_() % 2 == 0) values[i] = -0.0F;
    }
    return values;
  }

  sim::LayerInfo layer() {
    sim::LayerInfo layer;
    if (random_() % 4 == 0) {
      layer.type = sim::LayerType::linear;
      layer.a = {between(1, 40), between(1, 50)};
      layer.w = {between(1, 40), layer.a[1]};
      layer.go = {layer.a[0], layer.w[0]};
      return layer;
    }
    const std::int64_t groups = random_() % 3 == 0 ? between(1, 3) : 1;
    layer.conv.groups = groups;
    layer.a = {between(1, 3), groups * between(1, 20), between(1, 11), between(1, 11)};
    layer.w = {groups * between(1, 20), layer.a[1] / groups, between(1, 3), between(1, 3)};
    layer.go = {layer.a[0], layer.w[0]};
    for (std::size_t axis = 0; axis < 2; ++axis) {
      layer.conv.stride[axis] = between(1, 3);
      layer.conv.dilation[axis] = between(1, 2);
      const std::int64_t reach = layer.conv.dilation[axis] * (layer.w[2 + axis] - 1) + 1;
      layer.conv.padding[axis] = between(layer.a[2 + axis] < reach ? reach : 0, 3 + reach) / 2;
      if (layer.a[2 + axis] + 2 * layer.conv.padding[axis] < reach)
        layer.conv.padding[axis] = reach;
      layer.go.push_back(
          (layer.a[2 + axis] + 2 * layer.conv.padding[axis] - reach) / layer.conv.stride[axis] + 1);
    }
    return layer;
  }

 private:
  float number(Kind kind) {
    const auto sign = random_() % 2 == 0 ? 1.0F : -1.0F;
    const float value = sign * static_cast<float>(0.5 + uniform());
    if (kind == Kind::nonfinite && random_() % 40 == 0) {
      return random_() % 2 == 0 ? sign * std::numeric_limits<float>::infinity()
                                : std::numeric_limits<float>::quiet_NaN();
    }
    // Ones that cancel, so that what was cut off the smaller terms shows.
    if (kind == Kind::cancelling) {
      return random_() % 2 == 0 ? sign : std::ldexp(value, static_cast<int>(between(-20, -5)));
    }
    if (kind != Kind::wide) return value;
    // Cancellations, sums that are cut, subnormals, and overflow.
    return std::ldexp(value,
                      static_cast<int>(random_() % 3 == 0 ? between(-140, 127) : between(-24, 24)));
  }

  std::mt19937 random_;
};

Bits bits_of(const std::vector<float>& values, Format format) {
  Bits bits;
  for (const float value : values) bits.push_back(sim::narrow(format, value));
  return bits;
}

/// Results that differ from the reference model's, of `checked` results.
struct Score {
  std::int64_t checked = 0;
  std::int64_t wrong = 0;
};

void compare(const Config& config, const sim::StepKernel& kernel, const sim::LayerInfo& layer,
             Op op, const std::vector<float>& first, const std::vector<float>& second,
             Score& score) {
  std::vector<float> result(static_cast<std::size_t>(sim::count(layer.shape(sim::result_like(op)))),
                            -1.0F);
  sim::Operation(config, layer, op, kernel).run(layer, first.data(), second.data(), result.data());
  int scale = 0;
  const auto round = [&](const std::vector<float>& values, Which which) {
    const auto count = static_cast<std::int64_t>(values.size());
    if (config.format != Format::fp8) return sim::rounded(values.data(), count, config.format);
    sim::Scaled scaled =
        sim::quantised(values.data(), count, sim::fp8_kind(sim::operand(op, which)));
    scale += scaled.scale;
    return std::move(scaled.values);
  };
  const std::vector<float> rounded[2] = {round(first, Which::first), round(second, Which::second)};
  const Which scheduled =
      sim::scheduled_operand(layer, op, config.format, rounded[0].data(), rounded[1].data());
  const Bits right =
      reference_outputs(config, layer, op, scheduled, bits_of(rounded[0], config.format),
                        bits_of(rounded[1], config.format));
  const Bits actual = bits_of(result, config.output);
  for (std::size_t i = 0; i < right.size(); ++i) {
    // Sums of scaled operands are scaled back.
    const float expected = std::ldexp(sim::widen(config.output, right[i]), -scale);
    ++score.checked;
    if (actual[i] != sim::narrow(config.output, expected)) ++score.wrong;
  }
}

Score random_layers(const Config& config, std::uint32_t seed, int layers,
                    const sim::StepKernel& kernel = sim::best_step_kernel()) {
  Score score;
  Random random(seed);
  for (int i = 0; i < layers; ++i) {
    const sim::LayerInfo layer = random.layer();
    const auto kind = static_cast<Kind>(i % kKinds);
    const auto tensor = [&](Operand operand) {
      // Any operand may be the scheduled one.
      return random.tensor(sim::count(layer.shape(operand)), random.uniform(), kind);
    };
    const std::vector<float> a = tensor(Operand::A), w = tensor(Operand::W),
                             go = tensor(Operand::GO);
    const Score before = score;
    compare(config, kernel, layer, Op::fwd, a, w, score);
    compare(config, kernel, layer, Op::dgrad, go, w, score);
    compare(config, kernel, layer, Op::wgrad, a, go, score);
    if (score.wrong > before.wrong) {
      MESSAGE(config.name << ", layer " << i << ": " << score.wrong - before.wrong << " of "
                          << score.checked - before.checked << " differ; "
                          << sim::geometry_text(layer));
    }
  }
  return score;
}

}  // namespace

TEST_CASE("random layers have the bits of the reference model") {
  // Trees and fused sums; bf16, fp32, fp16 and fp8; lanes, rows and accumulators that are no powers
  // of two; results in bf16; 64 lanes; a tile that drops nothing.
  for (const char* name : {"paper_bf16", "fused_bf16", "paper_fp32", "wide4_bf16", "tiny",
                           "odd_fp16", "dense_bf16", "paper_fp8"}) {
    CAPTURE(name);
    const Score score = random_layers(find_config(name), 1, 40);
    CHECK(score.checked > 1000);
    CHECK(score.wrong == 0);
  }
  for (const char* name : {"fused_fp32", "zero_gated_bf16"}) {
    CAPTURE(name);
    const Score score = random_layers(find_config(name), 2, 8);
    CHECK(score.checked > 300);
    CHECK(score.wrong == 0);
  }
  for (const char* file : {"lanes64.toml", "fused_lanes6.toml"}) {
    CAPTURE(file);
    const Score score = random_layers(find_config(std::string(TD_CONFIGS) + "/" + file), 3, 12);
    CHECK(score.checked > 500);
    CHECK(score.wrong == 0);
  }
}

#if defined(__x86_64__)
TEST_CASE("all instruction sets give the same bits") {
  std::vector<sim::StepKernel> kernels = {sim::step_kernel_for<xsimd::sse2>()};
  if (__builtin_cpu_supports("avx2")) kernels.push_back(sim::step_kernel_for<xsimd::avx2>());
  for (const sim::StepKernel& kernel : kernels) {
    for (const char* name : {"paper_bf16", "fused_bf16"}) {
      CAPTURE(name);
      const Score score = random_layers(find_config(name), 4, 20, kernel);
      CHECK(score.checked > 1000);
      CHECK(score.wrong == 0);
    }
  }
}
#endif

}  // namespace td::verify
