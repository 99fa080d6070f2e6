// SPDX-License-Identifier: Apache-2.0
// The accelerator's driver: hands jobs over and waits for their interrupts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/configuration/geometry.hpp"
#include "sim/accelerator/driver/port.hpp"
#include "sim/accelerator/job_error.hpp"
#include "sim/accelerator/plan/job_list.hpp"
#include "sim/accelerator/plan/placement.hpp"

namespace td::sim {

/// How jobs ended.
struct JobsEnd {
  ErrorCode error = ErrorCode::none;
  std::size_t job = 0;         ///< the one with the error; else their number
  std::size_t descriptor = 0;  ///< ... of that job
};

class Driver {
 public:
  /// Resets the accelerator. Throws UserError when what answers at the port is not what jobs will
  /// be planned for.
  Driver(Port& port, const Geometry& geometry);

  /// Jobs touch no other memory. Throws UserError while one runs.
  void set_window(const MemorySpan& window);

  /// Bytes that the descriptors of jobs take in memory.
  static std::uint64_t bytes(const std::vector<Job>& jobs);

  /// Writes the jobs to memory, and returns when they are done, or one has failed and the
  /// accelerator is ready again. Throws UserError when `list` is too small for them, or does not
  /// begin at a multiple of 64.
  JobsEnd run(const std::vector<Job>& jobs, const MemorySpan& list);

  /// A counter, or any other register of 64 bits, by the offset of its low half.
  std::uint64_t read_wide(std::uint32_t offset);

 private:
  void check(const char* field, std::uint32_t value, std::int64_t expected) const;
  bool queue(std::uint64_t address, std::size_t descriptors);
  bool wait();
  JobsEnd failed(std::uint32_t taken_before);

  Port& port_;
  std::uint32_t taken_ = 0;  ///< jobs, since the reset
};

}  // namespace td::sim
