// SPDX-License-Identifier: Apache-2.0
#include "sim/accelerator/timing/engine_spans.hpp"

#include <algorithm>
#include <utility>

namespace td::sim {

void EngineSpans::engine(std::int64_t now, Engine which, const EngineClock& seen) {
  Queue& queue = queues_[static_cast<std::size_t>(which)];
  const bool works = !queue.working.empty() || seen.offered != EngineClock::kNone;
  if (works && !queue.begin) queue.begin = now;
  if (seen.accepted) {
    queue.working.push_back(seen.offered);
    if (which == Engine::compute) accepted_ = seen.offered;
  }
  if (!seen.done) return;
  spans_.push_back({which, 0, queue.working.front(), *queue.begin, now + 1, 0});
  queue.working.pop_front();
  queue.begin.reset();
}

void EngineSpans::fill(std::int64_t now, bool fills) {
  if (fills && !fill_) fill_ = EngineSpan{Engine::fill, 0, accepted_, now, now, 0};
  if (fills || !fill_) return;
  fill_->end = now;
  spans_.push_back(*fill_);
  fill_.reset();
}

std::vector<EngineSpan> EngineSpans::take() {
  std::stable_sort(spans_.begin(), spans_.end(),
                   [](const EngineSpan& a, const EngineSpan& b) { return a.begin < b.begin; });
  return std::move(spans_);
}

}  // namespace td::sim
