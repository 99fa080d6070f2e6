// SPDX-License-Identifier: Apache-2.0
// Optimal contiguous splits of a graph over accelerators and CPUs: the largest load of a device is
// smallest. Dynamic programming over ideals (Tarnawski et al., NeurIPS 2020, arXiv:2006.16423).
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "sim/system/placement/blocks.hpp"

namespace td::job {

struct Devices {
  std::int64_t accelerators = 1;
  std::int64_t cpus = 0;
  double memory_bytes = std::numeric_limits<double>::infinity();  ///< of each accelerator
};

/// Most devices of a kind.
inline constexpr std::int64_t kMostDevices = 64;

/// One device's part.
struct Part {
  bool cpu = false;
  std::vector<std::uint32_t> blocks;  ///< in the order in which they were added
};

struct Split {
  double max_load = std::numeric_limits<double>::infinity();  ///< infinite: none fits
  std::vector<Part> parts;                                    ///< from the first ideal on
};

/// Load of the device that has the nodes `here`, by the rule alone: a CPU's is its nodes' times; an
/// accelerator's is those and every transfer time to or from it once.
double load_of(const OperatorGraph& graph, const std::vector<bool>& here, bool cpu);
double load_of(const OperatorGraph& graph, const BlockGraph& blocks, const Part& part);

/// The best split whose parts are differences of `ideals`, found exactly; `bound` is a load that
/// some split is known to reach (infinity: none is), and spares time. The load is that of
/// load_of().
Split best_split(const OperatorGraph& graph, const BlockGraph& blocks, const Ideals& ideals,
                 const Devices& devices, double bound);

}  // namespace td::job
