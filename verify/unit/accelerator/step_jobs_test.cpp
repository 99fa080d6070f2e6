// SPDX-License-Identifier: Apache-2.0
// Operations one behind the other, with results that are operands of later ones: whatever the order
// in which engines go, the bytes of each operation by itself.
#include "sim/accelerator/driver/step_jobs.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <optional>
#include <random>
#include <string>
#include <variant>
#include <vector>

#include "sim/accelerator/model/functional_model.hpp"
#include "verify/unit/accelerator/operation_case.hpp"
#include "verify/unit/memory/memory_operands.hpp"

namespace {

using td::Config;
using td::sim::Cut;
using td::sim::Job;
using td::sim::LayerInfo;
using td::sim::LoadDescriptor;
using td::sim::made_of_results;
using td::sim::Op;
using td::sim::Operand;
using td::sim::Operation;
using td::sim::PlacedOperation;
using td::sim::Planner;
using td::sim::StoreDescriptor;
using td::unit::pick;
using Names = std::vector<std::string>;

std::string name_of(const PlacedOperation& operation) {
  return operation.layer->snapshot + '/' + operation.layer->name + '/' + to_string(operation.op);
}

/// Layers one behind the other, all of one shape: a training step in which results are operands.
class Chain {
 public:
  Chain(std::mt19937& random, const Config& config, std::size_t layers)
      : config_(config), geometry_(geometry_of(config)) {
    draw_layers(random, layers);
    memory_.base = 0x1000;
    // Activations and gradients behind each layer, the first in front of it; then per layer W, GW.
    std::vector<std::uint64_t> activations(layers + 1), gradients(layers + 1), weights, updates;
    for (std::uint64_t& one : activations) one = put(random, Operand::A);
    for (std::uint64_t& one : gradients) one = put(random, Operand::GO);
    for (std::size_t i = 0; i < layers; ++i) {
      weights.push_back(put(random, Operand::W));
      updates.push_back(put(random, Operand::W));
    }
    const auto add = [&](std::size_t i, Op op, std::uint64_t result) {
      operations_.push_back({&layers_[i],
                             op,
                             {{activations[i], weights[i], gradients[i + 1]}, result},
                             Operation(layers_[i], op, geometry_, false).result_layout()});
    };
    for (std::size_t i = 0; i < layers; ++i) add(i, Op::fwd, activations[i + 1]);
    for (std::size_t i = layers; i-- > 0;) {
      add(i, Op::dgrad, gradients[i]);
      add(i, Op::wgrad, updates[i]);
    }
    for (const PlacedOperation& one : operations_) cuts_.push_back(cut(random, one));
  }

  std::size_t size() const { return operations_.size(); }

  /// The memory after all operations, each by itself.
  std::vector<std::uint8_t> one_by_one() const {
    td::sim::MemoryImage memory = memory_;
    td::sim::FunctionalModel model(config_, memory);
    for (std::size_t i = 0; i < size(); ++i) {
      run(model, memory, Planner(geometry_).add(operation(i), cuts_[i], operations_[i].placement),
          0);
    }
    return memory.bytes;
  }

  /// ... of jobs that overlap, in an order of the engines; `forget`: without what it waits for.
  std::vector<std::uint8_t> overlapped(std::uint32_t seed, bool forget = false) {
    td::sim::MemoryImage memory = memory_;
    td::sim::FunctionalModel model(config_, memory);
    Planner planner(geometry_);
    early_ = 0;
    for (std::size_t i = 0; i < size(); ++i) {
      const Operation now = operation(i);
      if (i + 1 == size()) {
        run(model, memory, planner.add(now, cuts_[i], operations_[i].placement), seed);
      } else {
        const Operation behind = operation(i + 1);
        td::sim::Follower next = {behind, cuts_[i + 1], operations_[i + 1].placement,
                                  made_of_results(operations_[i], operations_[i + 1])};
        if (forget) next.needs = std::nullopt;
        run(model, memory, planner.add(now, cuts_[i], operations_[i].placement, &next), seed);
      }
      early_ += planner.early().size();
    }
    return memory.bytes;
  }

  std::size_t early() const { return early_; }  ///< loads in the jobs of the operation before

 private:
  void draw_layers(std::mt19937& random, std::size_t layers) {
    td::sim::Conv conv;
    conv.padding[0] = conv.padding[1] = 1;
    const int channels = pick(random, 1, 3) * static_cast<int>(geometry_.lanes);
    const int size = pick(random, 1, 5), images = pick(random, 1, 4);
    const LayerInfo layer = pick(random, 0, 1) == 0
                                ? td::unit::linear_layer(images * size, channels, channels)
                                : td::unit::conv_layer({images, channels, size, size},
                                                       {channels, channels, 3, 3}, conv);
    layers_.assign(layers, layer);
  }

  Operation operation(std::size_t i) const {
    return {*operations_[i].layer, operations_[i].op, geometry_, false};
  }

  Cut cut(std::mt19937& random, const PlacedOperation& one) const {
    td::sim::PlanOptions options;
    options.scheduled = pick(random, 0, 1) == 0 ? td::sim::Which::first : td::sim::Which::second;
    options.dense = pick(random, 0, 2) == 0;
    return td::sim::best_plans({*one.layer, one.op, geometry_, false}, config_, options,
                               name_of(one), one.placement, {}, {})
        .dropping;
  }

