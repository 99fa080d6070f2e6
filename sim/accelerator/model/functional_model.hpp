// SPDX-License-Identifier: Apache-2.0
// The accelerator without time: carries out the descriptors of a job on a memory, bit for bit.
#pragma once

#include <cstdint>
#include <vector>

#include "base/configuration/config.hpp"
#include "sim/accelerator/descriptor.hpp"
#include "sim/accelerator/job_error.hpp"
#include "sim/accelerator/model/compute_model.hpp"
#include "sim/accelerator/model/memory.hpp"
#include "sim/accelerator/timing/timeline.hpp"

namespace td::sim {

/// Counted over all jobs.
struct ModelCounts {
  std::int64_t jobs = 0;
  std::int64_t bytes_fetched = 0;  ///< of descriptors
  std::int64_t bytes_loaded = 0;   ///< of whole beats of the bus
  std::int64_t rows_loaded = 0;    ///< ... that were written into operand memories
  std::int64_t bytes_stored = 0;
  std::int64_t beats_stored = 0;  ///< of the bus, which have them
  std::int64_t results = 0;       ///< elements stored, those that fill up rows included
  std::int64_t zeros = 0;         ///< ... that are zero
};

/// In which order descriptors run that do not wait for each other.
struct RunOrder {
  std::uint32_t seed = 0;  ///< 0: as they stand in the job; else any order that the waits allow
};

class FunctionalModel {
 public:
  /// The memory must outlive this.
  FunctionalModel(const Config& config, Memory& memory);

  /// Only bytes begin…end-1 are touched; at first, none.
  void set_window(std::uint64_t begin, std::uint64_t end);

  /// Runs a job. One that ends with an error has stored what came before it.
  JobEnd run(std::uint64_t address, std::uint32_t descriptors, RunOrder order = {});

  /// Hears of all descriptors of jobs that run in their order; null: nobody does.
  void set_timeline(Timeline* timeline) { timeline_ = timeline; }

  const ModelCounts& counts() const { return counts_; }
  const ComputeCounts& compute_counts() const { return compute_.counts(); }
  const Geometry& geometry() const { return compute_.geometry(); }

 private:
  /// Descriptors up to the first that cannot be read, and why it cannot.
  struct Job {
    std::vector<Descriptor> descriptors;
    ErrorCode error = ErrorCode::none;
  };

  Job fetch(std::uint64_t address, std::uint32_t count);
  ErrorCode fetch_units(std::uint64_t address, std::size_t begin, std::size_t end,
                        std::uint32_t* words);
  void check_span(const MemoryWalk& walk, std::int64_t row_bytes, std::int64_t unit,
                  ErrorCode bus_error) const;
  void check_alignment(const MemoryWalk& walk) const;
  void check_window(std::uint64_t begin, std::uint64_t end, std::int64_t unit) const;
  void run_one(const LoadDescriptor& descriptor);
  void load_rows(const LoadDescriptor& descriptor, std::int64_t rows);
  void load_packed(const LoadDescriptor& descriptor);
  void put(const LoadDescriptor& descriptor, std::int64_t row, const std::uint8_t* bytes);
  void run_one(const StoreDescriptor& descriptor);
  void run_one(const ComputeDescriptor& descriptor) { compute_.run(descriptor); }
  /// A row as it is stored.
  void narrow_row(const StoreDescriptor& descriptor, std::size_t word, std::uint8_t* to);

  ComputeModel compute_;
  Memory& memory_;
  std::uint64_t window_begin_ = 0;
  std::uint64_t window_end_ = 0;
  ModelCounts counts_;
  Timeline* timeline_ = nullptr;
};

}  // namespace td::sim
