// SPDX-License-Identifier: Apache-2.0
// The batch kernel for the instruction set TD_ARCH, which the build names beside its flags.
#include "sim/cycles/batch_kernel_impl.hpp"

namespace td::sim {

template BatchKernel<std::uint16_t> batch_kernel_for<xsimd::TD_ARCH>();
template BatchKernel<std::uint32_t> batch_kernel_for<xsimd::TD_ARCH>();
template BatchKernel<std::uint64_t> batch_kernel_for<xsimd::TD_ARCH>();

}  // namespace td::sim
