// SPDX-License-Identifier: Apache-2.0
// Operations with the sparse path off, in the search for the best dataflow.
#include <doctest/doctest.h>

#include <random>

#include "verify/unit/dataflow/search_cases.hpp"

namespace {

using td::sim::BestDataflows;
using td::sim::DataflowResult;
using td::sim::Objective;
using td::sim::Op;
using td::sim::SparsePath;
using td::unit::energy;
using td::unit::SearchCase;

}  // namespace

TEST_CASE("dataflow search: a gated operation takes the dense tile's cycles and its own energy") {
  std::mt19937 random(67);
  for (int i = 0; i < 20; ++i) {
    CAPTURE(i);
    SearchCase one(random, i % 2 == 0 ? Op::dgrad : Op::wgrad);
    one.ideas.storage = false;  // TensorDash alone may schedule what it stores
    one.ideas.sharing = false;  // and its steps may pay where those of dense tiles do not
    if (one.config.rows != one.config.columns) continue;  // else dense tiles may turn sides
    const BestDataflows best = one.best(Objective::energy, SparsePath::gated);
    CHECK(best.tensordash.cycles == best.dense.cycles);
    CHECK(best.tensordash.energy.compute_pJ == doctest::Approx(1.1 * best.dense.energy.compute_pJ));
    CHECK(best.zero_gated.energy.compute_pJ == doctest::Approx(0.9 * best.dense.energy.compute_pJ));
  }
}

TEST_CASE("dataflow search: the sparse path is off where that is better, and only there") {
  std::mt19937 random(73);
  int gated = 0;
  for (int i = 0; i < 60; ++i) {
    CAPTURE(i);
    SearchCase one(random, i % 2 == 0 ? Op::fwd : Op::wgrad, i % 6 / 10.0);
    BestDataflows chosen = one.best(Objective::energy);
    const DataflowResult off = one.best(Objective::energy, SparsePath::gated).tensordash;
    one.ideas.gating = false;
    const DataflowResult on = one.best(Objective::energy).tensordash;
    CHECK(on.path == SparsePath::on);
    CHECK(off.path == SparsePath::gated);
    const bool pays = energy(off) < energy(on);
    CHECK((chosen.tensordash.path == SparsePath::gated) == pays);
    CHECK(energy(chosen.tensordash) == energy(pays ? off : on));
    if (!pays) continue;
    ++gated;
    // A step of such a tile costs 1.1 of a dense one's, and there is one for each row.
    CHECK(chosen.tensordash.tile_cycles == chosen.tensordash.counts.tile_rows);
    CHECK(chosen.tensordash.energy.compute_pJ ==
          doctest::Approx(11.0 * static_cast<double>(chosen.tensordash.tile_cycles)));
    add_zero_free({one.config, one.technology, one.compute}, one.job(SparsePath::on), {}, {},
                  chosen);
    CHECK(chosen.zero_free.cycles == chosen.tensordash.cycles);
  }
  CHECK(gated > 10);
  CHECK(gated < 50);
}
