// SPDX-License-Identifier: Apache-2.0
// Output gradients that come in once for dgrad and wgrad: parts against the plain model, by hand,
// and in the search.
#include "sim/dataflow/gradient_parts.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <vector>

#include "gen/configuration/preset.hpp"
#include "sim/cycles/op_simulator.hpp"
#include "sim/dataflow/search.hpp"
#include "verify/plain/plain_dataflow.hpp"
#include "verify/plain/plain_gradients.hpp"
#include "verify/unit/dataflow/dataflow_cases.hpp"
#include "verify/unit/memory/memory_operands.hpp"

namespace {

using td::Config;
using td::sim::BestDataflows;
using td::sim::DataflowResult;
using td::sim::GradientParts;
using td::sim::LayerInfo;
using td::sim::LayerType;
using td::sim::Objective;
using td::sim::Op;
using td::sim::Which;
using td::unit::pick;

/// Memories that hold some images, of a few layers all.
Config machine_of_images(std::mt19937& random) {
  Config config = td::unit::dataflow_machine(random);
  config.accelerator.sram_banks = 2;
  config.accelerator.sram_bank_bytes = pick(random, 1, 14) * 4 * config.lanes;
  return config;
}

/// Rows of operands in all memories of a kind.
std::int64_t memory_rows(const Config& config) {
  const td::Accelerator& machine = config.accelerator;
  const std::int64_t row_bytes = config.lanes * width(config.format) / 8;
  return machine.tiles * machine.sram_banks * (machine.sram_bank_bytes / row_bytes);
}

std::int64_t chunk_images(const Config& config, const LayerInfo& layer) {
  const auto blocks = super_blocks(td::sim::Mapping(layer, Op::wgrad, config.lanes));
  return chunks(blocks.front(), td::sim::scratchpad_rows(config)).segments;
}

/// dgrad and wgrad of a layer.
struct Pair {
  explicit Pair(std::mt19937& random)
      : config(machine_of_images(random)),
        layer(td::unit::layer_of_images(random)),
        source(td::sim::Dtype::f32) {
    source.add(layer, random, 0.5, 0.5, 0.5);
    compute.parts.dense_step_pJ = 10;
    compute.parts.dense.step = compute.parts.gated.step = compute.parts.zero_gated.step = 1;
    compute.parts.sparse.step = 1.2;
    const td::sim::OpSimulator simulator(config);
    dgrad = simulator.run(source, layer, Op::dgrad, td::unit::random_side(random));
    wgrad = simulator.run(source, layer, Op::wgrad, td::unit::random_side(random));
  }

  std::int64_t elements(td::sim::Operand operand) const {
    return td::sim::count(layer.shape(operand));
  }

  std::vector<BestDataflows> best(Objective objective) const {
    const auto job = [&](Op op, const td::sim::OpCycles& cycles) {
      const td::sim::TensorContents all{elements(operand(op, Which::first)),
                                        elements(operand(op, Which::second))};
      return td::sim::DataflowJob{source, layer, op, cycles, 7, all, td::sim::SparsePath::on, {}};
    };
    return td::sim::best_dataflows({config, technology, compute},
                                   {job(Op::dgrad, dgrad), job(Op::wgrad, wgrad)},
                                   {objective, ideas});
  }

  /// Bytes of every operand once and of both results.
  std::int64_t compulsory_bytes() const {
    using td::sim::Operand;
    const std::int64_t in = elements(Operand::GO) + elements(Operand::W) + elements(Operand::A);
    const std::int64_t out = elements(Operand::A) + elements(Operand::W);
    return in * width(config.format) / 8 + out * output_width(config) / 8;
  }

  Config config;
  LayerInfo layer;
  td::unit::MemoryOperands source;
  td::sim::OpCycles dgrad;
  td::sim::OpCycles wgrad;
  td::sim::Technology technology = td::sim::find_technology("cacti_45nm", td::find_config("tiny"));
  td::sim::ComputeEnergy compute;
  td::sim::DataflowIdeas ideas;
};

double least(const DataflowResult& one, Objective objective) { return one.score(objective).first; }

constexpr DataflowResult BestDataflows::*kKinds[] = {
    &BestDataflows::dense, &BestDataflows::zero_gated, &BestDataflows::tensordash};

}  // namespace

TEST_CASE("gradient parts: the memories hold the longest, element by element") {
  std::mt19937 random(81);
  int whole = 0;
  int parted = 0;
  int most = 0;
  int none = 0;
  for (int i = 0; i < 1200; ++i) {
    CAPTURE(i);
    const Config config = machine_of_images(random);
    const LayerInfo layer = td::unit::layer_of_images(random);
    const std::int64_t rows = memory_rows(config);
    const std::int64_t step = chunk_images(config, layer);
    const auto fits = [&](std::int64_t images) {
      const auto plain = td::verify::plain_gradients(config, layer, images);
      return 2 * plain.first <= rows && plain.second <= rows / 2 * 2;
    };
    const auto all = td::verify::plain_gradients(config, layer, layer.go[0]);
    const bool holds_all = 2 * all.gradients <= rows && 2 * all.turned <= rows;
    const auto parts = gradient_parts(config, layer);
    CHECK(holds_all == (parts && parts->images == 0));
    if (holds_all) {
      CHECK(parts->sum_rows == 0);
      ++whole;
      continue;
    }
    const std::int64_t images = parts ? parts->images : 0;
    none += parts ? 0 : 1;
    if (parts) {
      CHECK(images % step == 0);
      CHECK(images < layer.go[0]);
      CHECK(fits(images));
      ++parted;
    }
    // Of two full parts, and only where a batch is not one image.
    if (layer.type == LayerType::linear || 2 * (images + step) > layer.go[0]) continue;
    CHECK_FALSE(fits(images + step));
    ++most;
  }
  CHECK(whole > 30);
  CHECK(parted > 30);
  CHECK(most > 30);
  CHECK(none > 30);
}

