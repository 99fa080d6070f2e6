// SPDX-License-Identifier: Apache-2.0
// Chooses the kernel when the program runs.
#include "sim/operator/step_kernel.hpp"

#include <xsimd/xsimd.hpp>

namespace td::sim {

StepKernel best_step_kernel() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512cd") &&
      __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw")) {
    return step_kernel_for<xsimd::avx512bw>();
  }
  if (__builtin_cpu_supports("avx2")) return step_kernel_for<xsimd::avx2>();
  return step_kernel_for<xsimd::sse2>();
#else
  return step_kernel_for<xsimd::default_arch>();
#endif
}

}  // namespace td::sim
