// SPDX-License-Identifier: Apache-2.0
// Runs the driver's jobs on a verilated accelerator.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/accelerator/model/memory_image.hpp"
#include "sim/accelerator/plan/job_list.hpp"
#include "verify/accelerator/host.hpp"

namespace td::verify {

/// How the jobs ended, and what the accelerator counted.
struct JobsEnd {
  std::uint32_t error = 0;       ///< code of the first error; 0: none
  std::uint32_t descriptor = 0;  ///< ... of its job
  std::uint64_t clocks = 0;      ///< from the first job's registers to the last interrupt
  std::uint64_t busy = 0;        ///< clocks in which a job was under way
  std::uint64_t stepped = 0;     ///< ... in which a tile stepped
};

/// Puts the image into memory and the jobs' descriptors behind it, runs the jobs one after the other,
/// as many queued as there is room for, and takes the image back. Only bytes begin...end-1 of the
/// image may be written. Throws std::runtime_error when the accelerator hangs, breaks a rule of
/// its bus, or touches what it must not.
JobsEnd run_jobs(Host& host, sim::MemoryImage& image, const std::vector<sim::Job>& jobs,
                 std::uint64_t begin, std::uint64_t end);

/// Bytes that run_jobs() needs: the image and the descriptors behind it.
std::uint64_t bytes_needed(const sim::MemoryImage& image, const std::vector<sim::Job>& jobs);

}  // namespace td::verify
