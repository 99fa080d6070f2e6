// SPDX-License-Identifier: Apache-2.0
// What can go wrong with a job, as the accelerator's registers name it.
#pragma once

#include <cstddef>
#include <cstdint>

#include "sim/accelerator/registers.hpp"

namespace td::sim {

enum class ErrorCode : std::uint32_t {
  none = registers::error_none,
  kind = registers::error_kind,            ///< a descriptor's kind
  field = registers::error_range,          ///< a field is out of range
  alignment = registers::error_alignment,  ///< an address is not a whole row
  window = registers::error_window,        ///< an address is outside the memory window
  wait = registers::error_wait,            ///< a wait for what never comes
  read = registers::error_read,            ///< bus error reading
  write = registers::error_write,          ///< bus error writing
  packed = registers::error_packed         ///< a packed block's masks and values do not agree
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
