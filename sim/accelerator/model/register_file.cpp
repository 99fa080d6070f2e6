// SPDX-License-Identifier: Apache-2.0
#include "sim/accelerator/model/register_file.hpp"

#include "sim/accelerator/registers.hpp"

namespace td::sim {

namespace {

std::uint32_t put(const registers::Field& field, std::int64_t value) {
  return static_cast<std::uint32_t>(value) << field.bit;
}

bool is_set(std::uint32_t value, const registers::Field& field) {
  return (value >> field.bit & 1) != 0;
}

bool is_counter(std::uint32_t offset) {
  return offset >= registers::cycles_busy_low && offset <= registers::cycles_spanned_high;
}

}  // namespace

RegisterFile::RegisterFile(const Geometry& geometry) {
  using namespace registers;
  values_[id] = id_value;
  values_[version] = version_value;
  values_[shape] = put(shape_lanes, geometry.lanes) | put(shape_rows, geometry.lines) |
                   put(shape_columns, geometry.lines) | put(shape_depth, geometry.depth);
  values_[sizes] =
      put(sizes_tiles, geometry.tiles) | put(sizes_width, stored_width(geometry.format)) |
      put(sizes_dense, geometry.dense ? 1 : 0) | put(sizes_fill_rows, geometry.fill_rows);
  values_[operand_rows] = static_cast<std::uint32_t>(geometry.operand_rows);
  values_[result_words] = static_cast<std::uint32_t>(geometry.result_words);
  values_[bank_rows] = static_cast<std::uint32_t>(geometry.bank_rows);
  values_[bus] =
      put(bus_beat_rows, geometry.beat_rows) | put(bus_unpack_rows, geometry.unpack_rows);
}

std::uint32_t RegisterFile::read(std::uint32_t offset) const {
  const auto found = values_.find(offset);
  const std::uint32_t value = found == values_.end() ? 0 : found->second;
  if (offset != registers::status) return value;
  return value | put(registers::status_busy, busy() ? 1 : 0) |
         put(registers::status_waiting, static_cast<std::int64_t>(jobs_.size()));
}

std::uint64_t RegisterFile::wide(std::uint32_t low) const {
  return read(low) | std::uint64_t{read(low + 4)} << 32;
}

std::uint64_t RegisterFile::window_begin() const { return wide(registers::window_begin_low); }

std::uint64_t RegisterFile::window_end() const { return wide(registers::window_end_low); }

bool RegisterFile::interrupt() const {
  return (read(registers::interrupt) & read(registers::interrupt_enable)) != 0;
}

bool RegisterFile::write(std::uint32_t offset, std::uint32_t value) {
  using namespace registers;
  switch (offset) {
    case registers::control:
      this->control(value);
      return true;
    case status:
      values_[status] &= ~(value & put(status_queue_full, 1));
      return true;
    case registers::interrupt:
      values_[offset] &= ~value;
      return true;
    case window_begin_low:
    case window_begin_high:
    case window_end_low:
    case window_end_high:
      if (busy()) return false;
      break;
    case interrupt_enable:
    case stop_timeout:  // memory always answers here: no stop waits for it
    case job_address_low:
    case job_address_high:
      break;
    case job_descriptors:
      return queue(value);
    default:
      return false;
  }
  values_[offset] = value;
  return true;
}

bool RegisterFile::queue(std::uint32_t descriptors) {
  using namespace registers;
  if (is_set(values_[status], status_error)) return false;
  if (jobs_.size() == kJobQueue) {
    values_[status] |= put(status_queue_full, 1);
    return false;
  }
  jobs_.push_back({wide(job_address_low), descriptors, taken_++});
  return true;
}

void RegisterFile::control(std::uint32_t value) {
  using namespace registers;
  if (is_set(value, control_clear_error)) {
    values_[status] &= ~put(status_error, 1);
    values_[error_code] = 0;
  }
  if (is_set(value, control_soft_reset)) reset();
}

void RegisterFile::reset() {
  using namespace registers;
  jobs_.clear();
  running_.reset();
  taken_ = 0;
  for (auto& [offset, value] : values_) {
    if (is_counter(offset)) value = 0;
  }
  values_[registers::interrupt] = values_[jobs_done] = values_[status] = values_[error_code] = 0;
}

std::optional<RegisterFile::Job> RegisterFile::begin_job() {
  if (running_ || jobs_.empty()) return std::nullopt;
  running_ = jobs_.front();
  jobs_.pop_front();
  return running_;
}

void RegisterFile::end_job(const JobEnd& end) {
  using namespace registers;
  if (!running_) return;
  const std::uint32_t number = running_->number;
  running_.reset();
  if (end.error == ErrorCode::none) {
    ++values_[jobs_done];
    values_[registers::interrupt] |= put(interrupt_job_done, 1);
    return;
  }
  jobs_.clear();
  values_[error_code] = static_cast<std::uint32_t>(end.error);
  values_[error_descriptor] = static_cast<std::uint32_t>(end.descriptor);
  values_[error_job] = number;
  values_[status] |= put(status_error, 1);
  values_[registers::interrupt] |= put(interrupt_error, 1);
}

void RegisterFile::add(std::uint32_t low, std::int64_t value) {
  const std::uint64_t sum = wide(low) + static_cast<std::uint64_t>(value);
  values_[low] = static_cast<std::uint32_t>(sum);
  values_[low + 4] = static_cast<std::uint32_t>(sum >> 32);
}

}  // namespace td::sim
