// SPDX-License-Identifier: Apache-2.0
// What can go wrong with a job, as the accelerator's registers name it.
#pragma once

#include <cstddef>
#include <cstdint>

namespace td::sim {

enum class ErrorCode : std::uint32_t {
  none = 0,
  kind = 1,        ///< a descriptor's kind
  field = 2,       ///< a field is out of range
  alignment = 3,   ///< an address is not a whole row
  window = 4,      ///< an address is outside the memory window
  wait = 5,        ///< a wait for what never comes
  read = 6,        ///< bus error reading
  write = 7,       ///< bus error writing
  queue_full = 8,  ///< of jobs
  busy = 9         ///< register write while busy
};

/// How a job ended.
struct JobEnd {
  ErrorCode error = ErrorCode::none;
  std::size_t descriptor = 0;  ///< the one with the error, in the job
};

/// Thrown inside of the model where a descriptor cannot be carried out.
struct DescriptorFault {
  ErrorCode error;
};

}  // namespace td::sim