TEST_CASE("gradient parts: sums of wgrad and those of dgrad have room together") {
  std::mt19937 random(82);
  int compared = 0;
  for (int i = 0; i < 700; ++i) {
    CAPTURE(i);
    const Pair one(random);
    const std::vector<BestDataflows> best = one.best(Objective::energy);
    const DataflowResult& dgrad = best[0].tensordash;
    const DataflowResult& wgrad = best[1].tensordash;
    if (!dgrad.gradients_once || dgrad.dataflow.images == 0) continue;
    const auto plain = [&](Op op, const DataflowResult& result) {
      return td::verify::plain_dataflow(one.config, one.source, one.layer, op, result.side_b,
                                        result.dataflow);
    };
    const auto first = plain(Op::dgrad, dgrad);
    const auto second = plain(Op::wgrad, wgrad);
    CHECK_FALSE(second.tears_chunks);
    CHECK(second.most_partial_rows <= dgrad.dataflow.kept_rows);
    const td::Accelerator& machine = one.config.accelerator;
    CHECK(2 * (first.most_partial_rows + second.most_partial_rows) <=
          machine.tiles * machine.sram_banks * (machine.sram_bank_bytes / (4 * one.config.lanes)));
    CHECK(first.counts.sram_reads() == dgrad.counts.sram_reads());
    CHECK(second.counts.sram_reads() == wgrad.counts.sram_reads());
    ++compared;
  }
  CHECK(compared > 20);
}

TEST_CASE("gradient parts: both operations share them, where both together are better") {
  std::mt19937 random(83);
  int once = 0;
  int gains = 0;
  int each_alone = 0;
  for (int i = 0; i < 240; ++i) {
    CAPTURE(i);
    Pair one(random);
    if (i % 2 == 0) one.technology.dram_pJ_per_bit = 0;  // then scratchpads decide
    const Objective objectives[] = {Objective::energy, Objective::time, Objective::product};
    const Objective objective = objectives[i % 3];
    const auto with = one.best(objective);
    one.ideas.gradients = false;
    const auto without = one.best(objective);
    const auto parts = gradient_parts(one.config, one.layer);
    for (const auto kind : kKinds) {
      const DataflowResult& dgrad = with[0].*kind;
      const DataflowResult& wgrad = with[1].*kind;
      CHECK(dgrad.gradients_once == wgrad.gradients_once);
      CHECK_FALSE((without[0].*kind).gradients_once);
      const double both = least(dgrad, objective) + least(wgrad, objective);
      const double each = least(without[0].*kind, objective) + least(without[1].*kind, objective);
      CHECK(both <= each);
      gains += both < each ? 1 : 0;
      const std::int64_t bytes = dgrad.dram_bytes + wgrad.dram_bytes;
      CHECK(bytes >= one.compulsory_bytes());
      if (!dgrad.gradients_once) {
        CHECK(both == each);
        each_alone += parts ? 1 : 0;
        continue;
      }
      ++once;
      CHECK(bytes == one.compulsory_bytes());
      CHECK(dgrad.dataflow.images == parts->images);
      CHECK(wgrad.dataflow.images == parts->images);
      CHECK(dgrad.dataflow.kept_rows == parts->sum_rows);
      CHECK(wgrad.dataflow.kept_rows == 0);
    }
  }
  CHECK(once > 60);
  CHECK(gains > 60);
  CHECK(each_alone > 10);
}

TEST_CASE("gradient parts: docs/dataflow.md works one layer by hand") {
  const LayerInfo layer = td::unit::conv_layer({64, 32, 6, 6}, {64, 32, 3, 3}, {});
  Config config = td::unit::config_of("");
  config.format = td::Format::fp32;
  config.accelerator.tiles = 4;
  config.accelerator.scratchpad_bank_bytes = 512;
  config.accelerator.sram_banks = 4;
  config.accelerator.sram_bank_bytes = 16384;
  const auto parts = gradient_parts(config, layer);
  REQUIRE(parts.has_value());
  CHECK(parts->images == 11);
  CHECK(parts->sum_rows == 1152);
  const auto blocks = super_blocks(td::sim::Mapping(layer, Op::dgrad, 16));
  const auto rows_of_weights = [&](std::int64_t images, std::int64_t kept_rows) {
    const td::sim::Dataflow dataflow{Which::second, 1,        4, td::sim::scratchpad_rows(config),
                                     images,        kept_rows};
    return dataflow_counts(blocks, config, Which::first, dataflow).second.sram_read;
  };
  CHECK(rows_of_weights(parts->images, parts->sum_rows) == 6912);
  CHECK(rows_of_weights(0, 0) == 2304);
  // As many images as a half holds GO of: all at once.
  config.accelerator.sram_bank_bytes *= 2;
  CHECK(gradient_parts(config, layer)->images == 0);
}
