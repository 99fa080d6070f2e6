// SPDX-License-Identifier: Apache-2.0
// The gate kernels for the instruction set TD_ARCH, which the build names beside its flags.
#include "sim/gate/simulation/gate_kernel_impl.hpp"

namespace td::gate {

template GateKernels gate_kernels_for<TD_ARCH>();

}  // namespace td::gate
