// SPDX-License-Identifier: Apache-2.0
// The search for the best dataflow: each objective's own is the best of all, and legal.
#include "sim/dataflow/search.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>

#include "gen/base/error.hpp"
#include "sim/dataflow/bandwidth.hpp"
#include "sim/dataflow/chunk_cycles.hpp"
#include "sim/memory/chip_memories.hpp"
#include "sim/trace/zero_free_operands.hpp"
#include "verify/unit/dataflow/search_cases.hpp"

namespace {

using td::sim::BestDataflows;
using td::sim::DataflowResult;
using td::sim::Objective;
using td::sim::Op;
using td::sim::SparsePath;
using td::sim::Which;
using td::unit::energy;
using td::unit::time;
using Case = td::unit::SearchCase;

void check_best(const DataflowResult& least_energy, const DataflowResult& least_time,
                const DataflowResult& least_product) {
  for (const DataflowResult* one : {&least_energy, &least_time, &least_product}) {
    CHECK(energy(least_energy) <= energy(*one));
    CHECK(time(least_time) <= time(*one));
    CHECK(energy(least_product) * time(least_product) <= energy(*one) * time(*one));
    CHECK(one->memory_cycles >= one->cycles);
  }
}

/// No candidate of TensorDash takes less time than what was found for that.
void check_all_candidates(const Case& one, const DataflowResult& least_time) {
  const Which side_b = one.cycles.scheduled;
  const auto blocks = super_blocks(td::sim::Mapping(one.layer, one.op, one.config.lanes));
  for (const std::int64_t chunk_rows : {std::int64_t{0}, td::sim::scratchpad_rows(one.config)}) {
    const bool cut = chunks(blocks.front(), chunk_rows).count > 1;
    const auto order = cut ? td::sim::ChipOrder::results : td::sim::ChipOrder::operands;
    const td::sim::MemoryTraffic traffic =
        memory_traffic(one.layer, one.op, one.config, one.technology.clock_MHz, one.cycles, {0, 0},
                       {order, nullptr, &one.result});
    const td::sim::OffChip& off_chip = traffic.compressed;
    const std::int64_t hidden = std::max(off_chip.transposer_cycles, off_chip.dram_cycles);
    const td::sim::ChunkCycles cycles(one.config, one.source, one.layer, one.op, side_b,
                                      chunk_rows);
    for (const td::sim::Dataflow& dataflow : td::sim::candidates(one.config, chunk_rows)) {
      if (!obstacle(blocks, one.config, side_b, dataflow).empty()) continue;
      const auto array = cycles.array_cycles(dataflow);
      const td::sim::DataflowCounts counts = dataflow_counts(blocks, one.config, side_b, dataflow);
      const td::sim::SramRows rows{
          counts.first.sram_read + off_chip.first_written_rows,
          counts.second.sram_read + off_chip.sram_written_rows - off_chip.first_written_rows,
          counts.partial_rows};
      const std::int64_t sram = sram_cycles(one.config, one.technology, rows, traffic);
      CHECK(std::max({array, hidden, sram}) >= least_time.memory_cycles);
    }
  }
}

}  // namespace

TEST_CASE("dataflow search: no candidate beats the best, each hardware has its own") {
  std::mt19937 random(65);
  int differ = 0;
  for (int i = 0; i < 60; ++i) {
    CAPTURE(i);
    const Case one(random, i % 2 == 0 ? Op::fwd : Op::wgrad);
    const BestDataflows by_energy = one.best(Objective::energy);
    const BestDataflows by_time = one.best(Objective::time);
    const BestDataflows by_product = one.best(Objective::product);
    check_best(by_energy.dense, by_time.dense, by_product.dense);
    check_best(by_energy.zero_gated, by_time.zero_gated, by_product.zero_gated);
    check_best(by_energy.tensordash, by_time.tensordash, by_product.tensordash);
    check_all_candidates(one, by_time.tensordash);
    const td::sim::Dataflow& dense = by_energy.dense.dataflow;
    const td::sim::Dataflow& tensordash = by_time.tensordash.dataflow;
    const bool same = dense.stationary == tensordash.stationary &&
                      dense.first_tiles == tensordash.first_tiles &&
                      dense.chunk_rows == tensordash.chunk_rows;
    differ += same ? 0 : 1;
  }
  CHECK(differ > 5);
}

