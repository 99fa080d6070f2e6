// SPDX-License-Identifier: Apache-2.0
// Whether a cut fits, and about how many clocks it takes.
#pragma once

#include <cstdint>
#include <optional>

#include "base/configuration/geometry.hpp"
#include "sim/accelerator/plan/cut.hpp"
#include "sim/accelerator/plan/expected_steps.hpp"
#include "sim/accelerator/plan/operation.hpp"

namespace td::sim {

class Estimator {
 public:
  /// All but the memory must outlive this.
  Estimator(const Operation& operation, const Geometry& geometry, const ExpectedSteps& steps,
            const MemoryTiming& memory);

  /// Sets what follows from a cut's compute descriptors: areas, fill, estimate.compute and
  /// .collect. Returns false when these do not fit, or are to keep something and cannot.
  bool computes(Cut& cut) const;

  /// What the supers of a cut are, whichever of them are the outer loop.
  struct Supers {
    BoxSize boxes[2];     ///< the largest, of the rows and of the lanes
    std::int64_t count;   ///< of all groups and blocks
    std::int64_t parts;   ///< of a super
    std::int64_t subs;    ///< of a super
    std::int64_t refill;  ///< clocks of the fills of a compute, in the mean
    std::int64_t row_supers;
    std::int64_t lane_supers;
    std::int64_t loops;  ///< over row and lane supers
  };

  /// Sets the slots of a cut, once computes() has been called. Nothing when it does not fit.
  std::optional<Supers> supers(Cut& cut) const;

  /// Sets the rest of the estimate.
  void total(Cut& cut, const Supers& supers) const;

  const Extents& rows() const { return rows_; }            ///< of the largest block, 1 or more
  const Extents& reduction() const { return reduction_; }  ///< ... too

 private:
  /// A side's loads of a part.
  struct Loads {
    std::int64_t count;
    std::int64_t clocks;  ///< of one
  };

  /// Subs of a super.
  struct Subs {
    std::int64_t rows, lanes, blocks;
  };

  Fills fills(const Cut& cut, std::int64_t row_streams, std::int64_t lane_streams) const;
  std::int64_t refill(const Fills& fills, const Subs& subs) const;
  std::int64_t least_refill(const Cut& cut) const;
  std::int64_t clocks_of(const Cut& cut, std::int64_t fill) const;
  Loads loads(const Cut& cut, const Supers& supers, int side) const;
  std::int64_t stores(const Cut& cut, const Spread& on, std::int64_t pitch) const;
  static std::int64_t waits(const Loads (&sides)[2], std::int64_t part_clocks);
  std::int64_t in_bursts(std::int64_t rows, std::int64_t blocks, Operand operand) const;
  std::int64_t in_blocks(const BoxSize& box, const TensorLayout& tensor) const;

  const Operation& operation_;
  const Geometry& geometry_;
  const ExpectedSteps& steps_;
  MemoryTiming memory_;
  Extents rows_;
  Extents reduction_;
  std::int64_t row_streams_;
  std::int64_t burst_clocks_;  ///< between short bursts
};

}  // namespace td::sim