  std::uint64_t put(std::mt19937& random, Operand operand) {
    const td::sim::TensorLayout layout(layers_[0], operand, geometry_);
    const auto bytes =
        layout.pack(td::unit::random_bits(random, config_.format, layers_[0], operand, 0.5));
    memory_.bytes.resize((memory_.bytes.size() + 63) / 64 * 64);
    const std::uint64_t address = memory_.base + memory_.bytes.size();
    memory_.bytes.insert(memory_.bytes.end(), bytes.begin(), bytes.end());
    return address;
  }

  static void run(td::sim::FunctionalModel& model, td::sim::MemoryImage& memory,
                  const std::vector<Job>& jobs, std::uint32_t seed) {
    const std::size_t kept = memory.bytes.size();
    for (const Job& job : jobs) {
      std::vector<std::uint32_t> words;
      for (const td::sim::Descriptor& descriptor : job) encode(descriptor, words);
      memory.bytes.resize((kept + 63) / 64 * 64);
      const std::uint64_t list = memory.base + memory.bytes.size();
      memory.bytes.resize(memory.bytes.size() + words.size() * 4);
      std::memcpy(&memory.bytes[list - memory.base], words.data(), words.size() * 4);
      model.set_window(memory.base, memory.base + memory.bytes.size());
      const td::sim::JobEnd end = model.run(list, static_cast<std::uint32_t>(job.size()), {seed});
      REQUIRE(end.error == td::sim::ErrorCode::none);
      memory.bytes.resize(kept);
    }
  }

  Config config_;
  td::Geometry geometry_;
  std::vector<LayerInfo> layers_;
  td::sim::MemoryImage memory_;
  std::vector<PlacedOperation> operations_;
  std::vector<Cut> cuts_;
  std::size_t early_ = 0;
};

}  // namespace

TEST_CASE("step jobs: overlapped, in any order of the engines, as one by one") {
  std::mt19937 random(37);
  std::size_t early = 0;
  int forgotten = 0;
  for (int i = 0; i < 60; ++i) {
    CAPTURE(i);
    Config config = td::unit::random_accelerator(random);
    // Wide results are no operands.
    while (td::geometry_of(config).wide_only()) config = td::unit::random_accelerator(random);
    Chain chain(random, config, 3);
    const std::vector<std::uint8_t> expected = chain.one_by_one();
    for (std::uint32_t seed = 0; seed < 8; ++seed) {
      CAPTURE(seed);
      CHECK(chain.overlapped(seed) == expected);
      early += chain.early();
      forgotten += chain.overlapped(seed, true) == expected ? 0 : 1;
    }
  }
  CHECK(early > 1000);
  CHECK(forgotten > 200);  // needs are what holds it together
}

TEST_CASE("step jobs: in the order of training, and what is made of the results before") {
  std::mt19937 random(38);
  td::unit::MemoryOperands source;
  for (const char* snapshot : {"early", "late"}) {
    for (const char* name : {"a", "b"}) {
      LayerInfo layer = td::unit::linear_layer(4, 4, 4);
      layer.snapshot = snapshot;
      layer.name = name;
      source.add(layer, random, 0.5, 0.5, 0.5);
    }
  }
  const Config config = td::unit::random_accelerator(random);
  const td::sim::StepLayout layout(config, source, {}, {});
  const auto& operations = layout.operations();
  Names order;
  std::vector<std::string> needs;
  const PlacedOperation* before = nullptr;
  for (const std::size_t place : td::sim::training_order(operations)) {
    const PlacedOperation& one = operations[place];
    order.push_back(name_of(one));
    if (before != nullptr) {
      const std::optional<Operand> operand = made_of_results(*before, one);
      needs.push_back(operand ? to_string(*operand) : "-");
    }
    before = &one;
  }
  CHECK(order == Names{"early/a/fwd", "early/b/fwd", "early/b/dgrad", "early/b/wgrad",
                       "early/a/dgrad", "early/a/wgrad", "late/a/fwd", "late/b/fwd", "late/b/dgrad",
                       "late/b/wgrad", "late/a/dgrad", "late/a/wgrad"});
  CHECK(needs == Names{"A", "GO", "-", "-", "-", "-", "A", "GO", "-", "-", "-"});
  // Gradients of activations alone, of one layer behind the other.
  CHECK(made_of_results(operations[4], operations[1]) == Operand::GO);
  CHECK(made_of_results(operations[4], operations[2]) == Operand::GO);

  // Snapshots are steps by themselves: nothing comes ahead from one to the next.
  std::vector<Cut> cuts;
  for (const PlacedOperation& one : operations) cuts.push_back(layout.cut(one));
  std::size_t early = 0;
  for (td::sim::StepJobs jobs(layout, cuts); !jobs.done();) {
    const td::sim::StepOperation operation = jobs.next();
    CAPTURE(operation.name());
    early += operation.early.size();
    if (operation.op == Op::fwd && operation.layer->name == "a") CHECK(operation.early.empty());
  }
  CHECK(early > 0);
}
