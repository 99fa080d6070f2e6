// SPDX-License-Identifier: Apache-2.0
// Loops spread over the threads of the arena around them.
#pragma once

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include <cstdint>

#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define TD_THREAD_SANITIZER
#include <tbb/task_arena.h>

#include <algorithm>
#include <future>
#include <vector>
#endif
#endif

namespace td {

#ifdef TD_THREAD_SANITIZER

/// Whether this thread runs a piece of a loop.
inline bool& inside_loop() {
  thread_local bool inside = false;
  return inside;
}

/// The packaged oneTBB is not instrumented: ThreadSanitizer does not see that pieces run after
/// their loop has begun and before it ends. It does where the threads are the standard library's. A
/// loop inside of a loop stays on its thread.
template <class Body>
void parallel_pieces(std::int64_t count, const Body& body) {
  const std::int64_t threads =
      inside_loop() ? 1 : std::min<std::int64_t>(count, tbb::this_task_arena::max_concurrency());
  if (threads < 2) {
    if (count > 0) body(std::int64_t{0}, count);
    return;
  }
  // Dealt beforehand: every thread has its piece, however late it comes.
  std::vector<std::future<void>> pieces;
  for (std::int64_t i = 0; i < threads; ++i) {
    pieces.push_back(std::async(std::launch::async, [&body, count, threads, i] {
      inside_loop() = true;
      body(count / threads * i + std::min(i, count % threads),
           count / threads * (i + 1) + std::min(i + 1, count % threads));
    }));
  }
  for (std::future<void>& piece : pieces) piece.get();
}

#else

/// Calls `body(begin, end)` for pieces of 0..count, at once.
template <class Body>
void parallel_pieces(std::int64_t count, const Body& body) {
  tbb::parallel_for(
      tbb::blocked_range<std::int64_t>(0, count),
      [&body](const tbb::blocked_range<std::int64_t>& range) { body(range.begin(), range.end()); });
}

#endif

/// Calls `body(i)` for all i of 0..count-1, at once.
template <class Body>
void parallel_for(std::int64_t count, const Body& body) {
  parallel_pieces(count, [&body](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) body(i);
  });
}

}  // namespace td
