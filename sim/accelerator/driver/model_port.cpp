// SPDX-License-Identifier: Apache-2.0
#include "sim/accelerator/driver/model_port.hpp"

#include <algorithm>
#include <stdexcept>

#include "sim/accelerator/registers.hpp"

namespace td::sim {

namespace {

std::uint32_t put(const registers::Field& field, std::int64_t value) {
  return static_cast<std::uint32_t>(value) << field.bit;
}

bool is_set(std::uint32_t value, const registers::Field& field) {
  return (value >> field.bit & 1) != 0;
}

}  // namespace

ModelPort::ModelPort(const Config& config, MemoryImage& memory, RunOrder order)
    : model_(config, memory), memory_(memory), order_(order) {
  using namespace registers;
  const Geometry& geometry = model_.geometry();
  registers_[id] = kAcceleratorId;
  registers_[version] = map_version;
  registers_[shape] = put(shape_lanes, geometry.lanes) | put(shape_rows, geometry.lines) |
                      put(shape_columns, geometry.lines) | put(shape_depth, geometry.depth);
  registers_[sizes] = put(sizes_tiles, geometry.tiles) | put(sizes_width, width(geometry.format)) |
                      put(sizes_dense, geometry.dense ? 1 : 0) |
                      put(sizes_fill_rows, geometry.fill_rows);
  registers_[operand_rows] = static_cast<std::uint32_t>(geometry.operand_rows);
  registers_[result_words] = static_cast<std::uint32_t>(geometry.result_words);
  registers_[bank_rows] = static_cast<std::uint32_t>(geometry.bank_rows);
}

std::uint8_t* ModelPort::at(std::uint64_t address, std::size_t bytes) {
  std::uint8_t* there = memory_.at(address, bytes);
  if (there == nullptr) throw std::out_of_range("accelerator: no memory at an address of the host");
  return there;
}

void ModelPort::read_memory(std::uint64_t address, std::uint8_t* to, std::size_t bytes) {
  std::copy_n(at(address, bytes), bytes, to);
}

void ModelPort::write_memory(std::uint64_t address, const std::uint8_t* from, std::size_t bytes) {
  std::copy_n(from, bytes, at(address, bytes));
}

std::uint64_t ModelPort::wide(std::uint32_t low) const {
  const auto part = [&](std::uint32_t offset) -> std::uint64_t {
    const auto found = registers_.find(offset);
    return found == registers_.end() ? 0 : found->second;
  };
  return part(low) | part(low + 4) << 32;
}

std::uint32_t ModelPort::read_register(std::uint32_t offset) {
  if (offset == registers::status) {
    const auto waiting = static_cast<std::int64_t>(jobs_.size());
    return registers_[offset] | put(registers::status_busy, waiting > 0 ? 1 : 0) |
           put(registers::status_waiting, waiting);
  }
  return registers_[offset];
}

bool ModelPort::write_register(std::uint32_t offset, std::uint32_t value) {
  using namespace registers;
  switch (offset) {
    case registers::control:
      this->control(value);
      return true;
    case status:
      registers_[status] &= ~(value & put(status_queue_full, 1));
      return true;
    case interrupt:
      registers_[interrupt] &= ~value;
      return true;
    case window_begin_low:
    case window_begin_high:
    case window_end_low:
    case window_end_high:
      if (!jobs_.empty()) return false;
      break;
    case interrupt_enable:
    case job_address_low:
    case job_address_high:
      break;
    case job_descriptors:
      return queue(value);
    default:
      return false;
  }
  registers_[offset] = value;
  return true;
}

bool ModelPort::queue(std::uint32_t descriptors) {
  using namespace registers;
  if (is_set(registers_[status], status_error)) return false;
  if (jobs_.size() == kJobQueue) {
    registers_[status] |= put(status_queue_full, 1);
    return false;
  }
  jobs_.push_back({wide(job_address_low), descriptors, taken_++});
  return true;
}

void ModelPort::control(std::uint32_t value) {
  using namespace registers;
  if (is_set(value, control_clear_error) || is_set(value, control_soft_reset)) {
    registers_[status] &= ~put(status_error, 1);
    registers_[error_code] = 0;
  }
  if (is_set(value, control_soft_reset)) {
    jobs_.clear();
    taken_ = 0;
    registers_[interrupt] = registers_[jobs_done] = registers_[status] = 0;
  }
}

void ModelPort::wait_for_interrupt() {
  using namespace registers;
  while ((registers_[interrupt] & registers_[interrupt_enable]) == 0) {
    if (jobs_.empty()) throw std::logic_error("accelerator: nothing will raise the interrupt");
    run_next();
  }
}

void ModelPort::run_next() {
  using namespace registers;
  const Queued job = jobs_.front();
  jobs_.pop_front();
  model_.set_window(wide(window_begin_low), wide(window_end_low));
  const JobEnd end = model_.run(job.address, job.descriptors, order_);
  update_counters();
  if (end.error == ErrorCode::none) {
    ++registers_[jobs_done];
    registers_[interrupt] |= put(interrupt_job_done, 1);
    return;
  }
  jobs_.clear();
  registers_[error_code] = static_cast<std::uint32_t>(end.error);
  registers_[error_descriptor] = static_cast<std::uint32_t>(end.descriptor);
  registers_[error_job] = job.number;
  registers_[status] |= put(status_error, 1);
  registers_[interrupt] |= put(interrupt_error, 1);
}

void ModelPort::update_counters() {
  using namespace registers;
  const auto count = [&](std::uint32_t low, std::int64_t value) {
    registers_[low] = static_cast<std::uint32_t>(value);
    registers_[low + 4] = static_cast<std::uint32_t>(value >> 32);
  };
  const ModelCounts& counts = model_.counts();
  count(bytes_read_low, counts.bytes_loaded + counts.bytes_fetched);
  count(bytes_written_low, counts.bytes_stored);
  count(results_low, counts.results);
  count(zero_results_low, counts.zeros);
  count(nonfinite_results_low, model_.compute_counts().nonfinite);
}

}  // namespace td::sim
