// SPDX-License-Identifier: Apache-2.0
// Which descriptor each engine was at work on, and when.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

namespace td::sim {

/// The first three are the kinds of descriptors, by their index. A fill and the steps of the tiles
/// are parts of a compute.
enum class Engine { load, compute, store, fill, tile };

/// A descriptor on an engine. No two spans of an engine, or of a tile, overlap: where it has
/// several descriptors, this is its first one that is not done.
struct EngineSpan {
  Engine engine = Engine::load;
  std::size_t tile = 0;        ///< of Engine::tile; else 0
  std::size_t descriptor = 0;  ///< its place in its job
  std::int64_t begin = 0;      ///< clock
  std::int64_t end = 0;        ///< ... behind the last one
  std::int64_t steps = 0;      ///< of Engine::tile; else 0

  std::int64_t clocks() const { return end - begin; }
};

/// What of an engine can be seen in a clock.
struct EngineClock {
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);

  std::size_t offered = kNone;  ///< descriptor that it may work on
  bool accepted = false;        ///< ... and does not need any more: the next one may come
  bool done = false;            ///< with its first one
};

/// Watches a job: engine() and fill() say what is seen in a clock, each engine at most once. Clocks
/// in which nothing changes may be left out.
class EngineSpans {
 public:
  /// Of an engine that takes descriptors: load, compute or store.
  void engine(std::int64_t now, Engine which, const EngineClock& seen);
  /// Whether operands are filled in, for the compute that was accepted last.
  void fill(std::int64_t now, bool fills);
  /// A tile stepped for a descriptor.
  void add(const EngineSpan& steps) { spans_.push_back(steps); }

  /// At the end of the job: all of them, none before one that begins earlier.
  std::vector<EngineSpan> take();

 private:
  struct Queue {
    std::deque<std::size_t> working;  ///< accepted, not done
    std::optional<std::int64_t> begin;
  };

  std::vector<EngineSpan> spans_;
  Queue queues_[3];
  std::size_t accepted_ = 0;  ///< the last compute
  std::optional<EngineSpan> fill_;
};

}  // namespace td::sim
