// SPDX-License-Identifier: Apache-2.0
// Chooses the batch kernel when the program runs.
#include "sim/cycles/batch_kernel.hpp"

#include <xsimd/xsimd.hpp>

namespace td::sim {

template <class Mask>
BatchKernel<Mask> best_batch_kernel() {
#if defined(__x86_64__)
  // Unlike xsimd's own dispatch, this also asks whether the system saves the registers.
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512cd") &&
      __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw")) {
    return batch_kernel_for<xsimd::avx512bw, Mask>();
  }
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("popcnt")) {
    return batch_kernel_for<xsimd::avx2, Mask>();
  }
  return batch_kernel_for<xsimd::sse2, Mask>();
#else
  return batch_kernel_for<xsimd::default_arch, Mask>();
#endif
}

template BatchKernel<std::uint16_t> best_batch_kernel();
template BatchKernel<std::uint32_t> best_batch_kernel();
template BatchKernel<std::uint64_t> best_batch_kernel();

}  // namespace td::sim
