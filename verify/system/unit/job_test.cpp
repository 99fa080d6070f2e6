// SPDX-License-Identifier: Apache-2.0
// A whole job: steps of compositions by hand, and which there are.
#include <doctest/doctest.h>

#include <algorithm>
#include <set>
#include <string>

#include "sim/system/job/candidate.hpp"

namespace {

using td::job::ComposedStep;
using td::job::Composition;
using td::job::Profile;

/// Four equal layers of three seconds, with ten bytes of parameters.
Profile four_layers(double activation_bytes) {
  Profile profile{"test", "m", {}};
  for (int i = 0; i < 4; ++i) profile.layers.push_back({"l", 1, 2, activation_bytes, 10});
  return profile;
}

/// Two replicas of two stages, four microbatches: 1.5 s of each stage a microbatch.
Composition two_by_two() {
  Composition composition{2, 2};
  composition.microbatches = 4;
  return composition;
}

ComposedStep step(const Composition& composition, double activation_bytes) {
  return td::job::step_of(four_layers(activation_bytes), composition, {10, 0, 4, 4, 8});
}

}  // namespace

TEST_CASE("job: a step of replicas of a pipeline, by hand") {
  Composition composition = two_by_two();
  const ComposedStep flushed = step(composition, 0);
  CHECK(flushed.compute_s == doctest::Approx(6));
  CHECK(flushed.pipeline_s == doctest::Approx(1.5));
  CHECK(flushed.exchange_s == doctest::Approx(2));  // 20 bytes of a stage around a ring of two
  composition.recompute = true;
  const ComposedStep recomputed = step(composition, 0);
  CHECK(recomputed.compute_s == doctest::Approx(8));
  CHECK(recomputed.seconds() == doctest::Approx(8 + 2 + 2));
  composition = two_by_two();
  composition.flush = false;
  const ComposedStep unflushed = step(composition, 0);
  CHECK(unflushed.compute_s == doctest::Approx(6));
  CHECK(unflushed.seconds() == doctest::Approx(6));  // gradients are summed beside the next step
}

TEST_CASE("job: memory of the fullest accelerator, by hand") {
  // Four copies of 20 bytes; 4 bytes of activations a stage and microbatch, two of them held.
  Composition composition = two_by_two();
  CHECK(step(composition, 8).memory_bytes == doctest::Approx(80 + 8));
  composition.recompute = true;  // the second stage: one input, and one microbatch computed anew
  CHECK(step(composition, 8).memory_bytes == doctest::Approx(80 + 2 + 4));
  composition = two_by_two();
  composition.flush = false;
  CHECK(step(composition, 8).memory_bytes == doctest::Approx(100 + 8));
  Composition whole{4};
  CHECK(step(whole, 8).memory_bytes == doctest::Approx(160 + 32));
  whole.microbatches = 4;
  CHECK(step(whole, 8).memory_bytes == doctest::Approx(160 + 8));
}

TEST_CASE("job: a step of split layers, by hand") {
  // Halves of 3 s; half of 8 bytes gathered at 4 bytes/s forward, twice that summed backward, but
  // for the input of the first layer.
  Composition halves;
  halves.shards = 2;
  const ComposedStep split = step(halves, 8);
  CHECK(split.compute_s == doctest::Approx(6));
  CHECK(split.split_s == doctest::Approx(4 * 1 + 3 * 2));
  CHECK(split.seconds() == doctest::Approx(16));
  CHECK(split.memory_bytes == doctest::Approx(80 + 32));
  // Two stages of halves: the second gathers 2 x 1 s and sums 2 x 2 s.
  Composition staged{1, 2};
  staged.shards = 2;
  staged.microbatches = 2;
  const ComposedStep both = step(staged, 8);
  CHECK(both.split_s == doctest::Approx(2 * 1 + 2 * 2));
  CHECK(both.compute_s == doctest::Approx(3));
  CHECK(both.memory_bytes == doctest::Approx(40 + 2 * 8));
}

TEST_CASE("job: compositions use all accelerators, and whole samples") {
  const auto found = td::job::compositions_of(8, 4, 96, 1);
  std::set<std::string> names;
  for (const Composition& one : found) {
    CHECK(one.accelerators() == 8);
    CHECK(96 % (one.replicas * one.microbatches) == 0);
    CHECK(one.stages * one.chunks <= 4);
    CHECK(names.insert(td::job::to_text(one)).second);
    CHECK_NOTHROW(step(one, 8));
  }
  // Replicas alone: 1, 2 or 4 microbatches of 12 samples; pipelines of 2 (of 24) and 4 stages (of
  // 48).
  CHECK(std::count_if(found.begin(), found.end(),
                      [](const Composition& one) { return one.stages == 1; }) == 3);
  CHECK(names.count("2 x 4 stages, 2bw, microbatches: 16, recomputed") == 1);
  CHECK(names.count("4 x 2 stages, interleaved, microbatches: 8") == 1);
  CHECK(names.count("2 x 4 stages, interleaved, microbatches: 4") == 0);
  const auto split = td::job::compositions_of(8, 4, 96, 4);
  CHECK(split.size() > found.size());
  for (const Composition& one : split) {
    CHECK(one.accelerators() == 8);
    CHECK(4 % one.shards == 0);
  }
}
