// SPDX-License-Identifier: Apache-2.0
#include "sim/accelerator/model/functional_model.hpp"

#include <algorithm>
#include <cstddef>
#include <cstring>

#include "sim/accelerator/layout.hpp"
#include "sim/accelerator/model/operand_banks.hpp"
#include "sim/accelerator/model/run_order.hpp"
#include "sim/accelerator/packed.hpp"
#include "sim/arithmetic/arith.hpp"

namespace td::sim {

namespace {

constexpr std::uint64_t kAddresses = std::uint64_t{1} << 62;  // more than any bus has
constexpr std::size_t kUnitBytes = 64;                        // descriptors are fetched in

}  // namespace

FunctionalModel::FunctionalModel(const Config& config, Memory& memory)
    : compute_(config), memory_(memory) {}

void FunctionalModel::set_window(std::uint64_t begin, std::uint64_t end) {
  window_begin_ = begin;
  window_end_ = end;
}

JobEnd FunctionalModel::run(std::uint64_t address, std::uint32_t descriptors, RunOrder order) {
  const Job job = fetch(address, descriptors);
  const bool timed = timeline_ != nullptr && order.seed == 0;
  if (timed) timeline_->begin_job();
  for (const std::size_t index : run_order(job.descriptors, order.seed)) {
    try {
      std::visit([&](const auto& descriptor) { run_one(descriptor); }, job.descriptors[index]);
      if (timed) timeline_->add(job.descriptors[index], compute_.pass_steps());
    } catch (const DescriptorFault& fault) {
      return {fault.error, index};
    }
  }
  if (job.error != ErrorCode::none) return {job.error, job.descriptors.size()};
  if (timed) timeline_->end_job();
  ++counts_.jobs;
  return {};
}

FunctionalModel::Job FunctionalModel::fetch(std::uint64_t address, std::uint32_t count) {
  Job job;
  if (count == 0) job.error = ErrorCode::field;
  if (address % kUnitBytes != 0) job.error = ErrorCode::alignment;
  WaitCheck waits;
  while (job.error == ErrorCode::none && job.descriptors.size() < count) {
    std::uint32_t words[64] = {};
    job.error = fetch_units(address, 0, kUnitBytes, words);
    if (job.error != ErrorCode::none) break;
    const std::size_t bytes = descriptor_bytes(kind_of(words[0]));
    if (bytes == 0) {
      job.error = ErrorCode::kind;
      break;
    }
    job.error = fetch_units(address, kUnitBytes, bytes, words);
    if (job.error != ErrorCode::none) break;
    const Descriptor descriptor = decode(words);
    if (waits.accepts(descriptor)) {
      job.descriptors.push_back(descriptor);
    } else {
      job.error = ErrorCode::wait;
    }
    address += bytes;
  }
  return job;
}

/// Bytes begin…end-1 of what lies at the address.
ErrorCode FunctionalModel::fetch_units(std::uint64_t address, std::size_t begin, std::size_t end,
                                       std::uint32_t* words) {
  if (begin == end) return ErrorCode::none;
  if (address + begin < window_begin_ || address + end > window_end_) return ErrorCode::window;
  std::uint8_t bytes[4 * kUnitBytes];
  if (!memory_.read(address + begin, bytes, end - begin)) return ErrorCode::read;
  std::memcpy(words + begin / sizeof *words, bytes, end - begin);
  counts_.bytes_fetched += static_cast<std::int64_t>(end - begin);
  return ErrorCode::none;
}

/// What is wrong with a load's or store's addresses, all rows taken together, of which the window
/// has whole units of so many bytes, and memory whole beats.
void FunctionalModel::check_span(const MemoryWalk& walk, std::int64_t row_bytes, std::int64_t unit,
                                 ErrorCode bus_error) const {
  check_alignment(walk);
  const std::uint64_t rows_end = walk.address + std::uint64_t{walk.planes - 1U} * walk.plane_pitch +
                                 std::uint64_t{walk.segments - 1U} * walk.segment_pitch +
                                 walk.rows * static_cast<std::uint64_t>(row_bytes);
  const auto whole = [&](std::int64_t bytes) {
    const auto size = static_cast<std::uint64_t>(bytes);
    return std::pair(walk.address / size * size, (rows_end + size - 1) / size * size);
  };
  const auto [begin, end] = whole(unit);
  check_window(begin, end, unit);
  const auto [first, behind] = whole(geometry().beat_bytes());
  if (!memory_.holds(first, behind - first)) throw DescriptorFault{bus_error};
}

void FunctionalModel::check_alignment(const MemoryWalk& walk) const {
  const auto row = static_cast<std::uint64_t>(geometry().row_bytes());
  if (walk.address % row != 0 || walk.segment_pitch % row != 0 || walk.plane_pitch % row != 0) {
    throw DescriptorFault{ErrorCode::alignment};
  }
}

/// Whether whole units may be touched. Lower bits of the window are not looked at.
void FunctionalModel::check_window(std::uint64_t begin, std::uint64_t end,
                                   std::int64_t unit) const {
  const auto units = static_cast<std::uint64_t>(unit);
  if (begin > kAddresses || begin < window_begin_ / units * units ||
      end > window_end_ / units * units) {
    throw DescriptorFault{ErrorCode::window};
  }
}

void FunctionalModel::run_one(const LoadDescriptor& d) {
  const std::int64_t rows = rows_of(d.memory);
  if (rows == 0 || !is_interleave(geometry(), d.interleave) ||
      !is_packed_rows(geometry(), d.packed)) {
    throw DescriptorFault{ErrorCode::field};
  }
  if (d.packed == 0) {
    load_rows(d, rows);
  } else {
    load_packed(d);
  }
  counts_.bytes_loaded += beats_of(geometry(), d) * geometry().beat_bytes();
  counts_.rows_loaded += rows;
}

void FunctionalModel::load_rows(const LoadDescriptor& d, std::int64_t rows) {
  if (d.row + rows > geometry().operand_rows) throw DescriptorFault{ErrorCode::field};
  check_span(d.memory, geometry().row_bytes(), geometry().beat_bytes(), ErrorCode::read);
  std::vector<std::uint8_t> bytes(static_cast<std::size_t>(geometry().row_bytes()));
  std::int64_t row = d.row;
  each_row(d.memory, bytes.size(), [&](std::uint64_t address) {
    if (!memory_.read(address, bytes.data(), bytes.size())) throw DescriptorFault{ErrorCode::read};
    put(d, row++, bytes.data());
  });
}

/// Burst by burst, as what is wrong with an earlier one counts.
void FunctionalModel::load_packed(const LoadDescriptor& d) {
  check_alignment(d.memory);
  const auto row_bytes = static_cast<std::size_t>(geometry().row_bytes());
  const auto block = static_cast<std::uint64_t>(block_bytes(geometry()));
  std::vector<std::uint8_t> packed(d.packed * row_bytes);
  std::vector<std::uint8_t> unpacked(block);
  std::int64_t row = d.row;
  each_burst(geometry(), d.memory, d.memory.rows, [&](std::uint64_t address, std::int64_t rows) {
    if (row + rows > geometry().operand_rows) throw DescriptorFault{ErrorCode::field};
    const std::uint64_t begin = address - address % block;
    check_window(begin, begin + block, geometry().beat_bytes());
    if (!memory_.read(begin, packed.data(), packed.size())) {
      throw DescriptorFault{ErrorCode::read};
    }
    const std::size_t first = static_cast<std::size_t>(address - begin) / row_bytes;
    const std::size_t end = first + static_cast<std::size_t>(rows);
    if (!unpack_block(geometry(), packed.data(), d.packed, static_cast<std::int64_t>(end),
                      unpacked.data())) {
      throw DescriptorFault{ErrorCode::packed};
    }
    for (std::size_t one = first; one < end; ++one) put(d, row++, &unpacked[one * row_bytes]);
  });
}

/// A row of an operand memory.
void FunctionalModel::put(const LoadDescriptor& d, std::int64_t row, const std::uint8_t* bytes) {
  const auto element = static_cast<std::size_t>(geometry().element_bytes());
  const std::int64_t place = place_of(geometry(), row, d.interleave) * geometry().lanes;
  std::uint32_t* to = &compute_.operands(d.side_b)[static_cast<std::size_t>(place)];
  for (std::int64_t lane = 0; lane < geometry().lanes; ++lane, bytes += element) {
    to[lane] = 0;
    std::memcpy(&to[lane], bytes, element);
  }
}

void FunctionalModel::run_one(const StoreDescriptor& d) {
  const std::int64_t rows = rows_of(d.memory);
  const std::int64_t segments = std::int64_t{d.memory.planes} * d.memory.segments;
  const std::int64_t last_word =
      d.word + (segments - 1) * d.word_pitch + d.memory.rows * geometry().block_words() - 1;
  const std::int64_t within =
      d.word % geometry().block_words() | d.word_pitch % geometry().block_words();
  if (rows == 0 || d.tile >= geometry().tiles || last_word >= geometry().result_words ||
      within != 0 || (geometry().wide_only() && !d.wide)) {
    throw DescriptorFault{ErrorCode::field};
  }
  const std::int64_t row_bytes = geometry().row_bytes() * row_parts(geometry(), d);
  check_span(d.memory, row_bytes, 1, ErrorCode::write);
  const auto block = static_cast<std::size_t>(geometry().block_words());
  std::vector<std::uint8_t> bytes(static_cast<std::size_t>(row_bytes));
  std::size_t row = 0;
  each_row(d.memory, bytes.size(), [&](std::uint64_t address) {
    const std::size_t segment = row / d.memory.rows;
    const std::size_t word = d.word + segment * d.word_pitch + row % d.memory.rows * block;
    narrow_row(d, word, bytes.data());
    if (!memory_.write(address, bytes.data(), bytes.size())) {
      throw DescriptorFault{ErrorCode::write};
    }
    ++row;
  });
  counts_.bytes_stored += rows * row_bytes;
  counts_.beats_stored += beats_of(geometry(), d);
}

void FunctionalModel::narrow_row(const StoreDescriptor& d, std::size_t word, std::uint8_t* to) {
  const std::uint32_t* from =
      &compute_.results(d.tile)[word * static_cast<std::size_t>(geometry().lines)];
  const Format wide = geometry().wide_only() ? Format::bf16 : Format::fp32;
  const Format format = d.wide ? wide : geometry().format;
  const std::size_t bytes = static_cast<std::size_t>(width(format)) / 8;
  for (std::int64_t lane = 0; lane < geometry().lanes; ++lane, to += bytes) {
    // An operand of 32 bits is the result as it is.
    const std::uint32_t result =
        format == Format::fp32 ? from[lane] : narrow(format, widen(Format::fp32, from[lane]));
    std::memcpy(to, &result, bytes);
    counts_.zeros += is_zero(format, result) ? 1 : 0;
    ++counts_.results;
  }
}

}  // namespace td::sim
