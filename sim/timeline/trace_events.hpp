// SPDX-License-Identifier: Apache-2.0
// Timelines in the JSON of Chrome's trace viewer and Perfetto: processes, their tracks, and spans.
#pragma once

#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace td::sim {

/// A span of a track, in cycles of the clock.
struct TraceSpan {
  std::string name;
  std::string category;
  std::int64_t begin = 0;
  std::int64_t cycles = 0;
};

class TraceEvents {
 public:
  explicit TraceEvents(std::int64_t clock_MHz) : clock_MHz_(clock_MHz) {}

  /// A process with its tracks, which are numbered in this order. Returns its own number.
  std::size_t add_process(const std::string& name, const std::vector<std::string>& tracks);

  /// Times are in µs; `args` says the same in cycles, and behind it what else there is to tell.
  void add_span(std::size_t process, std::size_t track, const TraceSpan& span,
                const nlohmann::ordered_json& args = nlohmann::ordered_json::object());

  /// Bytes of a name that are no UTF-8 are replaced.
  std::string text() const;

 private:
  void add_name(const char* what, std::size_t process, std::size_t track, const std::string& name);

  std::int64_t clock_MHz_;
  std::size_t processes_ = 0;
  nlohmann::ordered_json root_ = {{"displayTimeUnit", "ns"},
                                  {"traceEvents", nlohmann::ordered_json::array()}};
};

}  // namespace td::sim
