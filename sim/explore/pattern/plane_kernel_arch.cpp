// SPDX-License-Identifier: Apache-2.0
// The plane kernel for one instruction set, TD_ARCH.
#include "sim/explore/pattern/plane_kernel_impl.hpp"

namespace td::sim {

template PlaneKernel plane_kernel_for<xsimd::TD_ARCH>();

}  // namespace td::sim
