// SPDX-License-Identifier: Apache-2.0
// What ran while no compute did.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/accelerator/timing/engine_spans.hpp"

namespace td::sim {

/// Clocks of a timeline in which no compute was under way.
struct LoneEngines {
  std::int64_t load = 0;   ///< a load was
  std::int64_t store = 0;  ///< a store was, and no load
  std::int64_t none = 0;   ///< neither: descriptors were fetched

  void add(const LoneEngines& other);
};

/// Of the clocks begin…begin+clocks-1, which have all these spans.
LoneEngines lone_engines(const std::vector<EngineSpan>& spans, std::int64_t begin,
                         std::int64_t clocks);

}  // namespace td::sim
