// SPDX-License-Identifier: Apache-2.0
// Chooses the batch kernel when the program runs.
#include "sim/batch_kernel.hpp"

#include <xsimd/xsimd.hpp>

namespace td::sim {
namespace {

template <class Mask>
struct KernelOf {
  template <class Arch>
  BatchKernel<Mask> operator()(Arch) const {
    return batch_kernel_for<Arch, Mask>();
  }
};

#if defined(__x86_64__)
using Architectures = xsimd::arch_list<xsimd::avx512bw, xsimd::avx2, xsimd::sse2>;
#else
using Architectures = xsimd::arch_list<xsimd::default_arch>;
#endif

}  // namespace

template <class Mask>
BatchKernel<Mask> best_batch_kernel() {
  return xsimd::dispatch<Architectures>(KernelOf<Mask>())();
}

template BatchKernel<std::uint16_t> best_batch_kernel();
template BatchKernel<std::uint32_t> best_batch_kernel();
template BatchKernel<std::uint64_t> best_batch_kernel();

}  // namespace td::sim
