// SPDX-License-Identifier: Apache-2.0
// An operation with its tensors in an accelerator's memory, for tests.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "base/configuration/geometry.hpp"
#include "sim/accelerator/driver/plan_trial.hpp"
#include "sim/accelerator/model/functional_model.hpp"
#include "sim/accelerator/packed.hpp"
#include "sim/accelerator/plan/planner/planner.hpp"
#include "sim/arithmetic/arith.hpp"
#include "sim/trace/quantised_operands.hpp"
#include "verify/unit/configuration/random_config.hpp"
#include "verify/unit/mapping/layers.hpp"

namespace td::unit {

/// An accelerator of few and small tiles with so little memory that layers have to be cut.
inline Config random_accelerator(std::mt19937& random) {
  const FormatTraits& format = kFormats[pick(random, 0, 2)];
  const int lanes = 1 << pick(random, format.stored_bits == 8 ? 2 : 1, 4);
  int lines = 2;
  while (2 * lines <= std::min(4, lanes) && pick(random, 0, 1) == 0) lines *= 2;
  const int row_bytes = lanes * format.stored_bits / 8;
  const int fill_rows = std::min(lines, 1 << pick(random, 0, 2));
  const int unpack_rows = pick(random, 0, 2);  // that are written to different banks
  const int beat_rows = fill_rows == 4 && row_bytes <= 32 && unpack_rows != 1 ? 2 : 1;
  const int scratchpad = std::max(512, 2 * row_bytes * lanes / lines) << pick(random, 0, 2);
  return config_of(fmt::format(
      "[tile]\nlanes = {}\nrows = {}\ncolumns = {}\nscheduling = \"{}\"\n"
      "[tile.interconnect]\ndepth = {}\n"
      "[tile.numerics]\nformat = \"{}\"\naccumulators = {}\n"
      "[accelerator]\ntiles = {}\nfill_rows = {}\nbeat_rows = {}\nunpack_rows = {}\n"
      "collect_words = {}\n"
      "[accelerator.sram]\nbanks = 1\nbank_bytes = {}\n"
      "[accelerator.scratchpad]\nbank_bytes = {}\n",
      lanes, lines, lines, pick(random, 0, 4) == 0 ? "dense" : "one_sided", pick(random, 1, 4),
      format.name, pick(random, 1, 3), 1 << pick(random, 0, 2), fill_rows, beat_rows,
      std::min(unpack_rows, std::max(1, fill_rows / 2)),
      lanes > lines ? 1 + scratchpad / 512 % 2 : 1, 1024 << pick(random, 0, 4), scratchpad));
}

using Bits = std::vector<std::uint32_t>;

/// A number as an operand of a tile; of OFP8, one that the tensor's format has.
inline std::uint32_t operand_bits(Format format, sim::Operand operand, float value) {
  if (format != Format::fp8) return sim::narrow(format, value);
  return sim::narrow_fp8(sim::fp8_kind(operand), sim::Overflow::special, value);
}

/// Operands with zeros.
inline Bits random_bits(std::mt19937& random, Format format, const sim::LayerInfo& layer,
                        sim::Operand operand, double zeros) {
  std::normal_distribution<float> value;
  Bits bits(static_cast<std::size_t>(sim::count(layer.shape(operand))));
  for (std::uint32_t& element : bits) {
    const bool zero = std::bernoulli_distribution(zeros)(random);
    element = zero ? 0 : operand_bits(format, operand, value(random));
  }
  return bits;
}

/// An operation, its operands, and what is asked of its plan.
struct OperationCase {
  Config config;
  sim::LayerInfo layer;
  sim::Op op = sim::Op::fwd;
  sim::PlanOptions options;
  sim::Aim aim;
  sim::MemoryTiming memory;  ///< that it is planned for
  bool wide = false;
  bool where_it_pays = false;  ///< pairs are dropped there only
  bool packed = false;         ///< operands, where that is shorter
  Bits operands[3];            ///< by Operand

  /// What its results are in memory.
  Format result_format() const {
    if (config.format == Format::fp8) return Format::bf16;
    return wide ? Format::fp32 : config.format;
  }
  const Bits& operand(sim::Which which) const {
    return operands[static_cast<std::size_t>(sim::operand(op, which))];
  }
};

inline OperationCase random_case(std::mt19937& random, const Config& config) {
  OperationCase result;
  result.config = config;
  switch (pick(random, 0, 4)) {
    case 0:
      result.layer = linear_layer(pick(random, 1, 40), pick(random, 1, 40), pick(random, 1, 40));
      break;
    case 1:
      result.layer = odd_conv(random);
      break;
    case 2:
      result.layer = first_conv(random);
      break;
    default:
      result.layer = random_conv(random);
  }
  const std::vector<sim::Op> ops = operations(result.layer);
  result.op = ops[static_cast<std::size_t>(pick(random, 0, static_cast<int>(ops.size()) - 1))];
  result.options.scheduled = pick(random, 0, 1) == 0 ? sim::Which::first : sim::Which::second;
  result.options.dense = pick(random, 0, 3) == 0;
  result.wide = pick(random, 0, 1) == 0;
  result.packed = config.accelerator.unpack_rows > 0 && pick(random, 0, 3) > 0;
  for (const sim::Operand operand : {sim::Operand::A, sim::Operand::W, sim::Operand::GO}) {
    result.operands[static_cast<std::size_t>(operand)] =
        random_bits(random, config.format, result.layer, operand, pick(random, 0, 9) / 10.0);
  }
  return result;
}

/// Runs it through the functional model.
class OperationRun {
 public:
  static constexpr std::uint8_t kUntouched = 0xa5;
  static constexpr std::uint64_t kBase = 0x40000;

