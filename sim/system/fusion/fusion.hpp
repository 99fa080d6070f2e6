// SPDX-License-Identifier: Apache-2.0
// HFuse: two kernels interleaved on one device, which pays when their bottlenecks differ. The model
// is reasoned, and has no constant that was fitted:
//  1. Registers and shared memory of both are held at once: the fused kernel keeps the smaller
//  one's
//     occupancy.
//  2. A kernel slows down with the occupancy that it loses: latency is hidden by fewer warps.
//  3. A resource serves both kernels' demand at the rate that the better one of them reached, with
//     the occupancy that is left.
// The slowest of these bounds is the fused time.
#pragma once

namespace td::job {

/// A kernel alone on a device; shares in 0..1, of which issue and occupancy are above 0.
struct Kernel {
  double seconds = 0;    ///< or any other unit of time
  double issue = 0;      ///< of the issue slots that it fills
  double memory = 0;     ///< of the stalls that wait for memory
  double occupancy = 0;  ///< warps that are resident, of those that could be
};

/// The time of both together, in the unit of the kernels' times.
double fused_time(const Kernel& one, const Kernel& other);

/// What fusing gains against one after the other: their times' sum / fused time − 1.
double fusion_gain(const Kernel& one, const Kernel& other);

}  // namespace td::job
