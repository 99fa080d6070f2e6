// SPDX-License-Identifier: Apache-2.0
// Chooses the gate kernels when the program runs.
#include "sim/gate/simulation/gate_kernel.hpp"

namespace td::gate {

GateKernels best_gate_kernels() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
      __builtin_cpu_supports("avx512vpopcntdq") && __builtin_cpu_supports("popcnt")) {
    return gate_kernels_for<ArchWide>();
  }
  if (__builtin_cpu_supports("popcnt")) return gate_kernels_for<ArchPopcnt>();
#endif
  return gate_kernels_for<ArchBase>();
}

}  // namespace td::gate
