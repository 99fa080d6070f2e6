// SPDX-License-Identifier: Apache-2.0
// The accelerator's registers and its queue of jobs, without what carries these out.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>

#include "base/configuration/geometry.hpp"
#include "sim/accelerator/descriptor.hpp"
#include "sim/accelerator/job_error.hpp"

namespace td::sim {

class RegisterFile {
 public:
  explicit RegisterFile(const Geometry& geometry);

  /// 0 where no register is.
  std::uint32_t read(std::uint32_t offset) const;
  /// Whether the write was not refused.
  bool write(std::uint32_t offset, std::uint32_t value);

  bool interrupt() const;                             ///< the signal
  bool runs() const { return running_.has_value(); }  ///< a job
  std::uint64_t window_begin() const;
  std::uint64_t window_end() const;  ///< behind the last byte

  struct Job {
    std::uint64_t address;      ///< of the first descriptor
    std::uint32_t descriptors;  ///< their number
    std::uint32_t number;       ///< jobs taken before it, since the reset
  };
  /// The next job begins; none does where none waits, or one runs.
  std::optional<Job> begin_job();
  /// ... and ends, unless a reset has dropped it.
  void end_job(const JobEnd& end);
  /// To a counter, by the offset of its low half.
  void add(std::uint32_t low, std::int64_t value);

 private:
  std::uint64_t wide(std::uint32_t low) const;
  bool busy() const { return running_ || !jobs_.empty(); }
  bool queue(std::uint32_t descriptors);
  void control(std::uint32_t value);
  void reset();

  std::map<std::uint32_t, std::uint32_t> values_;  ///< by offset; what is not there is 0
  std::deque<Job> jobs_;
  std::optional<Job> running_;
  std::uint32_t taken_ = 0;
};

}  // namespace td::sim
