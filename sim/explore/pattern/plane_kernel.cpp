// SPDX-License-Identifier: Apache-2.0
// Chooses the plane kernel when the program runs.
#include "sim/explore/pattern/plane_kernel.hpp"

#include <xsimd/xsimd.hpp>

namespace td::sim {

PlaneKernel best_plane_kernel() {
#if defined(__x86_64__)
  // Unlike xsimd's own dispatch, this also asks whether the system saves the registers.
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512cd") &&
      __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw")) {
    return plane_kernel_for<xsimd::avx512bw>();
  }
  if (__builtin_cpu_supports("avx2")) return plane_kernel_for<xsimd::avx2>();
  return plane_kernel_for<xsimd::sse2>();
#else
  return plane_kernel_for<xsimd::default_arch>();
#endif
}

}  // namespace td::sim
