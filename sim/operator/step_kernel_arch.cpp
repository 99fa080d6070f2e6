// SPDX-License-Identifier: Apache-2.0
// The kernel for the instruction set TD_ARCH, which the build names beside its flags.
#include "sim/operator/step_schedule_impl.hpp"
#include "sim/operator/step_sums_impl.hpp"

namespace td::sim {

template <class Arch, class Mask>
void schedule(const StepPlan& plan, const StepBatch<Mask>& batch) {
  if constexpr (sizeof(Mask) == sizeof(std::uint16_t)) {
    if (StepSchedule<Arch, Mask, true>::fits(plan)) {
      return StepSchedule<Arch, Mask, true>::run(plan, batch);
    }
  }
  StepSchedule<Arch, Mask, false>::run(plan, batch);
}

template <class Arch>
StepKernel step_kernel_for() {
  return {StepOperands<Arch>::gather,    StepOperands<Arch>::load_rows,
          StepOperands<Arch>::exponents, schedule<Arch, std::uint16_t>,
          schedule<Arch, std::uint64_t>, StepSumsFor<Arch>::run};
}

template StepKernel step_kernel_for<xsimd::TD_ARCH>();

}  // namespace td::sim
