// SPDX-License-Identifier: Apache-2.0
// The inner loop of the gate simulator: many gates of one function, none of which feeds another.
// Compiled once for every instruction set; plain pointers only, so that no code of one set can end
// up in another's.
#pragma once

#include <cstdint>

#include "sim/gate/liberty/expression.hpp"
#include "sim/gate/simulation/word.hpp"

namespace td::gate {

/// Gates whose outputs lie side by side, with the counters of these.
struct GateRun {
  const std::int32_t* inputs = nullptr;  ///< [input][gate]: places in `values`
  std::int32_t count = 0;
  const Word* values = nullptr;
  Word* outputs = nullptr;  ///< [gate]: hold the old values
  std::uint32_t* toggles = nullptr;
  std::uint32_t* ones = nullptr;
  Word counted = 0;
};

/// A function that is compiled, for its inputs in this order.
struct CompiledFunction {
  int inputs = 0;
  std::uint64_t truth_table = 0;
  void (*run)(const GateRun& run) = nullptr;
};

/// Gates that any other function evaluates at once.
constexpr int interpreted_gates = 64;

struct GateKernels {
  const CompiledFunction* compiled = nullptr;
  int compiled_count = 0;
  /// Any function; `stack` has room for interpreted_gates words for each open operand.
  void (*interpret)(const GateRun& run, const Expression::Term* terms, int term_count,
                    Word* stack) = nullptr;
  /// Outputs become `new_values` [gate].
  void (*assign)(const GateRun& run, const Word* new_values) = nullptr;
};

/// The kernels of one instruction set, which the processor must have.
template <class Arch>
GateKernels gate_kernels_for();

struct ArchBase {};    ///< what every processor has
struct ArchPopcnt {};  ///< with POPCNT
struct ArchWide {};    ///< with AVX-512 and its VPOPCNTDQ

/// The kernels of the best instruction set that this processor has.
GateKernels best_gate_kernels();

}  // namespace td::gate
