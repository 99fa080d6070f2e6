// SPDX-License-Identifier: Apache-2.0
// Operations to search the best dataflows of.
#pragma once

#include <random>

#include "gen/configuration/preset.hpp"
#include "sim/cycles/op_simulator.hpp"
#include "sim/dataflow/search.hpp"
#include "verify/unit/dataflow/dataflow_cases.hpp"
#include "verify/unit/memory/memory_operands.hpp"

namespace td::unit {

inline double energy(const sim::DataflowResult& result) { return result.energy.total_pJ(); }
inline double time(const sim::DataflowResult& result) {
  return static_cast<double>(result.memory_cycles);
}

/// Steps alone cost: more with TensorDash, less where lanes rest at zeros.
inline sim::ComputeEnergy step_energy() {
  sim::ComputeEnergy compute;
  compute.parts.dense_step_pJ = 10;
  compute.parts.dense.step = 1;
  compute.parts.sparse.step = 1.2;
  compute.parts.gated.step = 1.1;
  compute.parts.zero_gated.step = 0.9;
  return compute;
}

/// A machine, a layer with operands, and one of its operations.
struct SearchCase {
  explicit SearchCase(std::mt19937& random, sim::Op op_, double zeros = 0.6)
      : config(dataflow_machine(random)),
        layer(dataflow_layer(random)),
        op(op_),
        source(sim::Dtype::f32) {
    // A half of the large memories holds a row, as in every legal machine.
    config.accelerator.sram_banks = 2;
    source.add(layer, random, zeros, zeros, zeros);
    cycles = sim::OpSimulator(config).run(source, layer, op, random_side(random));
  }

  sim::DataflowJob job(sim::SparsePath path) const {
    return {source, layer, op, cycles, 7, {0, 0}, path, result};
  }

  sim::BestDataflows best(sim::Objective objective,
                          sim::SparsePath path = sim::SparsePath::on) const {
    return sim::best_dataflows({config, technology, compute}, {job(path)}, {objective, ideas})
        .front();
  }

  Config config;
  sim::LayerInfo layer;
  sim::Op op;
  MemoryOperands source;
  sim::OpCycles cycles;
  sim::Technology technology = sim::find_technology("cacti_45nm", find_config("tiny"));
  sim::ComputeEnergy compute = step_energy();
  sim::DataflowIdeas ideas;
  /// Of what is made: 8 bytes are left, and 1 is read for it.
  sim::LeavingResult result{8, 1};
};

}  // namespace td::unit