TEST_CASE("dataflow search: without zeros dense tiles take TensorDash's cycles for energy") {
  std::mt19937 random(68);
  for (int i = 0; i < 20; ++i) {
    CAPTURE(i);
    Case one(random, i % 2 == 0 ? Op::fwd : Op::dgrad);
    one.ideas.gating = false;
    BestDataflows best = one.best(Objective::energy);
    const td::sim::ZeroFreeOperands none(one.source);
    const td::sim::DataflowCycles cycles =
        dataflow_cycles(one.config, none, one.layer, one.op, best.tensordash);
    add_zero_free({one.config, one.technology, one.compute}, one.job(SparsePath::on), {}, cycles,
                  best);
    CHECK(best.zero_free.cycles == cycles.array);
    CHECK(best.zero_free.memory_cycles >= cycles.array);
    CHECK(best.zero_free.dense.compute_pJ ==
          doctest::Approx(10.0 * static_cast<double>(cycles.tiles)));
    CHECK(best.zero_free.zero_gated.compute_pJ ==
          doctest::Approx(9.0 * static_cast<double>(cycles.tiles)));
    CHECK(best.zero_free.dense.sram_pJ == best.dense.energy.sram_pJ);
    // Each leaks for its own cycles with memory.
    const double pJ =
        of_all_memories(one.config, one.technology, &td::sim::MemoryFigures::leakage_mW) * 1000 /
        388;
    const auto leaked = [&](std::int64_t clocks) {
      return doctest::Approx(pJ * static_cast<double>(clocks)).epsilon(1e-12);
    };
    CHECK(pJ > 0);
    CHECK(best.dense.energy.leakage_pJ == leaked(best.dense.memory_cycles));
    CHECK(best.zero_gated.energy.leakage_pJ == leaked(best.zero_gated.memory_cycles));
    CHECK(best.tensordash.energy.leakage_pJ == leaked(best.tensordash.memory_cycles));
    CHECK(best.zero_free.dense.leakage_pJ == leaked(best.zero_free.memory_cycles));
    CHECK(best.zero_free.zero_gated.leakage_pJ == leaked(best.zero_free.memory_cycles));
    CHECK(cycles.tiles >= best.tensordash.tile_cycles / one.config.depth);
  }
}

TEST_CASE("dataflow search: what is not scheduled could not have been best") {
  std::mt19937 random(71);
  constexpr Op ops[] = {Op::fwd, Op::dgrad, Op::wgrad};
  int cut = 0;
  for (int i = 0; i < 120; ++i) {
    CAPTURE(i);
    Case one(random, ops[i % 3]);
    for (const Objective objective : {Objective::energy, Objective::time, Objective::product}) {
      const DataflowResult found = one.best(objective).tensordash;
      // Cycles of another dealing say nothing of the natural one's: all is scheduled.
      one.cycles.dealing = td::sim::Dealing::density;
      const DataflowResult all = one.best(objective).tensordash;
      one.cycles.dealing = td::sim::Dealing::natural;
      CHECK(energy(found) == energy(all));
      CHECK(time(found) == time(all));
      CHECK(found.dataflow.chunk_rows == all.dataflow.chunk_rows);
      CHECK(found.dataflow.stationary == all.dataflow.stationary);
      CHECK(found.dataflow.first_tiles == all.dataflow.first_tiles);
      cut += all.dataflow.chunk_rows > 0 ? 1 : 0;
    }
  }
  CHECK(cut > 15);
}

TEST_CASE("dataflow search: rows are shared by every kind of hardware, for fewer of them") {
  std::mt19937 random(72);
  int shared = 0;
  for (int i = 0; i < 60; ++i) {
    CAPTURE(i);
    Case one(random, Op::fwd, 0.3);
    const BestDataflows with = one.best(Objective::energy);
    one.ideas.sharing = false;
    const BestDataflows without = one.best(Objective::energy);
    for (const auto kind :
         {&BestDataflows::dense, &BestDataflows::zero_gated, &BestDataflows::tensordash}) {
      const DataflowResult& result = with.*kind;
      CHECK(energy(result) <= energy(without.*kind));
      CHECK_FALSE((without.*kind).shares_rows);
      if (!result.shares_rows) continue;
      CHECK(can_share_rows(one.layer, one.op, one.config.lanes));
      CHECK(result.counts.tile_rows < (without.*kind).counts.tile_rows);
      ++shared;
    }
  }
  CHECK(shared > 30);
}

