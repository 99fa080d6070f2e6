// SPDX-License-Identifier: Apache-2.0
// The law of synthetic zeros against the carried traces: the carried sparsities are what the traces
// hold, and clustered zeros cost what real ones do.
#include <doctest/doctest.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

#include "sim/cycles/op_simulator.hpp"
#include "sim/cycles/operand_choice.hpp"
#include "sim/network/law_fit.hpp"
#include "sim/network/redrawn_operands.hpp"
#include "sim/network/sparsity.hpp"
#include "sim/trace/trace.hpp"
#include "verify/unit/configuration/random_config.hpp"

namespace {

using td::sim::LawFit;
using td::sim::LayerInfo;
using td::sim::Op;
using td::sim::Operand;
using td::sim::OperandSource;
using td::sim::RedrawnOperands;
using td::sim::Trace;
using td::sim::ZeroLaw;
using td::sim::ZeroOrigin;
using td::unit::on_tiles;

constexpr Operand kOperands[] = {Operand::A, Operand::W, Operand::GO};

Trace trace_of(const std::string& name) {
  return Trace(std::string(TD_TRACES) + "/" + name + ".safetensors");
}

void add(LawFit& fit, const Trace& trace, const LayerInfo& layer, Operand operand) {
  fit.add(layer.shape(operand), td::sim::load_bits(trace.tensor(layer, operand), td::Format::fp32));
}

/// Of the layers with these names, in both snapshots.
ZeroLaw law_of(const Trace& trace, Operand operand, std::initializer_list<std::string_view> names) {
  LawFit fit;
  for (const LayerInfo& layer : trace.layers()) {
    for (const std::string_view name : names) {
      if (layer.name == name) add(fit, trace, layer, operand);
    }
  }
  REQUIRE(fit.tensors() == 2 * names.size());
  return fit.law();
}

/// The file's numbers are rounded to the digits that they are written with.
void check_fit(const ZeroLaw& measured, const ZeroLaw& carried) {
  CAPTURE(measured.zeros);
  CAPTURE(measured.run);
  CAPTURE(measured.spread);
  CHECK(std::abs(measured.zeros - carried.zeros) <= 0.005);
  CHECK(std::abs(measured.run - carried.run) <= 0.05);
  CHECK(std::abs(measured.spread - carried.spread) <= 0.005);
}

LayerInfo layer_named(const std::string& name) {
  LayerInfo layer;
  layer.name = name;
  return layer;
}

/// Cycles of all operations of the layer on a tile.
std::int64_t cycles_of(const td::Config& config, const OperandSource& source,
                       const LayerInfo& layer) {
  const td::sim::OpSimulator simulator(on_tiles(config, 1));
  const td::sim::LayerZeros zeros = td::sim::count_zeros(source, layer, config.format);
  std::int64_t cycles = 0;
  for (const Op op : operations(layer)) {
    const auto scheduled = td::sim::zero_shares(layer, op, zeros).scheduled();
    cycles += simulator.run(source, layer, op, scheduled).cycles;
  }
  return cycles;
}

/// Cycles with the trace's operands over cycles with those drawn anew.
double cost_ratio(const Trace& trace, ZeroOrigin origin) {
  constexpr std::uint64_t seeds = 5;
  const td::Config config = td::unit::config_of("");
  const td::sim::TraceOperands operands(trace);
  std::int64_t real = 0;
  std::int64_t drawn = 0;
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    const RedrawnOperands redrawn(trace, origin, seed);
    CHECK(redrawn.identity() != operands.identity());
    for (const LayerInfo& layer : trace.layers()) {
      real += cycles_of(config, operands, layer);
      drawn += cycles_of(config, redrawn, layer);
    }
  }
  return static_cast<double>(real) / static_cast<double>(drawn);
}

}  // namespace

TEST_CASE("sparsity: relu is what the trace of a network with ReLU holds") {
  const Trace trace = trace_of("plain");
  const ZeroLaw a = law_of(trace, Operand::A, {"conv2", "conv4", "conv5", "conv7", "conv8"});
  const ZeroLaw go = law_of(trace, Operand::GO, {"conv1", "conv4", "conv7"});
  for (const std::string name : {"relu", "relu_vgg16"}) {
    const td::sim::Sparsity carried = td::sim::load_sparsity(name);
    check_fit(a, carried.law(layer_named("any"), Operand::A));
    check_fit(go, carried.law(layer_named("any"), Operand::GO));
  }
  check_fit(law_of(trace, Operand::GO, {"conv2", "conv5", "conv8"}),
            td::sim::load_sparsity("relu_vgg16").law(layer_named("features.14"), Operand::GO));
}

TEST_CASE("sparsity: pruned is what the trace of a pruned network holds") {
  const Trace trace = trace_of("resnet_pruned");
  const td::sim::Sparsity carried = td::sim::load_sparsity("pruned");
  const LayerInfo any = layer_named("any");
  check_fit(law_of(trace, Operand::A,
                   {"block1.conv1", "block1.conv2", "block1.shortcut.conv", "block2.conv1",
                    "block2.conv2", "block2.shortcut.conv", "block3.conv1", "block3.conv2"}),
            carried.law(any, Operand::A));
  for (const LayerInfo& layer : trace.layers()) {
    const bool is_pruned = layer.needs_input_grad && layer.type == td::sim::LayerType::conv2d;
    for (const Operand operand : {Operand::W, Operand::GO}) {
      if (operand == Operand::W && !is_pruned) continue;
      LawFit fit;
      add(fit, trace, layer, operand);
      CHECK(std::abs(fit.law().zeros - carried.law(any, operand).zeros) <= 0.005);
    }
  }
}

TEST_CASE("sparsity: clustered zeros cost what real ones do, random ones less") {
  for (const std::string name : {"plain", "resnet_pruned"}) {
    CAPTURE(name);
    const Trace trace = trace_of(name);
    CHECK(std::abs(cost_ratio(trace, ZeroOrigin::clustered) - 1) <= 0.005);
    CHECK(cost_ratio(trace, ZeroOrigin::random) > 1.03);
  }
}

TEST_CASE("sparsity: redrawn operands have the trace's shares of zeros") {
  const Trace trace = trace_of("plain");
  const td::sim::TraceOperands operands(trace);
  for (const ZeroOrigin origin : {ZeroOrigin::random, ZeroOrigin::clustered}) {
    const RedrawnOperands redrawn(trace, origin, 1);
    for (const LayerInfo& layer : trace.layers()) {
      CAPTURE(layer.name);
      const auto real = td::sim::count_zeros(operands, layer, td::Format::bf16);
      const auto drawn = td::sim::count_zeros(redrawn, layer, td::Format::bf16);
      CHECK(std::abs(drawn.a.share() - real.a.share()) <= 0.05);
      CHECK(std::abs(drawn.w.share() - real.w.share()) <= 0.05);
      CHECK(std::abs(drawn.go.share() - real.go.share()) <= 0.05);
    }
  }
}