  /// Its tensors lie from `base` on. Throws UserError when the operation does not fit.
  explicit OperationRun(const OperationCase& what, std::uint64_t base = kBase)
      : geometry(geometry_of(what.config)), operation(what.layer, what.op, geometry, what.wide) {
    memory.base = base;
    for (std::size_t i = 0; i < 3; ++i) {
      const auto operand = static_cast<sim::Operand>(i);
      std::vector<std::uint8_t> tensor =
          sim::TensorLayout(what.layer, operand, geometry).pack(what.operands[i]);
      sim::PackedBlocks packed;
      if (what.packed) packed = {geometry, sim::block_rows(geometry, tensor)};
      if (packed.usual > 0) tensor = sim::pack_blocks(geometry, tensor);
      operation.set_packed(operand, packed);
      placement.operands[i] = put(tensor, packed.usual > 0 ? sim::block_bytes(geometry) : 64);
    }
    const auto size = static_cast<std::size_t>(operation.result_layout().bytes());
    placement.result = put(std::vector<std::uint8_t>(size, kUntouched));
    result_ = placement.result;
    const sim::Plans plans = sim::best_plans(operation, what.config, what.options, "case",
                                             placement, what.aim, what.memory);
    cut = what.where_it_pays ? plans.best() : plans.dropping;
    jobs = sim::Planner(geometry).add(operation, cut, placement);
  }

  /// Runs the jobs in an order. Returns how the last one that ran ended.
  sim::JobEnd run(const Config& config, std::uint32_t seed, sim::Timeline* timeline = nullptr) {
    sim::FunctionalModel model(config, memory);
    model.set_timeline(timeline);
    sim::JobEnd end;
    for (const sim::Job& job : jobs) {
      std::vector<std::uint32_t> words;
      for (const sim::Descriptor& descriptor : job) sim::encode(descriptor, words);
      std::vector<std::uint8_t> bytes(words.size() * 4);
      std::memcpy(bytes.data(), words.data(), bytes.size());
      const std::size_t kept = memory.bytes.size();
      const std::uint64_t list = put(bytes);
      model.set_window(memory.base, memory.base + memory.bytes.size());
      end = model.run(list, static_cast<std::uint32_t>(job.size()), {seed});
      memory.bytes.resize(kept);
      if (end.error != sim::ErrorCode::none) break;
    }
    counts = model.counts();
    compute_counts = model.compute_counts();
    return end;
  }

  /// Calls each(compute) for the jobs' computes.
  template <class Each>
  void each_compute(Each each) {
    for (sim::Job& job : jobs) {
      for (sim::Descriptor& descriptor : job) {
        if (auto* compute = std::get_if<sim::ComputeDescriptor>(&descriptor)) each(*compute);
      }
    }
  }

  bool is_packed() const {
    return std::any_of(jobs.begin(), jobs.end(), [](const sim::Job& job) {
      return std::any_of(job.begin(), job.end(), [](const sim::Descriptor& descriptor) {
        const auto* load = std::get_if<sim::LoadDescriptor>(&descriptor);
        return load != nullptr && load->packed > 0;
      });
    });
  }
  Bits results() { return operation.result_layout().unpack(result_bytes()); }
  std::uint8_t* result_bytes() { return memory.at(result_, 0); }

  Geometry geometry;
  sim::Operation operation;
  sim::Cut cut;
  sim::Placement placement;
  std::vector<sim::Job> jobs;
  sim::MemoryImage memory;
  sim::ModelCounts counts;
  sim::ComputeCounts compute_counts;

 private:
  std::uint64_t put(const std::vector<std::uint8_t>& bytes, std::int64_t alignment = 64) {
    const auto unit = static_cast<std::size_t>(alignment);
    memory.bytes.resize((memory.bytes.size() + unit - 1) / unit * unit, kUntouched);
    const std::uint64_t address = memory.base + memory.bytes.size();
    memory.bytes.insert(memory.bytes.end(), bytes.begin(), bytes.end());
    return address;
  }

  std::uint64_t result_ = 0;
};

}  // namespace td::unit
