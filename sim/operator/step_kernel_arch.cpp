// SPDX-License-Identifier: Apache-2.0
// The kernel for the instruction set TD_ARCH, which the build names beside its flags.
#include "sim/operator/step_schedule_impl.hpp"
#include "sim/operator/step_sums_impl.hpp"

namespace td::sim {

template <class Arch>
StepKernel step_kernel_for() {
  return {StepOperands<Arch>::gather,
          StepOperands<Arch>::load_rows,
          StepOperands<Arch>::exponents,
          StepSchedule<Arch, std::uint16_t>::run,
          StepSchedule<Arch, std::uint64_t>::run,
          StepSumsFor<Arch>::run};
}

template StepKernel step_kernel_for<xsimd::TD_ARCH>();

}  // namespace td::sim