TEST_CASE("dataflow search: an idea left out never gains, and each gains somewhere") {
  for (const td::sim::DataflowIdea& idea : td::sim::kDataflowIdeas) {
    if (idea.wanted == &td::sim::DataflowIdeas::gradients) continue;  // of two operations
    CAPTURE(idea.name);
    std::mt19937 random(69);
    const double zeros = idea.wanted == &td::sim::DataflowIdeas::gating ? 0.3 : 0.6;
    int gains = 0;
    for (int i = 0; i < 100; ++i) {
      Case one(random, i % 2 == 0 ? Op::fwd : Op::wgrad, zeros);
      const double with = energy(one.best(Objective::energy).tensordash);
      one.ideas.*idea.wanted = false;
      const double without = energy(one.best(Objective::energy).tensordash);
      CHECK(with <= without);
      gains += with < without ? 1 : 0;
    }
    CHECK(gains > 5);
  }
}

TEST_CASE("dataflow search: stored operands are moved in the bits that are left of them") {
  std::mt19937 random(70);
  constexpr Op ops[] = {Op::fwd, Op::dgrad, Op::wgrad};
  int less = 0;
  int scheduled = 0;
  for (int i = 0; i < 90; ++i) {
    CAPTURE(i);
    Case one(random, ops[i % 3], i % 5 / 5.0 + 0.2);
    one.ideas.sharing = false;  // rows are those of the layer
    const BestDataflows stored = one.best(Objective::energy);
    one.ideas.storage = false;
    const BestDataflows plain = one.best(Objective::energy);
    const td::sim::StoredShares shares = stored_shares(one.config, one.source, one.layer, one.op);
    for (const auto kind :
         {&BestDataflows::dense, &BestDataflows::zero_gated, &BestDataflows::tensordash}) {
      const DataflowResult& result = stored.*kind;
      const bool is_dense = kind != &BestDataflows::tensordash;
      const td::sim::ReadShares& wanted = is_dense ? shares.dense : shares.tensordash;
      CHECK(result.shares.first == wanted.first);
      CHECK(result.shares.second == wanted.second);
      CHECK((plain.*kind).shares.first + (plain.*kind).shares.second == 2);
      const td::sim::StreamRows& first = result.counts.first;
      const td::sim::StreamRows& second = result.counts.second;
      const auto bytes = [&](std::int64_t in_first, std::int64_t in_second) {
        return one.config.lanes * width(one.config.format) / 8 *
               (wanted.first * static_cast<double>(in_first) +
                wanted.second * static_cast<double>(in_second));
      };
      const double pJ =
          bytes(first.scratchpad_read, second.scratchpad_read) *
              one.technology.scratchpad.read_pJ_per_byte +
          bytes(first.filled, second.filled) * one.technology.scratchpad.write_pJ_per_byte;
      CHECK(result.energy.scratchpad_pJ == doctest::Approx(pJ).epsilon(0.01));
      CHECK(energy(result) <= energy(plain.*kind) * (1 + 1e-9));
      less += energy(result) < energy(plain.*kind) ? 1 : 0;
      if (one.op == Op::wgrad) CHECK(wanted.first + wanted.second == 2);
    }
    scheduled += shares.tensordash.first < shares.dense.first ? 1 : 0;
    CHECK(shares.tensordash.first <= shares.dense.first);
    CHECK(shares.tensordash.second <= shares.dense.second);
  }
  CHECK(less > 30);
  CHECK(scheduled > 0);
}

TEST_CASE("dataflow search: two-sided tiles have no cycles of a group alone") {
  std::mt19937 random(66);
  Case one(random, Op::fwd);
  one.config.scheduling = td::Scheduling::two_sided;
  CHECK_THROWS_AS(one.best(Objective::energy), td::UserError);
}
