// SPDX-License-Identifier: Apache-2.0
#include "sim/driven/lone_engines.hpp"

#include <cstddef>

namespace td::sim {

void LoneEngines::add(const LoneEngines& other) {
  load += other.load;
  store += other.store;
  none += other.none;
}

LoneEngines lone_engines(const std::vector<EngineSpan>& spans, std::int64_t begin,
                         std::int64_t clocks) {
  constexpr unsigned load = 1, compute = 2, store = 4;
  constexpr unsigned bits[] = {load, compute, store, compute, compute};  // by Engine
  std::vector<unsigned char> works(static_cast<std::size_t>(clocks));
  for (const EngineSpan& span : spans) {
    for (std::int64_t clock = span.begin; clock < span.end; ++clock) {
      works.at(static_cast<std::size_t>(clock - begin)) |=
          static_cast<unsigned char>(bits[static_cast<std::size_t>(span.engine)]);
    }
  }
  LoneEngines lone;
  for (const unsigned char clock : works) {
    if ((clock & compute) != 0) continue;
    ++((clock & load) != 0 ? lone.load : (clock & store) != 0 ? lone.store : lone.none);
  }
  return lone;
}

}  // namespace td::sim
